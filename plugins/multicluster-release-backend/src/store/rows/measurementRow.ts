/* The `measurements` table: append-only, one row for each reading that counted. */
import type { MeasurementView, ReadingResult } from 'backstage-plugin-multicluster-release-common';
import type { MeasurementToWrite } from '../../decide/types';
import { plainText } from '../plainText';

export interface MeasurementRow {
  id: string | number;
  release_id: string;
  stage: number;
  step_id: string;
  cluster: string;
  namespace: string;
  metric: string;
  at: string | number;
  result: string;
  value: number | null;
  samples: number | null;
  message: string | null;
  query: string;
  baseline: number | null;
  baseline_query: string | null;
}

export function measurementRow(
  releaseId: string,
  measurement: MeasurementToWrite,
): Omit<MeasurementRow, 'id'> {
  const [cluster, namespace] = measurement.key.split('/');
  const { stage, stepId, metric, at, result, value, samples, message, query } = measurement;
  const { baseline, baselineQuery } = measurement;
  return {
    release_id: releaseId,
    stage,
    step_id: stepId,
    cluster,
    namespace,
    metric,
    at,
    result,
    value: value ?? null,
    samples: samples ?? null,
    message: message === undefined ? null : plainText(message),
    query: plainText(query),
    baseline: baseline ?? null,
    baseline_query: baselineQuery === undefined ? null : plainText(baselineQuery),
  };
}

export function measurementView(row: MeasurementRow): MeasurementView {
  return {
    id: Number(row.id),
    stage: row.stage,
    gate: row.step_id,
    cluster: row.cluster,
    namespace: row.namespace,
    metric: row.metric,
    at: Number(row.at),
    result: row.result as ReadingResult,
    value: row.value ?? undefined,
    samples: row.samples ?? undefined,
    message: row.message ?? undefined,
    query: row.query,
    baseline: row.baseline ?? undefined,
    baselineQuery: row.baseline_query ?? undefined,
  };
}
