import type { MeasurementView } from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import { measurementView, type MeasurementRow } from '../../rows/measurementRow';

export interface MeasurementsOf {
  releaseId: string;
  /** Id of a step; undefined: of all gates. */
  gate?: string;
  /** Only readings with a smaller id; undefined: the newest. */
  before?: number;
  limit: number;
}

/** The newest readings of a release, oldest first; `before` goes on to older ones. */
export async function listMeasurements(
  database: Knex,
  { releaseId, gate, before, limit }: MeasurementsOf,
): Promise<MeasurementView[]> {
  const query = database<MeasurementRow>('measurements')
    .where('release_id', releaseId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (gate !== undefined) {
    query.where('step_id', gate);
  }
  if (before !== undefined) {
    query.where('id', '<', before);
  }
  return (await query).map(measurementView).reverse();
}
