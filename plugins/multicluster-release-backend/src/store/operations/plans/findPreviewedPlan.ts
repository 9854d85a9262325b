import type { Knex } from 'knex';
import { fromJson } from '../../json';
import type { PreviewedPlan } from '../../types';

export interface PreviewedPlanQuery {
  hash: string;
  /** Undefined: of whichever service. */
  service?: string;
  now: number;
}

/** The preview with this hash, or undefined where there is none or it is older than 24 hours. */
export async function findPreviewedPlan(
  database: Knex,
  { hash, service, now }: PreviewedPlanQuery,
): Promise<PreviewedPlan | undefined> {
  const select = database('previewed_plans')
    .select<{ preview: string }[]>('preview')
    .where({ hash })
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .limit(1);
  if (service !== undefined) {
    select.where({ service });
  }
  const [row] = await select;
  return row && fromJson<PreviewedPlan>(row.preview);
}
