import { z } from 'zod';

const VARIABLES = ['cluster', 'namespace', 'version', 'stableVersion', 'window'];

/** The first `{{…}}` that no query has, or undefined. */
function unknownVariable(query: string): string | undefined {
  return query
    .split('{{')
    .slice(1)
    .map(part => part.split('}}', 1)[0].trim())
    .find(name => !VARIABLES.includes(name));
}

/** A query with `{{cluster}}` and its like. */
export const querySchema = z
  .string()
  .refine(query => query.trim() !== '', 'must not be empty')
  .refine(
    query => unknownVariable(query) === undefined,
    `knows only the variables ${VARIABLES.map(name => `{{${name}}}`).join(', ')}`,
  );
