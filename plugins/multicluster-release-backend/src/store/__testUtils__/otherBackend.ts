import { knex as knexFactory } from 'knex';
import type { Knex } from 'knex';

/** Runs `work` with connections of their own to the same PostgreSQL, as a second backend has. */
export async function withOtherBackend<T>(
  database: Knex,
  work: (other: Knex) => Promise<T>,
): Promise<T> {
  const other = knexFactory(database.client.config);
  try {
    return await work(other);
  } finally {
    await other.destroy();
  }
}

const MAX_LOOKS = 5_000;

/** Resolves once somebody waits for a lock in this PostgreSQL database. Asked from inside of `tx`. */
export async function waitUntilBlocked(tx: Knex): Promise<void> {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
    // Else the first answer would be given again until the transaction ends.
    await tx.raw('select pg_stat_clear_snapshot()');
    const { rows } = await tx.raw(
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rows.length > 0) {
      return;
    }
  }
  throw new Error('Nobody came to wait for a lock');
}
