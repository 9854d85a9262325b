import type { FieldChange } from 'backstage-plugin-multicluster-release-common';
import { createTexts } from '../../testing';
import { fieldValue } from './fieldValue';

const { text } = createTexts('en');

describe('fieldValue', () => {
  it.each<[name: string, kind: string, field: FieldChange, before: string, after: string]>([
    [
      'a text',
      'Deployment',
      { pointer: '/spec/image', kind: 'changed', before: 'a:1', after: 'a:2' },
      'a:1',
      'a:2',
    ],
    [
      'a new field',
      'Deployment',
      { pointer: '/spec/replicas', kind: 'added', after: 3 },
      '(none)',
      '3',
    ],
    [
      'a structure that goes',
      'Service',
      { pointer: '/spec/ports', kind: 'removed', before: [{ port: 80 }] },
      '[{"port":80}]',
      '(none)',
    ],
    [
      'a masked Secret',
      'Secret',
      { pointer: '/data/key', kind: 'changed', before: 'value changed', after: 'value changed' },
      'value changed',
      'value changed',
    ],
    [
      'a Secret whose value came all the same',
      'Secret',
      { pointer: '/data/key', kind: 'changed', before: 'b2xk', after: 'bmV3' },
      'value changed',
      'value changed',
    ],
  ])('%s', (_name, kind, field, before, after) => {
    expect(fieldValue(kind, field, 'before', text)).toBe(before);
    expect(fieldValue(kind, field, 'after', text)).toBe(after);
  });
});
