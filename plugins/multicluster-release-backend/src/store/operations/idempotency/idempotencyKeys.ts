import { ConflictError } from '@backstage/errors';
import type { Knex } from 'knex';
import type { IdempotencyKey } from '../../types';

const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

interface KeyRow {
  body_hash: string;
  release_id: string;
  created_at: string | number;
}

/** The same key came with another body. `code` is what travels over HTTP. */
export class IdempotencyKeyReusedError extends ConflictError {
  readonly code = 'IdempotencyKeyReused';

  constructor(key: string) {
    super(`Idempotency-Key ${key} was used for another request; use a new key for a new request`);
    // Error handlers go by the name.
    this.name = 'ConflictError';
  }
}

/**
 * The release that this key was used for, or undefined where it is new.
 * @throws IdempotencyKeyReusedError when it was used for another body.
 */
export async function findUsedKey(
  tx: Knex.Transaction,
  used: IdempotencyKey,
  now: number,
): Promise<string | undefined> {
  const row = await tx('idempotency_keys')
    .where({ scope: used.scope, key: used.key })
    .where('created_at', '>', now - KEPT_MILLISECONDS)
    .first<KeyRow | undefined>();
  if (row && row.body_hash !== used.bodyHash) {
    throw new IdempotencyKeyReusedError(used.key);
  }
  return row?.release_id;
}

/**
 * Takes the key for a release. Undefined: it is ours now; else the release that
 * another transaction, which this one waited for, took it for.
 * @throws IdempotencyKeyReusedError when that was for another body.
 */
export async function takeKey(
  tx: Knex.Transaction,
  used: IdempotencyKey,
  releaseId: string,
  now: number,
): Promise<string | undefined> {
  const { scope, key, bodyHash } = used;
  await tx('idempotency_keys')
    .where({ scope, key })
    .where('created_at', '<=', now - KEPT_MILLISECONDS)
    .delete();
  await tx('idempotency_keys')
    .insert({
      scope,
      key,
      body_hash: bodyHash,
      release_id: releaseId,
      created_at: now,
    })
    .onConflict(['scope', 'key'])
    .ignore();
  const owner = await findUsedKey(tx, used, now);
  return owner === releaseId ? undefined : owner;
}
