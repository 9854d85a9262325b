import {
  targetKey,
  type MeasurementView,
  type MetricLimit,
  type MetricRule,
  type TargetKey,
  type TargetRef,
} from 'backstage-plugin-multicluster-release-common';
import type { MetricGate } from '../../hooks';

/** What one measurement has read on one target. */
export interface Series {
  key: TargetKey;
  target: TargetRef;
  /** Oldest first. */
  readings: MeasurementView[];
}

/** The series of a measurement on all targets that it may read on, the worst first. */
export function seriesOf(
  { targets }: MetricGate,
  rule: MetricRule,
  readings: MeasurementView[],
): Series[] {
  const found = new Map<TargetKey, Series>();
  const take = ({ cluster, namespace }: TargetRef): Series => {
    const target = { cluster, namespace };
    const key = targetKey(target);
    const series = found.get(key) ?? { key, target, readings: [] };
    found.set(key, series);
    return series;
  };
  targets.forEach(take);
  // Also where the plan has changed since and the target is no longer part of it.
  readings
    .filter(({ metric }) => metric === rule.name)
    .forEach(reading => take(reading).readings.push(reading));
  const ranked = [...found.values()].map(series => ({ series, rank: rankOf(series, rule) }));
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ series }) => series);
}

type Rank = [how: number, room: number, key: TargetKey];

/** Bad now, bad before, silent, not read yet, good; then by how much room the last value leaves. */
function rankOf({ readings, key }: Series, { limit }: MetricRule): Rank {
  const last = readings.at(-1);
  return [howBad(readings, last), last?.value === undefined ? 0 : roomTo(limit, last.value), key];
}

function roomTo(limit: MetricLimit, value: number): number {
  return 'max' in limit ? limit.max - value : value - limit.min;
}

function howBad(readings: MeasurementView[], last: MeasurementView | undefined): number {
  if (last?.result === 'bad') {
    return 0;
  }
  if (readings.some(({ result }) => result === 'bad')) {
    return 1;
  }
  switch (last?.result) {
    case 'error':
      return 2;
    case 'noData':
      return 3;
    case undefined:
      return 4;
    default:
      return 5;
  }
}

function compare(a: Rank, b: Rank): number {
  return a[0] - b[0] || a[1] - b[1] || a[2].localeCompare(b[2]);
}
