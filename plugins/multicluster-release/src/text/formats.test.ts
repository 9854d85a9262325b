import { createFormats } from './formats';

const NOON = Date.UTC(2026, 10, 30, 12, 0, 5);

describe('formats', () => {
  it.each<[name: string, milliseconds: number, duration: string, age: string]>([
    ['nothing', 0, '0 sec', '0 sec'],
    ['less than nothing, as between two clocks', -4_000, '0 sec', '0 sec'],
    ['seconds', 8_400, '8 sec', '8 sec'],
    ['minutes and seconds', 125_000, '2 min 5 sec', '2 min'],
    ['a whole minute', 60_000, '1 min', '1 min'],
    ['hours', 3_900_000, '1 hr 5 min', '1 hr'],
    ['days', 90_000_000, '1 day 1 hr', '1 day'],
  ])('%s', (_name, milliseconds, duration, age) => {
    const formats = createFormats('en', 'UTC');
    expect(formats.duration(milliseconds)).toBe(duration);
    expect(formats.age(milliseconds)).toBe(age);
  });

  it('writes times with their zone, and with the day where it is another one', () => {
    const formats = createFormats('en', 'Asia/Shanghai');
    expect(formats.time(NOON, NOON)).toBe('20:00 GMT+8');
    expect(formats.time(NOON - 86_400_000, NOON)).toBe('Nov 29, 20:00 GMT+8');
  });

  it.each([
    [0, '0'],
    [0.00041, '0.00041'],
    [0.333333, '0.3333'],
    [99.95, '99.95'],
    [12345.6, '12,346'],
  ])('writes the measured value %d as %s', (value, words) => {
    expect(createFormats('en', 'UTC').measured(value)).toBe(words);
  });

  it('writes in the language of the app', () => {
    const formats = createFormats('zh-CN', 'UTC');
    expect(formats.duration(125_000)).toBe('2分钟 5秒');
    expect(formats.list(['a', 'b', 'c'])).toBe('a、b和c');
  });
});
