import type { ReleaseRun } from '../../decide';
import { forwardPlan } from '../../decide/turn';
import type { Row } from '../SimulatedDatabase';
import { targetOf, type Facts } from './facts';
import { violation } from './violation';

/** So long a cluster must have been off the list before it counts as left. */
const LEFT_AFTER_MILLISECONDS = 5 * 60_000;

/** Only who has been away for long, by a list that can be trusted, is passed over for having left. */
export function checkLeavers(before: ReleaseRun, after: ReleaseRun, { fleet }: Facts): void {
  for (const { key, cluster, left } of after.targets) {
    if (!left || targetOf(before, key)?.left) {
      continue;
    }
    const isAway = fleet.offFor(cluster) >= LEFT_AFTER_MILLISECONDS;
    if (!fleet.isTrusted() || fleet.isListed(cluster) || !isAway) {
      violation(
        'who has left has been away for long',
        `${key} of ${after.id} after ${fleet.offFor(cluster)} ms`,
      );
    }
  }
}

/**
 * Membership is fixed when the turn of a queued release comes, by a list that can
 * be trusted: all that are listed, and of the old plan those that may be back.
 */
export function checkMembership(before: ReleaseRun, after: ReleaseRun, { fleet }: Facts): void {
  const { kind, targets } = forwardPlan(after);
  if (!tookItsTurn(before, after) || kind !== 'forward' || fleet.listed().length === 0) {
    return;
  }
  const planned = targets.map(({ cluster }) => cluster);
  const listed = fleet.listed();
  const old = new Set(before.targets.map(({ cluster }) => cluster));
  const known = planned.every(cluster => fleet.isListed(cluster) || old.has(cluster));
  if (!fleet.isTrusted() || !known || !listed.every(cluster => planned.includes(cluster))) {
    violation(
      'membership is fixed when the turn comes',
      `${after.id} is for ${planned}, of ${listed}`,
    );
  }
}

function tookItsTurn(before: ReleaseRun, after: ReleaseRun): boolean {
  return before.queuedBehind !== undefined && after.queuedBehind === undefined;
}

/** Who joins gets only what succeeded elsewhere, is not on hold, and was never decided about there. */
export function checkJoiners({ run }: Row, facts: Facts): void {
  const { database, fleet } = facts;
  const version = run.targetVersion;
  const rows = [...database.rows.values()].filter(row => row.run.id !== run.id);
  const newest = rows.at(-1);
  const wrong =
    (database.holds.has(version) && `${version} is on hold`) ||
    (!fleet.isTrusted() && 'the list cannot be trusted') ||
    (newest?.run.targetVersion !== version && `${newest?.run.targetVersion} is the newest`) ||
    (newest?.spec.policy.joining !== 'CatchUp' && 'its policy does not say so') ||
    (!['Succeeded', 'CompletedWithPending'].includes(newest?.run.state ?? '') &&
      `${newest?.run.id} is ${newest?.run.state}`);
  if (wrong) {
    violation('who joins gets what is proven', `${run.id}: ${wrong}`);
  }
  for (const { key, cluster } of run.targets) {
    const decided = decidedAt(rows, key, version);
    if (!fleet.isListed(cluster) || facts.hadRecord.has(key) || decided) {
      violation('who joins is new to the version', `${key} of ${run.id}: ${decided?.run.id}`);
    }
  }
}

/** The release of this version, since the last of another one, that has been to the target or has left it out. */
export function decidedAt(rows: Row[], key: string, version: string): Row | undefined {
  const others = rows.map(row => row.run.targetVersion !== version);
  return rows.slice(others.lastIndexOf(true) + 1).find(row => {
    const target = targetOf(row.run, key);
    return target && (target.touched || !target.left);
  });
}

/** Once all is over nobody is left who should have caught up. */
export function checkCaughtUp({ database, fleet, hasEntity }: Facts): void {
  const rows = [...database.rows.values()];
  const newest = rows.at(-1);
  const { state, targetVersion = '', plans = [] } = newest?.run ?? {};
  const leads = newest?.spec.policy.joining === 'CatchUp' && plans[0]?.kind === 'forward';
  if (!hasEntity() || state !== 'Succeeded' || !leads || database.holds.has(targetVersion)) {
    return;
  }
  for (const name of fleet.listed()) {
    const key = `${name}/${plans[0].targets[0].namespace}`;
    if (!database.running.has(key) && !decidedAt(rows, key, targetVersion)) {
      violation('who joins catches up', `${key} never got ${targetVersion}`);
    }
  }
}
