import type { Knex } from 'knex';
import { fromJson } from '../../json';
import type { PreviewedPlan } from '../../types';

export interface PreviewedPlanQuery {
  hash: string;
  /** Undefined: of whichever service. */
  service?: string;
  /** Only what may still be started then: a preview is too old after 24 hours. Undefined: whatever is kept. */
  now?: number;
}

/** The newest preview with this hash, or undefined where there is none. */
export async function findPreviewedPlan(
  database: Knex,
  { hash, service, now }: PreviewedPlanQuery,
): Promise<PreviewedPlan | undefined> {
  const select = database('previewed_plans')
    .select<{ preview: string }[]>('preview')
    .where({ hash })
    .orderBy('created_at', 'desc')
    .limit(1);
  if (now !== undefined) {
    select.where('expires_at', '>', now);
  }
  if (service !== undefined) {
    select.where({ service });
  }
  const [row] = await select;
  return row && fromJson<PreviewedPlan>(row.preview);
}
