/*
 * Every difference between PostgreSQL and SQLite, and nothing else. SQLite here
 * is one process with one connection: its transactions already run one after
 * the other, so locks are left out (knex throws on `skipLocked` and silently
 * drops `forUpdate` there).
 */
import type { Knex } from 'knex';
import type { Clock } from './types';

/** Below PostgreSQL's 65535 and SQLite's 32766. */
const MAX_PARAMETERS = 30_000;
/** SQLite takes knex's rows as a compound select of at most 500 terms. */
const MAX_ROWS = 400;

function isPostgres(database: Knex): boolean {
  return database.client.config.client === 'pg';
}

/** Locks the rows that `query` reads until the transaction ends, waiting for them. */
export function lockRows<T extends Knex.QueryBuilder>(database: Knex, query: T): T {
  return isPostgres(database) ? (query.forUpdate() as T) : query;
}

/** As `lockRows`, passing over rows that somebody else has locked. */
export function lockFreeRows<T extends Knex.QueryBuilder>(database: Knex, query: T): T {
  return isPostgres(database) ? (query.forUpdate().skipLocked() as T) : query;
}

/**
 * The time that leases are compared with, as an SQL expression: the database's
 * own clock where several processes share it, since theirs may differ.
 */
export function leaseNow(database: Knex, clock: Clock): Knex.Raw {
  return isPostgres(database)
    ? database.raw('(extract(epoch from clock_timestamp()) * 1000)::bigint')
    : database.raw('?', [clock()]);
}

/** `leaseNow` plus a length, as an SQL expression. */
export function leaseEnd(database: Knex, clock: Clock, milliseconds: number): Knex.Raw {
  return isPostgres(database)
    ? database.raw('(extract(epoch from clock_timestamp()) * 1000)::bigint + ?::bigint', [
        milliseconds,
      ])
    : database.raw('?', [clock() + milliseconds]);
}

/**
 * Reads with several queries that see one moment. SQLite's only connection sees
 * nothing else.
 */
export function readTransaction<T>(
  database: Knex,
  read: (tx: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return isPostgres(database)
    ? database.transaction(read, {
        isolationLevel: 'repeatable read',
        readOnly: true,
      })
    : database.transaction(read);
}

/**
 * Runs migrations so that two fresh backends cannot meet: on PostgreSQL one
 * transaction behind an advisory lock of this schema, which also means that a
 * process killed half-way leaves no migration lock behind. SQLite has one process.
 */
export async function migrateAlone(database: Knex, directory: string): Promise<void> {
  if (!isPostgres(database)) {
    await database.migrate.latest({ directory });
    return;
  }
  await database.transaction(async tx => {
    await lockMigrations(tx);
    await tx.migrate.latest({ directory });
  });
}

/** Keeps other backends of this PostgreSQL schema from migrating until the transaction ends. */
export async function lockMigrations(tx: Knex.Transaction): Promise<void> {
  await tx.raw(
    "select pg_advisory_xact_lock(hashtext('multicluster-release ' || current_schema()))",
  );
}

/** Cuts rows so that each piece fits into one statement. */
export function chunkRows<R extends object>(rows: readonly R[]): R[][] {
  const columns = Math.max(1, ...rows.slice(0, 1).map(row => Object.keys(row).length));
  const size = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_PARAMETERS / columns)));
  const chunks: R[][] = [];
  for (let start = 0; start < rows.length; start += size) {
    chunks.push(rows.slice(start, start + size));
  }
  return chunks;
}

/** Cuts keys for a `where … in (…)`. */
export function chunkKeys<K>(keys: readonly K[]): K[][] {
  const chunks: K[][] = [];
  for (let start = 0; start < keys.length; start += MAX_PARAMETERS) {
    chunks.push(keys.slice(start, start + MAX_PARAMETERS));
  }
  return chunks;
}

/** True for the error of a second row under the same primary key. */
export function isDuplicateKey(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return (
    code === '23505' ||
    code === 'SQLITE_CONSTRAINT_PRIMARYKEY' ||
    code === 'SQLITE_CONSTRAINT_UNIQUE'
  );
}
