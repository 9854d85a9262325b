import type { KubernetesObject } from '../../ports';
import { copyOf, isRecord, type JsonRecord } from '../json';
import { LAST_APPLIED_ANNOTATION } from '../names';
import { MASK } from './mask';
import { redactMessage } from './redactMessage';

/**
 * A copy without any Secret value: `data`, `stringData`, and the copy of both in
 * kubectl's annotation, which is masked whole where it cannot be parsed (C14).
 * Keys stay, so that it is seen which ones there are. Lists are masked item by item.
 */
export function redactObject<T extends object>(object: T): T {
  const copy = copyOf(object) as JsonRecord;
  if (Array.isArray(copy.items)) {
    copy.items = copy.items.map(item => (isRecord(item) ? redactObject(item) : item));
  }
  if (isSecret(copy)) {
    maskValues(copy);
    maskAnnotations(copy, object as unknown as KubernetesObject);
  }
  return copy as T;
}

export function isSecret(object: { kind?: unknown; apiVersion?: unknown }): boolean {
  return (
    object.kind === 'Secret' && (object.apiVersion === 'v1' || object.apiVersion === undefined)
  );
}

function maskValues(secret: JsonRecord): void {
  for (const member of ['data', 'stringData']) {
    const values = secret[member];
    if (isRecord(values)) {
      secret[member] = Object.fromEntries(Object.keys(values).map(key => [key, MASK]));
    } else if (values !== undefined) {
      secret[member] = MASK;
    }
  }
}

function maskAnnotations(secret: JsonRecord, original: KubernetesObject): void {
  const annotations = isRecord(secret.metadata) ? secret.metadata.annotations : undefined;
  if (!isRecord(annotations)) {
    return;
  }
  for (const [key, text] of Object.entries(annotations)) {
    annotations[key] =
      key === LAST_APPLIED_ANNOTATION
        ? maskedCopy(String(text))
        : redactMessage(String(text), [original]);
  }
}

function maskedCopy(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isRecord(parsed)) {
      return MASK;
    }
    maskValues(parsed);
    return JSON.stringify(parsed);
  } catch {
    return MASK;
  }
}
