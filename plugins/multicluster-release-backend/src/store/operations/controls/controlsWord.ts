import type { Knex } from 'knex';

/**
 * Changes whenever an emergency stop, a window of the platform or a cordon is
 * placed or ended. Rows are never deleted, so counting them is enough.
 */
export async function controlsWord(database: Knex): Promise<string> {
  const [counts] = await database.select<Record<string, string | number>[]>(
    database('stops').count('*').as('stops'),
    database('stops').count('lifted_at').as('lifted'),
    database('windows').count('*').as('windows'),
    database('windows').count('removed_at').as('removed'),
    database('cordons').count('*').as('cordons'),
    database('cordons').count('lifted_at').as('uncordoned'),
  );
  return Object.values(counts).join('.');
}
