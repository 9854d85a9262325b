import type { KubernetesObject } from '../../ports';
import { isRecord } from '../json';
import { LAST_APPLIED_ANNOTATION } from '../names';
import { MASK } from './mask';

/** Shorter values stand for anything; masking them would leave no word of a message whole. */
const SHORTEST_MASKED = 3;

/**
 * The message without any value of these Secrets, in clear, in base64, and as Go
 * and JSON quote it. Other kinds among the objects are left alone.
 */
export function redactMessage(message: string, objects: KubernetesObject[]): string {
  const values = objects.filter(({ kind }) => kind === 'Secret').flatMap(secretValues);
  const forms = new Set(values.flatMap(formsOf).filter(form => form.length >= SHORTEST_MASKED));
  // Long ones first: a short value may be part of a longer one.
  return [...forms]
    .sort((a, b) => b.length - a.length)
    .reduce((text, form) => text.split(form).join(MASK), message);
}

function secretValues(secret: KubernetesObject): string[] {
  const own = [...plainValues(secret.stringData), ...plainValues(secret.data).flatMap(withDecoded)];
  const copy = secret.metadata?.annotations?.[LAST_APPLIED_ANNOTATION];
  return copy === undefined ? own : [...own, ...valuesOfCopy(copy)];
}

function valuesOfCopy(annotation: string): string[] {
  try {
    const parsed: unknown = JSON.parse(annotation);
    return isRecord(parsed)
      ? [...plainValues(parsed.stringData), ...plainValues(parsed.data).flatMap(withDecoded)]
      : [];
  } catch {
    return [annotation];
  }
}

function plainValues(values: unknown): string[] {
  return isRecord(values) ? Object.values(values).map(String) : [];
}

function withDecoded(encoded: string): string[] {
  return [encoded, Buffer.from(encoded, 'base64').toString('utf8')];
}

function formsOf(value: string): string[] {
  const quoted = JSON.stringify(value).slice(1, -1);
  const twice = JSON.stringify(quoted).slice(1, -1);
  return [value, value.trim(), quoted, twice, Buffer.from(value, 'utf8').toString('base64')];
}
