import { toCsv } from './csv';

it.each([
  [['plain', 7, undefined], 'plain,7,'],
  [['a "quote", and a comma'], '"a ""quote"", and a comma"'],
  [['two\nlines'], '"two\nlines"'],
  [['=HYPERLINK("http://x")'], `"'=HYPERLINK(""http://x"")"`],
  [['@cmd'], `'@cmd`],
  [[-5], '-5'],
])('writes %j', (row, expected) => {
  expect(toCsv(['h'], [row])).toBe(`h\r\n${expected}\r\n`);
});
