import {
  targetKey,
  type RunningVersion,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import type { TargetObservation } from 'backstage-plugin-multicluster-release-node';
import type { ReleaseRun } from '../../decide/types';
import { loadRuns, type LoadedRun, type RunningRecord } from '../../store';
import type { HttpContext } from '../HttpContext';
import { runningVersion, type SeenHealth } from '../views/runningVersions';

/** Observations come all the time; so that an unchanged answer stays a 304, their age is told in such steps. */
const AGE_STEP_MILLISECONDS = 15_000;

/**
 * What runs by our record, with health as the release that wrote there last saw
 * it, or newer: `live`.
 */
export async function viewRunning(
  { commands }: HttpContext,
  records: RunningRecord[],
  live: ReadonlyMap<TargetKey, TargetObservation> = new Map(),
): Promise<RunningVersion[]> {
  const ids = [...new Set(records.map(({ releaseId }) => releaseId))];
  const runs = await loadRuns(commands.database, ids);
  return records.map(record => {
    const cluster = commands.prober.status(record.cluster);
    const seen = liveHealth(live.get(targetKey(record))) ?? lastHealth(runs, record);
    return runningVersion({ record, cluster, seen, now: commands.now() });
  });
}

function liveHealth(observation: TargetObservation | undefined): SeenHealth | undefined {
  if (!observation?.reachable) {
    return undefined;
  }
  const at = Math.floor(observation.at / AGE_STEP_MILLISECONDS) * AGE_STEP_MILLISECONDS;
  return { health: observation.health, at };
}

function lastHealth(
  runs: ReadonlyMap<string, LoadedRun>,
  record: RunningRecord,
): SeenHealth | undefined {
  const target = targetOf(runs.get(record.releaseId)?.run, record);
  return target?.reportedAt === undefined
    ? undefined
    : { health: target.health, at: target.reportedAt };
}

function targetOf(run: ReleaseRun | undefined, record: RunningRecord) {
  return run?.targets.find(({ key }) => key === targetKey(record));
}
