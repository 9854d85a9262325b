import type { MetricProvider } from 'backstage-plugin-multicluster-release-common';
import type { Measurement, Reading, SingleReading } from '../ports';
import type { Question } from './fillIn';

type MeasureOne = (question: Question, signal: AbortSignal) => Promise<SingleReading>;

/** Reads a value and, where it is compared, at the same time what it is compared with, by the same query. */
export async function measureCompared(
  measureOne: MeasureOne,
  { comparison, ...question }: Measurement,
  signal: AbortSignal,
): Promise<Reading> {
  if (!comparison) {
    return measureOne(question, signal);
  }
  const { stableVersion, version, provider } = question;
  const at = comparison.with === 'before' ? comparison.at : undefined;
  // Two halves of one version, such as after a change of its configuration, cannot be told apart by it.
  const [reading, baseline] = await Promise.all([
    measureOne(question, signal),
    comparison.with === 'stable' && stableVersion === version
      ? sameVersion(provider, version)
      : measureOne({ ...question, version: stableVersion, at }, signal),
  ]);
  return { ...reading, baseline };
}

/** Nothing was sent. */
function sameVersion(provider: MetricProvider, version: string): SingleReading {
  return {
    query: textOf(provider),
    result: 'noData',
    message: `the stable version is ${version} too, so a query cannot tell the two apart`,
  };
}

function textOf(provider: MetricProvider): string {
  return provider.kind === 'web' ? provider.url : provider.query;
}
