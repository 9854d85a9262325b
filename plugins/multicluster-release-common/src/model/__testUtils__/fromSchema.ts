import fc from 'fast-check';
import { isRecord } from '../errors/path';

/** Gives the values of one place, instead of what its schema says; undefined: the schema decides. */
export type Choose = (path: string) => fc.Arbitrary<unknown> | undefined;

/**
 * Values that a JSON Schema of ours describes, so that a new field of a document
 * is drawn without anybody remembering to. Texts with a form of their own come
 * from `choose`, which is asked for every path (`spec.strategy.canary.steps.*`).
 */
export function fromSchema(schema: unknown, choose: Choose, path = ''): fc.Arbitrary<unknown> {
  const chosen = choose(path);
  if (chosen) {
    return chosen;
  }
  if (!isRecord(schema)) {
    return fc.constant('x');
  }
  if ('const' in schema) {
    return fc.constant(schema.const);
  }
  if (Array.isArray(schema.enum)) {
    return fc.constantFrom(...schema.enum);
  }
  if (Array.isArray(schema.anyOf)) {
    return fc.oneof(...schema.anyOf.map(branch => fromSchema(branch, choose, path)));
  }
  return ofType(schema, choose, path);
}

function ofType(
  schema: Record<string, unknown>,
  choose: Choose,
  path: string,
): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'object':
      return ofObject(schema, choose, path);
    case 'array':
      return fc.array(fromSchema(schema.items, choose, `${path}.*`), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: 4,
      });
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({ min: Number(schema.minimum ?? 0), max: smallest(schema.maximum) });
    case 'null':
      return fc.constant(null);
    default:
      return ofText(schema);
  }
}

function smallest(maximum: unknown): number {
  return Math.min(typeof maximum === 'number' ? maximum : 20, 20);
}

function ofObject(
  { properties, required }: Record<string, unknown>,
  choose: Choose,
  path: string,
): fc.Arbitrary<unknown> {
  const members = Object.entries(isRecord(properties) ? properties : {}).map(
    ([key, member]) =>
      [key, fromSchema(member, choose, path === '' ? key : `${path}.${key}`)] as const,
  );
  return fc.record(Object.fromEntries(members), {
    requiredKeys: Array.isArray(required) ? required.map(String) : [],
  });
}

/** Durations, counts and shares say their form in a pattern. */
function ofText({ pattern }: Record<string, unknown>): fc.Arbitrary<string> {
  const form = String(pattern ?? '');
  if (form.includes('h)?')) {
    return fc.constantFrom('0s', '45s', '10m', '1h30m');
  }
  if (form.includes('%')) {
    return fc.constantFrom('1%', '10%', '33%', '50%', '100%');
  }
  return fc.constantFrom('a', 'b', 'canary');
}
