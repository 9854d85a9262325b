import fc from 'fast-check';
import { parseDuration } from './duration';

describe('parseDuration', () => {
  it.each([
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['45s', 45_000],
    ['1h0m5s', 3_605_000],
    ['90s', 90_000],
    ['0s', 0],
    ['24h', 86_400_000],
  ])('reads %s', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each([
    '',
    '10',
    'm',
    '-5m',
    '1.5h',
    '30m1h',
    '1h1h',
    '10 m',
    ' 10m',
    '1d',
    '100ms',
    '1h30',
    '１０m',
    '99999h',
    `${'9'.repeat(400)}s`,
  ])('does not read "%s"', text => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('reads what is put together from hours, minutes and seconds', () => {
    const part = fc.nat(1000);
    fc.assert(
      fc.property(part, part, part, (hours, minutes, seconds) => {
        expect(parseDuration(`${hours}h${minutes}m${seconds}s`)).toBe(
          (hours * 3600 + minutes * 60 + seconds) * 1000,
        );
      }),
    );
  });
});
