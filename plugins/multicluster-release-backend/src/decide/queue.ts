import { planHash, type Plan } from 'backstage-plugin-multicluster-release-common';
import { sha256 } from './sha256';
import { regroup, takeMembers } from './members';
import { moveTarget } from './move';
import { forwardPlan, releaseEvent, wake, type Turn } from './turn';
import type { CurrentRecord, FleetUntrusted } from './types';

/**
 * A queued release was compiled against what the one ahead should leave. When
 * its turn comes it is compiled again, from what the record says and for the
 * clusters that are selected now; if the hash differs, or its version is on hold
 * by then, it waits with `PlanChanged` until a person accepts (design.md section
 * 1, 4.9). So does a removal after which the service would run nowhere, unless
 * who ordered it said so (C01).
 */
export function takeTurn(turn: Turn): void {
  const { run, inputs } = turn;
  if (
    run.queuedBehind === undefined ||
    run.aborted ||
    run.superseded ||
    !inputs.queue?.aheadEnded
  ) {
    return;
  }
  if (untrustedFleet(turn) !== undefined) {
    wake(turn, turn.now + LOOK_AGAIN_MILLISECONDS);
    return;
  }
  run.queuedBehind = undefined;
  const { plan: rebased, members } = planForNow(turn);
  for (const target of run.targets) {
    const record = inputs.queue.current.get(target.key);
    target.fromSequence = record?.sequence;
    // Also what the release ahead has made may be ours to remove.
    target.inventory = record?.inventory ?? [];
    target.inventoryBefore = record?.inventory;
    target.brokenBefore = record?.unproven;
  }
  const { hold } = inputs.queue;
  const held = hold !== undefined && rebased.kind === 'forward';
  const { number, hash } = forwardPlan(run);
  const moved = rebased.hash !== hash;
  // The release ahead may have taken numbers since, for its way back: what is written from now on is newer than that.
  if (moved || run.sequences[number] < run.lastSequence) {
    follow(turn, { ...rebased, number: number + 1 });
  }
  const nowhere = leavesNothing(turn);
  if (!held && !moved && !nowhere && members === undefined) {
    return;
  }
  if (!held && !nowhere && members === undefined && rebased.rules.onNewer === 'Supersede') {
    // Who supersedes a running release has asked for just this: to come in wherever that one stopped.
    releaseEvent(turn, 'PlanRebased', 'goes on from where the release ahead stopped', {
      kind: 'plan',
      params: { hash: rebased.hash },
    });
    return;
  }
  const message = whatChanged(turn, { held, nowhere, members });
  run.planChanged = {
    message,
    hash: rebased.hash,
    since: turn.now,
    hold: held ? { version: run.targetVersion, reason: hold } : undefined,
  };
  releaseEvent(turn, 'PlanChanged', message, { kind: 'plan', params: { hash: rebased.hash } });
}

function whatChanged(
  { run, inputs }: Turn,
  { held, nowhere, members }: { held: boolean; nowhere: boolean; members?: string },
): string {
  if (held) {
    return `${run.targetVersion} was put on hold meanwhile: ${inputs.queue?.hold}`;
  }
  if (nowhere) {
    return `${run.service} is not known to run well on any other cluster now, so it would run nowhere. Accept if that is meant, or stop this release`;
  }
  return members ?? 'the release ahead left other versions than expected';
}

const LOOK_AGAIN_MILLISECONDS = 5_000;

/** Why the turn of a queued release cannot be taken yet, although nothing is ahead. */
export function untrustedFleet({ run, inputs }: Turn): string | undefined {
  const reselected = run.queuedBehind === undefined ? undefined : inputs.queue?.reselected;
  return isUntrusted(reselected) ? reselected.untrusted : undefined;
}

function isUntrusted(reselected: object | undefined): reselected is FleetUntrusted {
  return reselected !== undefined && 'untrusted' in reselected;
}

/** The plan from what runs now, and what is new about its clusters. */
function planForNow({ run, inputs }: Turn): { plan: Plan; members?: string } {
  const planned = forwardPlan(run);
  const { reselected, current = new Map() } = inputs.queue ?? {};
  const rebased = rebase(planned, current);
  const regrouped =
    reselected && !isUntrusted(reselected) ? regroup(planned, reselected, current) : undefined;
  if (!regrouped) {
    return { plan: rebased };
  }
  return 'problem' in regrouped
    ? {
        plan: rebased,
        members: `it cannot be planned for the clusters of now: ${regrouped.problem} Accept to go on with those that it was started for, or stop it`,
      }
    : { plan: regrouped.plan, members: regrouped.what };
}

/** What was judged when the removal was ordered may have gone with the release ahead. */
function leavesNothing({ run, inputs }: Turn): boolean {
  if (!inputs.queue?.removal || forwardPlan(run).rules.last) {
    return false;
  }
  const leaving = new Set(run.targets.map(({ key }) => key));
  return ![...inputs.queue.current].some(
    ([key, { content, unproven }]) => !leaving.has(key) && content !== undefined && !unproven,
  );
}

function follow(turn: Turn, rebased: Plan): void {
  const { run, inputs } = turn;
  takeMembers(turn, rebased, inputs.queue?.current ?? new Map());
  run.plans.push(rebased);
  run.lastSequence += 1;
  run.sequences[rebased.number] = run.lastSequence;
  const plannedOf = new Map(rebased.targets.map(target => [target.key, target]));
  for (const target of run.targets) {
    const planned = plannedOf.get(target.key);
    if (!planned) {
      continue;
    }
    target.plan = rebased.number;
    target.from = planned.from;
    // What a person has taken out while it waited stays out.
    if (target.state !== 'Skipped') {
      moveTarget(target, planned.unchanged ? 'Unchanged' : 'Pending');
    }
  }
}

/** The same plan from other versions: only what the hash covers of the past is new. */
function rebase(plan: Plan, current: ReadonlyMap<string, CurrentRecord>): Plan {
  const targets = plan.targets.map(target => {
    const { content: from, unproven } = current.get(target.key) ?? {};
    const isThere = from !== undefined && from.digest === target.to?.digest && !unproven;
    return { ...target, from, unchanged: isThere };
  });
  const same = targets.every(({ from, unchanged }, index) => {
    const before = plan.targets[index];
    return from?.digest === before.from?.digest && (!before.unchanged || unchanged);
  });
  if (same) {
    return plan;
  }
  // The old hash stands for the spec, which is not part of the plan.
  return {
    ...plan,
    targets,
    hash: planHash({ rebasedFrom: plan.hash }, targets, sha256),
  };
}
