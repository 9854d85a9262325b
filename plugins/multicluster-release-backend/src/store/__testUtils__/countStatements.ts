import type { Knex } from 'knex';

/** Statements that `work` sends, without those that begin and end transactions. */
export async function countStatements(
  database: Knex,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const statements: string[] = [];
  const listener = ({ sql }: { sql: string }) => {
    if (!/^(begin|commit|rollback|set transaction)/i.test(sql)) {
      statements.push(sql);
    }
  };
  database.on('query', listener);
  try {
    await work();
  } finally {
    database.removeListener('query', listener);
  }
  return statements;
}
