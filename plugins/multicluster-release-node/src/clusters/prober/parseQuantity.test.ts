import { parseQuantity } from './parseQuantity';

describe('parseQuantity', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['250m', 0.25],
    ['1500m', 1.5],
    ['.5', 0.5],
    ['2.', 2],
    ['0.1', 0.1],
    ['100u', 0.0001],
    ['5n', 5e-9],
    ['1k', 1_000],
    ['1M', 1_000_000],
    ['128Mi', 134_217_728],
    ['1Gi', 1_073_741_824],
    ['16393232Ki', 16_786_669_568],
    ['1E', 1e18],
    ['1Ei', 2 ** 60],
    ['1e3', 1_000],
    ['1E3', 1_000],
    ['12e-3', 0.012],
    ['-1', -1],
    ['+2', 2],
    [4, 4],
  ])('%s is %d', (quantity, expected) => {
    expect(parseQuantity(quantity)).toBeCloseTo(expected, 12);
  });

  it.each([
    '',
    ' ',
    'Gi',
    '1 Gi',
    '1K',
    '1gi',
    '1KiB',
    '0x10',
    '1,5',
    '1e',
    'NaN',
    'Infinity',
    undefined,
    {},
    NaN,
  ])('%s is no quantity', quantity => {
    expect(parseQuantity(quantity)).toBeUndefined();
  });
});
