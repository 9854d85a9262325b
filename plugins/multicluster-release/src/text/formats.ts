const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: [unit: string, milliseconds: number][] = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
];

/** Numbers and times as the reader's language writes them, in the reader's own zone. */
export interface Formats {
  /** With zone, and with the day where it is not today's: `14:02 GMT+1`. */
  time(at: number, now: number): string;
  /** The same with seconds: for what follows closely on each other. */
  clock(at: number, now: number): string;
  /** In full: for titles. */
  fullTime(at: number): string;
  /** The two largest units: `2 min 5 s`. */
  duration(milliseconds: number): string;
  /** The largest unit only, for ages that change all the time: `2 min`. */
  age(milliseconds: number): string;
  number(value: number): string;
  /** A measured value, which may be small: four digits, and no whole number cut short. */
  measured(value: number): string;
  percent(share: number): string;
  list(values: string[]): string;
}

/**
 * @param zone - IANA name; default: the zone of the browser
 */
export function createFormats(language: string, zone?: string): Formats {
  const minutes = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const seconds = { ...minutes, second: '2-digit' } as const;
  const zoned = { timeZone: zone, timeZoneName: 'short' } as const;
  const date = { day: 'numeric', month: 'short' } as const;
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, ...zoned });
  const full = format({ ...seconds, day: 'numeric', month: 'long', year: 'numeric' });
  const dayKey = new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short' });
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const digits = new Intl.NumberFormat(language, { maximumSignificantDigits: 4 });
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const list = new Intl.ListFormat(language, { type: 'conjunction' });
  const spans = (milliseconds: number, most: number) => formatSpan(language, milliseconds, most);
  const moment = (options: Intl.DateTimeFormatOptions) => {
    const today = format(options);
    const otherDay = format({ ...options, ...date });
    return (at: number, now: number) =>
      (dayKey.format(at) === dayKey.format(now) ? today : otherDay).format(at);
  };
  return {
    time: moment(minutes),
    clock: moment(seconds),
    fullTime: at => full.format(at),
    duration: milliseconds => spans(milliseconds, 2),
    age: milliseconds => spans(milliseconds, 1),
    number: value => number.format(value),
    measured: value => (Math.abs(value) < 1_000 ? digits : whole).format(value),
    percent: share => percent.format(share),
    list: values => list.format(values),
  };
}

/** Below a second counts as 0 s; clocks of two machines may also give a negative span. */
function formatSpan(language: string, milliseconds: number, most: number): string {
  let rest = Math.max(0, Math.floor(milliseconds / SECOND)) * SECOND;
  const parts: string[] = [];
  const first = UNITS.findIndex(([, size]) => rest >= size);
  const start = first === -1 ? UNITS.length - 1 : first;
  for (const [unit, size] of UNITS.slice(start, start + most)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 || parts.length === 0) {
      const style = { style: 'unit', unit, unitDisplay: 'short' } as const;
      parts.push(new Intl.NumberFormat(language, style).format(count));
    }
  }
  return parts.join(' ');
}
