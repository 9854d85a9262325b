import Ajv from 'ajv';
import { documentJsonSchemas } from './documentJsonSchemas';
import { DOCUMENT_KINDS } from './documents';
import { isRecord } from './errors/path';
import { parseDocuments } from './parseDocuments';
import { ALL_EXAMPLES } from './testing/examples';

const ajv = new Ajv({ strict: false, allErrors: true });
const validators = Object.fromEntries(
  Object.entries(documentJsonSchemas()).map(([kind, schema]) => [kind, ajv.compile(schema)]),
);

/** The value with one key more in the map number `target`, counting from the outside. */
function withUnknownKey(value: unknown, target: { left: number }): unknown {
  if (Array.isArray(value)) {
    return value.map(entry => withUnknownKey(entry, target));
  }
  if (!isRecord(value)) {
    return value;
  }
  const isHere = target.left-- === 0;
  const entries = Object.entries(value).map(([key, entry]) => [key, withUnknownKey(entry, target)]);
  return { ...Object.fromEntries(entries), ...(isHere ? { 'un known': {} } : {}) };
}

describe('documentJsonSchemas', () => {
  it.each(Object.entries(ALL_EXAMPLES))('accept the example: %s', (_name, text) => {
    const [{ document }] = parseDocuments(text).documents;
    const validate = validators[document.kind];
    validate(document);
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each(Object.entries(ALL_EXAMPLES))(
    'refuse an unknown key wherever parsing does: %s',
    (_name, text) => {
      const [{ document }] = parseDocuments(text).documents;
      let maps = 0;
      for (let target = { left: maps }; target.left < 0 || maps === 0; maps++) {
        target = { left: maps };
        const changed = withUnknownKey(document, target);
        const refused = parseDocuments(JSON.stringify(changed)).errors.length > 0;
        expect([changed, validators[document.kind](changed)]).toEqual([changed, !refused]);
      }
      expect(maps).toBeGreaterThan(4);
    },
  );

  it.each(DOCUMENT_KINDS)('have a title and texts for every field of %s', kind => {
    const schema = documentJsonSchemas()[kind];
    expect(schema).toMatchObject({ title: kind, description: expect.any(String) });
    expect(fieldsWithoutText(schema, kind)).toEqual([]);
  });
});

function fieldsWithoutText(schema: unknown, path: string): string[] {
  if (!isRecord(schema)) {
    return [];
  }
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const missing = properties
    .filter(([, field]) => !isRecord(field) || typeof field.description !== 'string')
    .map(([key]) => `${path}.${key}`);
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  return [
    ...missing,
    ...properties.flatMap(([key, field]) => fieldsWithoutText(field, `${path}.${key}`)),
    ...[schema.items, ...branches].flatMap(inner => fieldsWithoutText(inner, path)),
  ];
}
