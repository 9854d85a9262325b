import { isFinalRelease, TARGET_STATES } from 'backstage-plugin-multicluster-release-common';
import { forwardPlan, isPutBack } from '../../decide/turn';
import { objectsOf } from '../contents';
import type { SimulatedCluster } from '../SimulatedCluster';
import type { Row } from '../SimulatedDatabase';
import { checkCaughtUp } from './checkMembers';
import { checkGuards } from './checkMetrics';
import { wayBackOf, type Facts, type Target } from './facts';
import { violation } from './violation';

/** A late report and a late glance at the cluster may come after the end. */
const SEEN_AFTER_MILLISECONDS = 30_000;

export interface ClusterBefore {
  name: string;
  key: string;
  /** What was there before the first release; undefined: nothing. */
  digest: string | undefined;
  /** The same, where it was not ours. */
  adopted: string | undefined;
  /** Names of objects that are not ours to remove. */
  foreign: string[];
}

/** What must hold when all faults are over and everything has ended. */
export function checkEnd(facts: Facts, clusters: ClusterBefore[]): void {
  for (const { run } of facts.database.rows.values()) {
    if (!isFinalRelease(run.state) || run.needsWork) {
      const causes = run.waiting.map(({ code }) => code).join(' ');
      violation(
        'every release ends',
        `${run.id} ${run.state}: ${JSON.stringify(run.waiting)}`,
        `${run.state} ${causes}`,
      );
    }
    const open = run.targets.filter(({ state }) => !TARGET_STATES[state].final);
    if (open.length > 0) {
      const states = open.map(({ key, state }) => `${key} ${state}`).join(', ');
      violation(
        'nothing is left over',
        `${run.id} ${run.state} with ${states}`,
        `${run.state} ${open[0].state}`,
      );
    }
  }
  [...facts.database.rows.values()].forEach(({ run }) => checkGuards(run, facts));
  clusters.forEach(cluster => checkCluster(facts, cluster));
  checkCaughtUp(facts);
}

function checkCluster(facts: Facts, before: ClusterBefore): void {
  const cluster = facts.clusters.get(before.name);
  const owner = ownerOf(facts, before.key);
  if (!cluster || isUnknown(facts, before, owner)) {
    return;
  }
  const digest = owner ? contentThatRuns(facts, owner) : before.digest;
  const record = facts.database.running.get(before.key)?.digest;
  const what = owner ? `${owner.row.run.id} ${owner.target.state}` : 'untouched';
  if (owner && record !== digest) {
    violation('the record says what runs', `${before.key}, ${what}: ${record}, not ${digest}`);
  }
  if (!runsOnly(cluster, digest, before.foreign)) {
    violation(
      'what the record says is what runs',
      `${before.key}, ${what}: runs ${cluster.describe()}, not ${digest}`,
      owner?.target.state,
    );
  }
}

interface Owner {
  row: Row;
  target: Target;
  sequence: number;
}

/** The release that wrote there last, by sequence, or has found there what it brings. */
function ownerOf({ database }: Facts, key: string): Owner | undefined {
  return [...database.rows.values()]
    .flatMap((row): Owner[] => {
      const target = row.run.targets.find(candidate => candidate.key === key);
      const { state, plans, sequences } = row.run;
      const found = target?.state === 'Unchanged' && state === 'Succeeded';
      const newest = sequences[plans[plans.length - 1].number];
      const sequence = target?.sequence ?? (found ? newest : sequences[target?.plan ?? 1]);
      return target && (target.touched || found) ? [{ row, target, sequence }] : [];
    })
    .reduce<Owner | undefined>(
      (last, owner) => (last && last.sequence > owner.sequence ? last : owner),
      undefined,
    );
}

/**
 * Of what failed for good nothing is promised, nor of what was changed behind our
 * back where a release ends without another look: at the last moment, when a
 * person stops it, and where the policy goes on without a cluster that is silent.
 */
function isUnknown(facts: Facts, { name }: ClusterBefore, owner: Owner | undefined): boolean {
  if (!owner) {
    return false;
  }
  const { state, unreachableSince = Number.POSITIVE_INFINITY } = owner.target;
  const { aborted, superseded, finishedAt = 0 } = owner.row.run;
  const stoppedAt = Math.min(aborted?.since ?? finishedAt, superseded?.since ?? finishedAt);
  const lastLook = Math.min(stoppedAt, finishedAt - SEEN_AFTER_MILLISECONDS, unreachableSince);
  const intrusion = facts.intrusions.get(name) ?? 0;
  if (state === 'Unchanged') {
    // Nobody looks there again.
    return intrusion > 0;
  }
  return (state !== 'Done' && state !== 'RolledBack') || intrusion > lastLook;
}

function contentThatRuns(facts: Facts, { row: { run }, target }: Owner): string | undefined {
  return isPutBack(run, target)
    ? wayBackOf(facts, run, target.key)
    : forwardPlan(run).targets.find(({ key }) => key === target.key)?.to?.digest;
}

function runsOnly(
  cluster: SimulatedCluster,
  digest: string | undefined,
  foreign: string[],
): boolean {
  const wanted = digest === undefined ? [] : objectsOf(digest);
  const extra = cluster.objectNames().filter(name => !wanted.includes(name));
  return (
    wanted.every(name => cluster.object(name)?.digest === digest) &&
    extra.every(name => foreign.includes(name))
  );
}
