import type { KubernetesObject } from '../../ports';
import { isRecord } from '../json';
import { describeObject, idOf } from '../objectId';
import { RenderError } from './RenderError';

/**
 * Moves `stringData` into `data`, in place: the API server does the same, but then
 * owns a field that is never read back, and dropped keys would stay.
 *
 * @throws RenderError `SecretDataNotText` or `SecretDataNotBase64`, which name keys and never a value
 */
export function encodeSecretData(object: KubernetesObject): void {
  if (object.apiVersion !== 'v1' || object.kind !== 'Secret') {
    return;
  }
  requireTexts(object, 'data');
  requireTexts(object, 'stringData');
  requireBase64(object);
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

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function requireBase64(object: KubernetesObject): void {
  const data = isRecord(object.data) ? object.data : {};
  // Line breaks are allowed, as in the answer of the base64 program.
  const wrong = Object.keys(data).filter(
    key => !BASE64.test(String(data[key]).replace(/[\r\n]/g, '')),
  );
  if (wrong.length > 0) {
    const subject = describeObject(idOf(object));
    const keys = wrong.map(key => `data.${key}`).join(', ');
    throw new RenderError(
      'SecretDataNotBase64',
      { object: subject, keys },
      `${subject}: ${keys} must be base64. Encode the value, or write it in clear under stringData.`,
    );
  }
}
