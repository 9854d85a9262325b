import { valueAt } from './valueAt';

const ANSWER = { a: { 'b-c': [[1, 2], { d: 3 }] }, 0: 'zero' };

describe('a path', () => {
  it.each([
    ['a.b-c[0][1]', 2],
    ['$.a.b-c[1].d', 3],
    ['$', ANSWER],
    [' a.b-c[0] ', [1, 2]],
    ['0', 'zero'],
  ])('%s leads to its value', (path, value) => {
    expect(valueAt(ANSWER, path)).toEqual({ result: 'found', value });
  });

  it('begins at a list, too', () => {
    expect(valueAt([[5]], '[0][0]')).toEqual({ result: 'found', value: 5 });
    expect(valueAt([[5]], '$[0][0]')).toEqual({ result: 'found', value: 5 });
  });

  it.each([
    'x',
    'a.x.y',
    'a[0]',
    'a.b-c.0',
    'a.b-c[9]',
    'a.toString',
    '__proto__',
    'a.b-c[0].length',
  ])('%s leads to nothing', path => {
    expect(valueAt(ANSWER, path)).toEqual({ result: 'missing' });
  });

  it.each(['', '.a', 'a.', 'a..b', 'a[', 'a[x]', 'a[-1]', 'a]', 'a[0]b', '$a', '$.', 'a[0'])(
    '%p cannot be read',
    path => {
      expect(valueAt(ANSWER, path)).toEqual({ result: 'faulty' });
    },
  );
});
