import type { Knex } from 'knex';
import { toJson } from '../../json';
import type { PreviewedPlan } from '../../types';

const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;

/** Keeps a preview for 24 hours from now; a later preview with the same hash takes its place. */
export async function savePreviewedPlan(database: Knex, preview: PreviewedPlan): Promise<void> {
  const { hash, service, createdAt } = preview;
  await database('previewed_plans')
    .insert({
      hash,
      service,
      preview: toJson(preview),
      created_at: createdAt,
      expires_at: createdAt + KEPT_MILLISECONDS,
    })
    .onConflict(['hash', 'service'])
    .merge();
}
