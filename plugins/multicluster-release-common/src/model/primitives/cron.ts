import { z } from 'zod';
import { isDigit, consistsOf } from './characters';

interface CronField {
  name: string;
  lowest: number;
  highest: number;
  /** Words for the numbers from `lowest` on. */
  words?: string[];
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ');

const FIELDS: CronField[] = [
  { name: 'minute', lowest: 0, highest: 59 },
  { name: 'hour', lowest: 0, highest: 23 },
  { name: 'day of month', lowest: 1, highest: 31 },
  { name: 'month', lowest: 1, highest: 12, words: MONTHS },
  { name: 'day of week', lowest: 0, highest: 7, words: WEEKDAYS },
];

/** In a leap year: 29 February comes, if seldom. */
const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * What is wrong with a schedule of five fields, in words that name the field and
 * the value (field case C47); undefined where nothing is. Takes `*`, numbers,
 * names of months and days, ranges, steps and lists.
 */
export function cronFault(text: string): string | undefined {
  const parts = text.split(' ').filter(part => part !== '');
  if (parts.length !== FIELDS.length) {
    const names = FIELDS.map(({ name }) => name).join(', ');
    return `must have the five fields ${names}, such as "0 9 * * 1-5", and has ${parts.length}`;
  }
  const values: number[][] = [];
  for (const [index, field] of FIELDS.entries()) {
    const read = readField(field, parts[index]);
    if (typeof read === 'string') {
      return read;
    }
    values.push(read);
  }
  const [, , days, months] = values;
  const comes = months.some(month => days.some(day => day <= DAYS_OF_MONTH[month - 1]));
  // A day of the week that is named as well comes by itself.
  return comes || parts[4] !== '*'
    ? undefined
    : `day of month has ${parts[2]}, which month ${parts[3]} never has: it would never open`;
}

/** The numbers that a field holds, or what is wrong with it. */
function readField(field: CronField, text: string): number[] | string {
  const values: number[] = [];
  for (const item of text.split(',')) {
    const read = readItem(field, item);
    if (typeof read === 'string') {
      return read;
    }
    values.push(...read);
  }
  return values;
}

/** `*`, `5`, `1-5`, `mon-fri`, `*` or a range with `/2`. */
function readItem(field: CronField, item: string): number[] | string {
  const [range, stepText, ...more] = item.split('/');
  const [firstText, lastText, ...others] = range === '*' ? [] : range.split('-');
  if (item === '' || more.length > 0 || others.length > 0) {
    return `${field.name} has ${show(item)}, which is no number, range, step or list`;
  }
  const first = range === '*' ? field.lowest : numberOf(field, firstText);
  const open = range === '*' || (stepText !== undefined && lastText === undefined);
  const last = lastText === undefined ? first : numberOf(field, lastText);
  const step = stepText === undefined ? 1 : wholeNumber(stepText) ?? 0;
  for (const [value, written] of [[first, firstText] as const, [last, lastText] as const]) {
    if (value === undefined) {
      return `${field.name} has ${show(written ?? '')}, and takes ${takes(field)}`;
    }
  }
  if (step < 1) {
    return `${field.name} has the step ${show(stepText ?? '')}, and takes 1 or more`;
  }
  const end = open ? field.highest : last ?? 0;
  if ((first ?? 0) > end) {
    return `${field.name} has ${item}, which runs backwards: write two, with a comma between`;
  }
  return everyFrom(first ?? 0, end, step);
}

function everyFrom(first: number, last: number, step: number): number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, n) => first + n * step);
}

function numberOf({ lowest, highest, words = [] }: CronField, text: string): number | undefined {
  const word = words.indexOf(text.toLowerCase());
  const value = word >= 0 ? word + lowest : wholeNumber(text);
  return value !== undefined && value >= lowest && value <= highest ? value : undefined;
}

function wholeNumber(text: string): number | undefined {
  return text !== '' && text.length <= 4 && consistsOf(text, isDigit) ? Number(text) : undefined;
}

function takes({ lowest, highest, words }: CronField): string {
  const named = words ? `, or ${words[0]} to ${words[words.length - 1]}` : '';
  return `${lowest} to ${highest}${named}`;
}

function show(text: string): string {
  return text === '' ? 'nothing' : text.slice(0, 40);
}

/** When a window opens. */
export const cronSchema = z.string().superRefine((text, context) => {
  const fault = cronFault(text);
  if (fault !== undefined) {
    context.addIssue({ code: 'custom', message: fault });
  }
});
