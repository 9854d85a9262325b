import fc from 'fast-check';
import { stringify } from 'yaml';
import { parseDocuments } from './parseDocuments';
import { arbitraryDocument } from './testing/arbitraryDocument';

const PRINTERS: [string, (document: object) => string][] = [
  ['JSON', document => JSON.stringify(document)],
  ['indented JSON', document => JSON.stringify(document, undefined, 2)],
  ['YAML', document => stringify(document, { version: '1.1', defaultStringType: 'QUOTE_DOUBLE', aliasDuplicateObjects: false })],
];

describe('a document', () => {
  it.each(PRINTERS)('survives printing as %s and parsing', (_name, print) => {
    fc.assert(
      fc.property(arbitraryDocument, document => {
        expect(parseDocuments(print(document))).toMatchObject({ errors: [], documents: [{ document }] });
      }),
    );
  });
});
