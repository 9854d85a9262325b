import type { TargetHealth } from 'backstage-plugin-multicluster-release-common';
import type { TargetRun } from './types';
import type { Turn } from './turn';

/**
 * What the newest observation proves about the content that this release wrote
 * to the target (design.md 4.4; field case C02):
 * - `healthy`, `progressing`, `failed`: about the new content, fresh;
 * - `oldStamp`: an older writer's stamp is on an object: a late writer came through;
 * - `unknown`: nothing fresh is known. Never success.
 */
export type Evidence = 'healthy' | 'progressing' | 'failed' | 'oldStamp' | 'unknown';

export function evidenceOf(turn: Turn, target: TargetRun): Evidence {
  const observation = turn.observations.get(target.key);
  if (!observation?.reachable || !isFresh(turn, target, observation.at)) {
    return 'unknown';
  }
  if (observation.stampless) {
    return isAfterWrite(target, observation.at)
      ? healthEvidence(observation.health.state)
      : 'progressing';
  }
  if (!observation.stamp) {
    // An object of the content is missing or bears no stamp: whatever is healthy there is not ours.
    return 'progressing';
  }
  const { sequence, ticket } = observation.stamp;
  const wantedSequence = target.sequence ?? 0;
  if (sequence < wantedSequence || (sequence === wantedSequence && ticket < (target.ticket ?? 0))) {
    return isAfterApply(target, observation.at) ? 'oldStamp' : 'progressing';
  }
  if (sequence > wantedSequence) {
    return 'unknown';
  }
  const evidence = healthEvidence(observation.health.state);
  return evidence === 'healthy' && lacksPods(target, observation.health) ? 'progressing' : evidence;
}

/** A copy that grows bears the same stamp as before: only its number of pods tells the two apart. */
function lacksPods({ weight }: TargetRun, { total = 0 }: TargetHealth): boolean {
  return weight?.pods !== undefined && total < weight.pods;
}

/** A watch may deliver our own write a little later than it claims to know the cluster: that is no late writer. */
const WATCH_LAG_MILLISECONDS = 3_000;

function isAfterApply(target: TargetRun, at: number): boolean {
  return target.appliedAt !== undefined && at > target.appliedAt + WATCH_LAG_MILLISECONDS;
}

/** What bears no stamp proves nothing before its write has ended. */
function isAfterWrite({ appliedAt }: TargetRun, at: number): boolean {
  return appliedAt !== undefined && at > appliedAt;
}

function isFresh(turn: Turn, target: TargetRun, at: number): boolean {
  return turn.now - at <= turn.settings.freshMilliseconds && at >= (target.writtenAt ?? 0);
}

function healthEvidence(state: 'Healthy' | 'Progressing' | 'Failed' | 'Unknown'): Evidence {
  switch (state) {
    case 'Healthy':
      return 'healthy';
    case 'Progressing':
      return 'progressing';
    case 'Failed':
      return 'failed';
    default:
      return 'unknown';
  }
}
