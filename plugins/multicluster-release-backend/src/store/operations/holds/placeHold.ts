import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { plainText } from '../../plainText';

export interface HoldToPlace {
  service: string;
  version: string;
  reason: string;
  releaseId: string;
  now: number;
}

/** Puts a version on hold. One that is on hold already keeps its first reason. */
export async function placeHold(tx: Knex.Transaction, hold: HoldToPlace): Promise<void> {
  const { service, version, reason, releaseId, now } = hold;
  const active = await tx('holds')
    .select('id')
    .where({ service, version, released_at: null })
    .first();
  if (active) {
    return;
  }
  // From the facts that make it unique, so that no source of randomness is needed here.
  const facts = JSON.stringify([service, version, releaseId, now]);
  await tx('holds').insert({
    id: createHash('sha256').update(facts).digest('hex').slice(0, 32),
    service,
    version,
    reason: plainText(reason),
    release_id: releaseId,
    since: now,
  });
}
