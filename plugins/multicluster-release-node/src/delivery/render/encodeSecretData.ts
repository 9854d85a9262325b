import type { KubernetesObject } from '../../ports';
import { isRecord } from '../json';
import { describeObject, idOf } from '../objectId';
import { RenderError } from './RenderError';

/**
 * Moves `stringData` into `data`, in place: the API server does the same, but then
 * owns a field that is never read back, and dropped keys would stay.
 *
 * @throws RenderError `SecretDataNotText`, which names the key and never the value
 */
export function encodeSecretData(object: KubernetesObject): void {
  if (object.apiVersion !== 'v1' || object.kind !== 'Secret') {
    return;
  }
  requireTexts(object, 'data');
  requireTexts(object, 'stringData');
  const { stringData } = object;
  if (!isRecord(stringData)) {
    return;
  }
  const encoded = Object.entries(stringData).map(([key, text]) => [
    key,
    Buffer.from(String(text), 'utf8').toString('base64'),
  ]);
  object.data = {
    ...(isRecord(object.data) ? object.data : {}),
    ...Object.fromEntries(encoded),
  };
  delete object.stringData;
}

function requireTexts(object: KubernetesObject, member: 'data' | 'stringData'): void {
  const values = object[member];
  const wrong = isRecord(values)
    ? Object.keys(values).filter(key => typeof values[key] !== 'string')
    : [];
  if (wrong.length > 0) {
    const subject = describeObject(idOf(object));
    const keys = wrong.map(key => `${member}.${key}`).join(', ');
    throw new RenderError(
      'SecretDataNotText',
      { object: subject, keys },
      `${subject}: ${keys} must be text. Put the value into quotes.`,
    );
  }
}
