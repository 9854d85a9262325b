import type { z } from 'zod';
import { isRecord, type Path } from '../errors/path';

/** A value whose fields may still be of a wrong kind: rules run beside the field checks, so that all errors come at once. */
export type Unchecked = Record<string, unknown>;

/** `path` is relative to the object that the rule belongs to. */
export type Report = (path: Path, message: string, suggestion?: string) => void;

export type Rule = (value: Unchecked, report: Report) => void;

/** Adds rules between the fields of an object. They also run where a field is wrong, and must bear it. */
export function withRules<S extends z.ZodType>(schema: S, ...rules: Rule[]): S {
  return schema.superRefine(
    (value: unknown, context) => {
      if (!isRecord(value)) {
        return;
      }
      const report: Report = (path, message, suggestion) =>
        context.addIssue({ code: 'custom', path, message, params: { suggestion } });
      rules.forEach(rule => rule(value, report));
    },
    { when: payload => isRecord(payload.value) },
  );
}

/** Exactly one of the fields must be there. */
export function exactlyOne(fields: string[], what: string): Rule {
  return (value, report) => {
    const given = fields.filter(field => value[field] !== undefined);
    if (given.length === 0) {
      report([], `needs ${what}: one of ${fields.join(', ')}`);
    }
    if (given.length > 1) {
      report([], `takes exactly one of ${fields.join(', ')}, and has ${given.join(' and ')}`);
    }
  };
}

/** The strings in a list that may not be one. */
export function textsOf(value: unknown): { text: string; index: number }[] {
  const list = Array.isArray(value) ? value : [];
  return list.flatMap((text, index) => (typeof text === 'string' ? [{ text, index }] : []));
}

/** The objects in a list that may not be one. */
export function recordsOf(value: unknown): { record: Unchecked; index: number }[] {
  const list = Array.isArray(value) ? value : [];
  return list.flatMap((record, index) => (isRecord(record) ? [{ record, index }] : []));
}
