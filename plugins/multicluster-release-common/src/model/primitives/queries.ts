import { z } from 'zod';

const VARIABLES = ['cluster', 'namespace', 'version', 'stableVersion', 'window'];

function variablesOf(query: string): string[] {
  return query
    .split('{{')
    .slice(1)
    .map(part => part.split('}}', 1)[0].trim());
}

export function hasVariable(query: string, name: string): boolean {
  return variablesOf(query).includes(name);
}

/** The first `{{…}}` that no query has, or undefined. */
function unknownVariable(query: string): string | undefined {
  return variablesOf(query).find(name => !VARIABLES.includes(name));
}

/** A query with `{{cluster}}` and its like. */
export const querySchema = z
  .string()
  .refine(query => query.trim() !== '', 'must not be empty')
  .refine(
    query => unknownVariable(query) === undefined,
    `knows only the variables ${VARIABLES.map(name => `{{${name}}}`).join(', ')}`,
  );
