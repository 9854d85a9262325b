import type { z } from 'zod';
import { MAX_FAULTS } from './maxFaults';
import { nearest } from './nearest';
import { formatPath, isRecord, valueAt, type Path } from './path';
import { branchesAt, knownKeysAt } from './schemaAt';

/** What is wrong, before it is known in which document and line. */
export interface Explanation {
  path: Path;
  message: string;
  suggestion?: string;
}

/** Marks issues that no schema has a sentence of its own for. */
const UNEXPLAINED = 'unexplained';

interface Subject {
  schema: z.core.$ZodType;
  value: unknown;
  /** The value as it stands in the text, for advice on quoting. */
  writtenAt: (path: Path) => string | undefined;
}

/** Checks a value, and says everything that is wrong with it in our words. */
export function checkWith<T>(
  schema: z.ZodType<T>,
  value: unknown,
  writtenAt: Subject['writtenAt'],
): { accepted: T } | { faults: Explanation[] } {
  const result = schema.safeParse(value, { error: () => UNEXPLAINED });
  if (result.success) {
    return { accepted: result.data };
  }
  return { faults: explainAll(result.error.issues, [], { schema, value, writtenAt }) };
}

function explainAll(issues: z.core.$ZodIssue[], base: Path, subject: Subject): Explanation[] {
  return issues
    .slice(0, MAX_FAULTS + 1)
    .flatMap(issue => explain(issue, base, subject))
    .slice(0, MAX_FAULTS + 1);
}

function explain(issue: z.core.$ZodIssue, base: Path, subject: Subject): Explanation[] {
  const path = [
    ...base,
    ...issue.path.map(part => (typeof part === 'number' ? part : String(part))),
  ];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .slice(0, MAX_FAULTS + 1)
        .map(key => unknownKey(key, path, knownKeysAt(subject.schema, issue.path.map(plainPart))));
    case 'invalid_union':
      return explainUnion(issue, path, subject);
    case 'invalid_value':
      return [wrongWord(issue, path, subject)];
    case 'invalid_type':
      return [wrongType(issue, path, subject)];
    case 'invalid_key':
      return [
        {
          path,
          message: `is no valid key: ${issue.issues.map(inner => inner.message).join('; ')}`,
        },
      ];
    case 'too_small':
      return [{ path, message: tooSmall(issue) }];
    case 'too_big':
      return [{ path, message: `must be at most ${issue.maximum}` }];
    default:
      return [{ path, message: issue.message, ...suggestionOf(issue) }];
  }
}

function plainPart(part: PropertyKey): string | number {
  return typeof part === 'number' ? part : String(part);
}

function suggestionOf(issue: z.core.$ZodIssue): { suggestion?: string } {
  const suggestion: unknown = issue.code === 'custom' ? issue.params?.suggestion : undefined;
  return typeof suggestion === 'string' ? { suggestion } : {};
}

function tooSmall(issue: z.core.$ZodIssueTooSmall): string {
  return issue.origin === 'array'
    ? `must have at least ${issue.minimum} entry`
    : `must be at least ${issue.minimum}`;
}

function unknownKey(key: string, path: Path, known: string[]): Explanation {
  const suggestion = nearest(key, known);
  const advice = suggestion ? `did you mean \`${suggestion}\`?` : `known here: ${known.join(', ')}`;
  return {
    path: [...path, key],
    message: `is not a known field; ${advice}`,
    ...(suggestion ? { suggestion } : {}),
  };
}

function wrongWord(issue: z.core.$ZodIssueInvalidValue, path: Path, subject: Subject): Explanation {
  const value = valueAt(subject.value, path);
  const words = issue.values.map(String);
  if (value === undefined) {
    return {
      path,
      message: `is missing: must be ${oneOf(words)}`,
      ...(words.length === 1 ? { suggestion: words[0] } : {}),
    };
  }
  const suggestion = typeof value === 'string' ? nearest(value, words) : undefined;
  return {
    path,
    message: `must be ${oneOf(words)}, and is ${show(value)}${
      suggestion && words.length > 1 ? `; did you mean \`${suggestion}\`?` : ''
    }`,
    ...(suggestion ? { suggestion } : {}),
  };
}

function oneOf(words: string[]): string {
  return words.length === 1 ? words[0] : `one of ${words.join(', ')}`;
}

const TYPE_WORDS: Record<string, string> = {
  object: 'a map',
  record: 'a map',
  array: 'a list',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

function wrongType(issue: z.core.$ZodIssueInvalidType, path: Path, subject: Subject): Explanation {
  const value = valueAt(subject.value, path);
  if (issue.message !== UNEXPLAINED) {
    return { path, message: issue.message };
  }
  if (value === undefined) {
    return { path, message: 'is missing' };
  }
  if (issue.expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
    return unquoted(value, path, subject);
  }
  return {
    path,
    message: `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}, and is ${show(value)}`,
  };
}

/** `targetVersion: 2.10` would become 2.1 silently. */
function unquoted(value: number | boolean, path: Path, { writtenAt }: Subject): Explanation {
  const written = writtenAt(path) ?? String(value);
  const name = path[path.length - 1];
  const suggestion =
    typeof name === 'number'
      ? JSON.stringify(written)
      : `${formatPath([name])}: ${JSON.stringify(written)}`;
  const kind = typeof value === 'number' ? 'the number' : 'the truth value';
  return {
    path,
    message: `must be text, and ${written} is read as ${kind} ${value}; quote it: ${suggestion}`,
    suggestion,
  };
}

function show(value: unknown): string {
  if (value === null) {
    return 'empty';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  if (isRecord(value)) {
    return 'a map';
  }
  const text = String(JSON.stringify(value));
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Says what is wrong with the form that was probably meant, not with all that were not. */
function explainUnion(
  issue: z.core.$ZodIssueInvalidUnion,
  path: Path,
  subject: Subject,
): Explanation[] {
  const branches = branchesAt(subject.schema, issue.path.map(plainPart));
  const attempts = issue.errors
    .map((issues, index) => ({ issues, schema: branches[index] }))
    .filter(({ issues }) => !issues.some(isAboutWhole))
    .map(({ issues, schema }) =>
      explainAll(issues, path, schema ? { ...subject, schema } : subject),
    );
  const [best] = attempts.sort((a, b) => cost(a) - cost(b));
  if (best) {
    return best;
  }
  const value = valueAt(subject.value, path);
  if (value === undefined) {
    return [{ path, message: 'is missing' }];
  }
  const message =
    issue.message === UNEXPLAINED ? 'has none of the forms that are accepted here' : issue.message;
  return [{ path, message: `${message}, and is ${show(value)}` }];
}

function isAboutWhole(issue: z.core.$ZodIssue): boolean {
  return (
    issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')
  );
}

/** A slip with a near key points at the right form; a key like nothing known points away from it. */
function cost(explanations: Explanation[]): number {
  return explanations.reduce((sum, { message, suggestion }) => {
    const isUnknownKey = message.startsWith('is not a known field');
    const single = isUnknownKey ? 2 : 1;
    return sum + (suggestion && isUnknownKey ? 0.5 : single);
  }, 0);
}
