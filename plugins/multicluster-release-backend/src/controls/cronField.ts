import { CronTime } from 'cron';

const FIELDS = [
  { name: 'minute', low: 0, high: 59 },
  { name: 'hour', low: 0, high: 23 },
  { name: 'day of the month', low: 1, high: 31 },
  { name: 'month', low: 1, high: 12 },
  { name: 'day of the week', low: 0, high: 7 },
];

/** What is wrong with a cron of five fields, every field at once; empty: nothing. */
export function cronFaults(cron: string): string[] {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== FIELDS.length) {
    const names = FIELDS.map(({ name }) => name).join(', ');
    return [`has ${fields.length} fields; write five: ${names}`];
  }
  return fields.flatMap((field, index) => fieldFault(field, index) ?? []);
}

function fieldFault(field: string, index: number): string | undefined {
  const alone = FIELDS.map((_, position) => (position === index ? field : '*'));
  try {
    return new CronTime(alone.join(' ')) && undefined;
  } catch {
    const { name, low, high } = FIELDS[index];
    const missing = numbersOf(field).find(number => number < low || number > high);
    return missing === undefined
      ? `has the ${name} ${JSON.stringify(
          field,
        )}, which cannot be read; write numbers from ${low} to ${high}, lists, ranges or steps`
      : `has the ${name} ${JSON.stringify(
          field,
        )}, and ${name} ${missing} does not exist; they go from ${low} to ${high}`;
  }
}

/** Without the steps: they are no values. */
function numbersOf(field: string): number[] {
  const values = field.replace(/\/\d+/g, '').match(/\d+/g) ?? [];
  return values.map(Number);
}
