import { RELEASE_STATES } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { chunkKeys, lockRows } from '../../dialect';

export interface RetentionOptions {
  now: number;
  /** How many releases of each service are kept at least; default 50. */
  keepReleases?: number;
}

export interface RemovedRecords {
  releases: number;
  contents: number;
  previews: number;
  idempotencyKeys: number;
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
/** Longer than a preview lives: nothing that can still be started loses its content. */
const CONTENT_GRACE_MILLISECONDS = 2 * DAY_MILLISECONDS;

const FINAL_STATES = Object.entries(RELEASE_STATES).flatMap(([state, { final }]) =>
  final ? [state] : [],
);

/**
 * Removes what nobody needs: releases beyond the newest 50 of a service that
 * have ended, have no work left and whose content no cluster runs; previews of
 * yesterday that nobody is asked to approve; idempotency keys of yesterday;
 * contents that nothing refers to.
 */
export async function removeOldRecords(
  database: Knex,
  { now, keepReleases = 50 }: RetentionOptions,
): Promise<RemovedRecords> {
  const releases = await removeReleases(database, keepReleases);
  const previews = await removePreviews(database, now);
  const idempotencyKeys = await database('idempotency_keys')
    .where('created_at', '<=', now - DAY_MILLISECONDS)
    .delete();
  const contents = await removeContents(database, now - CONTENT_GRACE_MILLISECONDS);
  return { releases, contents, previews, idempotencyKeys };
}

/** Whoever approves a release looks at its preview, however long it is under way. */
async function removePreviews(database: Knex, now: number): Promise<number> {
  return database('previewed_plans')
    .where('expires_at', '<=', now)
    .whereNotExists(
      database('plans')
        .select('plans.hash')
        .join('releases', 'releases.id', 'plans.release_id')
        .whereRaw('plans.hash = previewed_plans.hash')
        .whereRaw('releases.service = previewed_plans.service')
        .whereNotIn('releases.state', FINAL_STATES),
    )
    .delete();
}

async function removeReleases(database: Knex, keep: number): Promise<number> {
  const services = await database('releases')
    .select<{ service: string }[]>('service')
    .groupBy('service')
    .having(database.raw('count(*) > ?', [keep]));
  let removed = 0;
  for (const { service } of services) {
    removed += await database.transaction(tx => removeReleasesOf(tx, service, keep));
  }
  return removed;
}

async function removeReleasesOf(
  tx: Knex.Transaction,
  service: string,
  keep: number,
): Promise<number> {
  const kept = await tx('releases')
    .select<{ id: string }[]>('id')
    .where({ service })
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(keep);
  const old = await tx('releases')
    .select<{ id: string }[]>('id')
    .where({ service, needs_work: false })
    .whereIn('state', FINAL_STATES)
    .whereNotIn(
      'id',
      kept.map(row => row.id),
    )
    .whereNotExists(
      tx('running').select('release_id').whereRaw('running.release_id = releases.id'),
    );
  for (const ids of chunkKeys(old.map(row => row.id))) {
    // Final and without work, so nobody writes below them; children first, whether or not the database cascades.
    for (const table of [
      'measurements',
      'events',
      'content_references',
      'release_targets',
      'plans',
    ]) {
      await tx(table).whereIn('release_id', ids).delete();
    }
    await tx('releases').whereIn('id', ids).delete();
  }
  return old.length;
}

async function removeContents(database: Knex, storedBefore: number): Promise<number> {
  return database.transaction(async tx => {
    const query = tx('contents')
      .select<{ digest: string }[]>('digest')
      .where('stored_at', '<=', storedBefore)
      .whereNotExists(
        tx('content_references')
          .select('digest')
          .whereRaw('content_references.digest = contents.digest'),
      )
      .whereNotExists(tx('running').select('digest').whereRaw('running.digest = contents.digest'));
    // Locked, and judged again after waiting: whoever has stored one meanwhile keeps it.
    const unused = await lockRows(tx, query);
    for (const digests of chunkKeys(unused.map(row => row.digest))) {
      await tx('content_chunks').whereIn('digest', digests).delete();
      await tx('contents').whereIn('digest', digests).delete();
    }
    return unused.length;
  });
}
