import { isTimeZone } from './timeZone';

describe('isTimeZone', () => {
  it.each([
    ['UTC', true],
    ['Asia/Shanghai', true],
    ['Europe/London', true],
    ['Asia/Shangai', false],
    ['+08:00', false],
    ['', false],
  ])('%j: %s', (text, expected) => {
    expect(isTimeZone(text)).toBe(expected);
  });
});
