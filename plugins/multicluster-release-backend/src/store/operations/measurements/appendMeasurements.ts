import type { Knex } from 'knex';
import type { MeasurementToWrite } from '../../../decide/types';
import { chunkRows } from '../../dialect';
import { measurementRow } from '../../rows/measurementRow';

/** Writes readings, in order, while the release's row is locked. */
export async function appendMeasurements(
  tx: Knex.Transaction,
  releaseId: string,
  measurements: MeasurementToWrite[],
): Promise<void> {
  const rows = measurements.map(measurement => measurementRow(releaseId, measurement));
  for (const chunk of chunkRows(rows)) {
    await tx('measurements').insert(chunk);
  }
}
