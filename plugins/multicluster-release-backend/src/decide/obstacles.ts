import type { Waiting } from 'backstage-plugin-multicluster-release-common';
import { missingDependency, windowOf } from './orders';
import { isRestore } from './rollback';
import { wake, type Turn } from './turn';
import type { TargetRun } from './types';

/** Why a cluster may not be started now although its turn has come. */
export type Obstacle = Pick<Waiting, 'code' | 'message' | 'params' | 'since' | 'until' | 'who'>;

/** How soon is looked again for what another service does: no news tells of it. */
const DEPENDENCY_MILLISECONDS = 5_000;

/** The first thing that stands against starting the target: stops, windows, cordons, other services. */
export function obstacleOf(turn: Turn, target: TargetRun): Obstacle | undefined {
  return (
    closedWindow(turn) ?? cordon(turn, target) ?? dependency(turn, target) ?? stopped(turn, target)
  );
}

/** The release itself may not start clusters now; undefined: it may. */
function closedWindow(turn: Turn): Obstacle | undefined {
  const verdict = windowOf(turn);
  if (verdict.open) {
    return undefined;
  }
  const { window, opensAt, invalid } = verdict;
  if (opensAt !== undefined) {
    wake(turn, opensAt);
  }
  const name = window.name ?? `${window.cron} ${window.timeZone}`;
  const zone = window.timeZone;
  const since = turn.run.stoodStillSince ?? turn.now;
  const params = { name, zone, ...(opensAt === undefined ? {} : { time: opensAt }) };
  if (invalid !== undefined) {
    const message = `The window ${name} cannot be read and counts as closed: ${invalid}`;
    return { code: 'freeze', message, params: { ...params, what: invalid }, since };
  }
  return window.kind === 'deny'
    ? { code: 'freeze', message: `Closed by the window ${name}`, params, since, until: opensAt }
    : { code: 'window', message: 'Outside of the release window', params, since, until: opensAt };
}

function cordon({ run, inputs }: Turn, { cluster }: TargetRun): Obstacle | undefined {
  const found = inputs.controls?.cordons[cluster];
  if (!found || isRestore(run)) {
    return undefined;
  }
  const { by, reason, since } = found;
  const message = `${cluster} is taken out by ${by}: ${reason}`;
  return { code: 'cordoned', message, params: { cluster, who: by, reason }, since, who: by };
}

function dependency(turn: Turn, target: TargetRun): Obstacle | undefined {
  const missing = missingDependency(turn, target);
  if (!missing) {
    return undefined;
  }
  wake(turn, turn.now + DEPENDENCY_MILLISECONDS);
  const { service, version = 'any version' } = missing.dependency;
  const { cluster } = missing;
  return {
    code: 'dependsOn',
    message: `${target.cluster} waits for ${service} ${version} on ${cluster}`,
    params: { service, version, cluster, target: target.cluster },
    since: turn.run.stages[target.stage]?.startedAt ?? turn.run.createdAt,
  };
}

function stopped(turn: Turn, target: TargetRun): Obstacle | undefined {
  const stop = turn.inputs.controls?.stops.find(({ clusters }) =>
    clusters.includes(target.cluster),
  );
  return stop && target.stoppedSince !== undefined ? stopObstacle(stop) : undefined;
}

export function stopObstacle({
  id,
  by,
  reason,
  since,
}: {
  id: string;
  by: string;
  reason: string;
  since: number;
}): Obstacle {
  const message = `Emergency stop by ${by}: ${reason}`;
  return { code: 'stopall', message, params: { id, who: by, reason, time: since }, since, who: by };
}
