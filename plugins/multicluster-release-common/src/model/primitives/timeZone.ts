import { z } from 'zod';
import { nearest } from '../errors/nearest';

/**
 * Whether this is the name of a time zone, for example `Asia/Shanghai` or `UTC`.
 * An offset such as `+08:00` is none: it would not follow summer time.
 */
export function isTimeZone(text: string): boolean {
  if (text.startsWith('+') || text.startsWith('-')) {
    return false;
  }
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).format(0) !== '';
  } catch {
    return false;
  }
}

export const timeZoneSchema = z.string().superRefine((text, context) => {
  if (isTimeZone(text)) {
    return;
  }
  const suggestion = nearest(text, Intl.supportedValuesOf('timeZone'));
  const advice = suggestion ? `; did you mean \`${suggestion}\`?` : '';
  context.addIssue({
    code: 'custom',
    message: `must be the name of a time zone such as Asia/Shanghai, and is ${JSON.stringify(
      text.slice(0, 40),
    )}${advice}`,
    params: { suggestion },
  });
});
