import { parseCount } from './count';

describe('parseCount', () => {
  it.each([
    [3, { count: 3 }],
    [0, { count: 0 }],
    ['3', { count: 3 }],
    ['30%', { percent: 30 }],
    ['0%', { percent: 0 }],
    ['100%', { percent: 100 }],
  ])('reads %s', (value, count) => {
    expect(parseCount(value)).toEqual(count);
  });

  // The first five: field case C29, refused when a document is sent.
  it.each([
    '-1',
    '12.5%',
    '101%',
    'ten',
    '',
    '%',
    '3 %',
    '+3',
    '1e2',
    '30%%',
    '9999999',
    -1,
    0.5,
    Number.NaN,
    Infinity,
  ])('does not read %j', value => {
    expect(parseCount(value)).toBeUndefined();
  });
});
