import fc from 'fast-check';
import { stringify } from 'yaml';
import { readYaml } from './readYaml';
import { DOCUMENT_RULES, MANIFEST_RULES } from './rules';

function read(text: string, rules = MANIFEST_RULES) {
  const { documents, problems } = readYaml(text, rules);
  return problems.length > 0
    ? problems.map(({ message }) => message)
    : documents.map(({ value }) => value);
}

describe('readYaml', () => {
  // prettier-ignore
  it.each([
    ['nothing', '', []],
    ['comments only', '# a\n---\n# b\n', []],
    ['several documents', 'a: 1\n---\n---\nb: 2\n...\n---\nc: 3', [{ a: 1 }, { b: 2 }, { c: 3 }]],
    ['a byte order mark', '\ufeffa: 1', [{ a: 1 }]],
    ['a comment behind the marker', '--- # first\na: 1', [{ a: 1 }]],
    ['Windows line ends', 'a: 1\r\nb:\r\n  - c\r\n', [{ a: 1, b: ['c'] }]],
    ['quoted words', `a: 'on'\nb: "1"`, [{ a: 'on', b: '1' }]],
    ['block texts', 'a: |\n  x\n  y\nb: >-\n  x\n  y\n', [{ a: 'x\ny\n', b: 'x y' }]],
    ['empty values', 'a:\nb: {c: }', [{ a: null, b: { c: null } }]],
    ['tags of the core', 'a: !!str 1\nb: !!int "3"\nc: !!bool "yes"', [{ a: '1', b: 3, c: true }]],
    ['keys that are numbers or truth values', '1: a\nyes: b\n010: c', [{ 1: 'a', true: 'b', 8: 'c' }]],
    ['anchors', 'a: &x {b: 1}\nc: *x\nd: [*x]', [{ a: { b: 1 }, c: { b: 1 }, d: [{ b: 1 }] }]],
    ['an anchor that is given anew', 'a: &x 1\nb: *x\nc: &x 2\nd: *x', [{ a: 1, b: 1, c: 2, d: 2 }]],
    ['an anchor given anew inside another', 'a: &o {i: &x 1}\nb: &x 2\nc: *o\nd: *x', [{ a: { i: 1 }, b: 2, c: { i: 1 }, d: 2 }]],
    ['a merge', 'a: &x {b: 1}\nc: {<<: *x, d: 2}', [{ a: { b: 1 }, c: { b: 1, d: 2 } }]],
    ['a merge whose keys are replaced', 'a: &x {b: 1}\nc: {<<: *x, b: 2}', [{ a: { b: 1 }, c: { b: 2 } }]],
    ['merges of which the first wins', 'a: &x {b: 1}\nd: &z {b: 2}\nc: {<<: [*x, *z]}', [{ a: { b: 1 }, d: { b: 2 }, c: { b: 1 } }]],
    ['JSON', '{\n\t"a": [1, true, null, "\\/\\ud83d\\ude00"]\n}', [{ a: [1, true, null, '/😀'] }]],
    ['a version directive', '%YAML 1.1\n---\na: yes', [{ a: true }]],
  ])('reads %s', (_name, text, values) => {
    expect(read(text)).toEqual(values);
  });

  // prettier-ignore
  it.each([
    ['a key given twice', 'a: 1\na: 2', 'is given twice: take one out'],
    ['a key given twice in two spellings', 'yes: 1\n"true": 2', 'is given twice: take one out'],
    ['a merge behind a key of its own', 'a: &x {b: 1}\nc: {b: 2, <<: *x}', 'is given before the merge of *x, which has it too: put << first'],
    ['a merge of what is no map', 'a: {<<: 3}', 'merges with << what is no map'],
    ['an alias without its anchor', 'a: *x', 'refers to *x, and there is no &x before it'],
    ['an anchor inside itself', 'a: &x [*x]', 'refers to *x inside itself'],
    ['a tab as indentation', 'a:\n\tb: 1', 'is indented with a tab: YAML takes spaces only'],
    ['another tag', 'a: !secret b', 'has the tag !secret, which is not known here: take it out'],
    ['binary data', 'a: !!binary aGk=', 'has the tag tag:yaml.org,2002:binary, which is not known here: take it out'],
    ['a key that is a list', '? [a]\n: b', 'has a key that is neither text nor a number: write it as text'],
    ['a key that is empty', '~: b', 'has a key that is neither text nor a number: write it as text'],
    ['a key of the prototype', '__proto__: {a: 1}', 'has the key __proto__, which is not accepted'],
    ['a number that is none', 'a: .inf', '.inf is no number that JSON can carry: quote it if it is text'],
    ['deep nesting', '['.repeat(100_000), 'values are nested more than 200 deep: make it flatter'],
    ['deep nesting in lines', Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 'values are nested more than 200 deep: make it flatter'],
  ])('refuses %s', (_name, text, message) => {
    expect(read(text)).toContainEqual(message);
  });

  it('says line and column, and reads the other documents', () => {
    const { documents, problems } = readYaml(
      'a: 1\n---\nb: 1\nc: [1,\n---\nd: 1\nd: 2',
      MANIFEST_RULES,
    );
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }]);
    expect(problems.map(({ index, path, line }) => [index, path, line])).toEqual([
      [1, [], 5],
      [2, ['d'], 7],
    ]);
  });

  it('refuses aliases that would fill the memory, quickly', () => {
    const lines = Array.from(
      { length: 30 },
      (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(9)}]`,
    );
    expect(read(`a0: &a0 x\n${lines.join('\n')}`, DOCUMENT_RULES)).toEqual([
      'makes the text too large when anchors are written out: use fewer aliases, or split it',
    ]);
  });

  it('refuses a text that is too long, and too many documents', () => {
    expect(read(`a: ${'x'.repeat(DOCUMENT_RULES.maxLength)}`, DOCUMENT_RULES)).toEqual([
      expect.stringContaining('262144 are allowed: split it'),
    ]);
    expect(read('a: 1\n---\n'.repeat(201), DOCUMENT_RULES)).toEqual([
      'the text has 201 documents; 200 are allowed: split it',
    ]);
  });

  it('reads keys as written in documents, where the format has a field `on`', () => {
    expect(read('on: yes\n010: a', DOCUMENT_RULES)).toEqual([{ on: true, '010': 'a' }]);
  });

  it('reads back whatever JSON is printed, as JSON and as quoted YAML', () => {
    const key = fc.string().filter(text => text !== '__proto__');
    const { value } = fc.letrec(tie => ({
      leaf: fc.oneof(fc.string(), fc.boolean(), fc.maxSafeInteger(), fc.constant(null)),
      value: fc.oneof(
        { depthSize: 'small' },
        tie('leaf'),
        fc.array(tie('value')),
        fc.dictionary(key, tie('value')),
      ),
    }));
    fc.assert(
      fc.property(value, json => {
        const wrapped = { wrapped: json };
        expect(read(JSON.stringify(wrapped))).toEqual([wrapped]);
        const yaml = stringify(wrapped, {
          defaultStringType: 'QUOTE_DOUBLE',
          defaultKeyType: 'QUOTE_DOUBLE',
          aliasDuplicateObjects: false,
        });
        expect(read(yaml)).toEqual([wrapped]);
      }),
    );
  });

  it('never throws, whatever the text', () => {
    const token = fc.constantFrom(
      'a',
      ':',
      ' ',
      '\n',
      '- ',
      '? ',
      '{',
      '}',
      '[',
      ']',
      '&x ',
      '*x',
      '<<',
      '!',
      '|',
      '>',
      '"',
      "'",
      '#',
      '---\n',
      '...\n',
      '\t',
      '%',
      '0',
      '@',
      ',',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), tokens => {
        expect(() => readYaml(tokens.join(''), DOCUMENT_RULES)).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });
});
