import { planHash, type Plan } from 'backstage-plugin-multicluster-release-common';
import { sha256 } from './sha256';
import { regroup, takeMembers } from './members';
import { moveTarget } from './move';
import { forwardPlan, releaseEvent, wake, type Turn } from './turn';
import type { CurrentRecord, FleetUntrusted } from './types';

/** How soon the list of clusters is looked at again that cannot be trusted. */
const LOOK_AT_FLEET_MILLISECONDS = 5_000;

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
    run.turnCameAt ??= turn.now;
    wake(turn, turn.now + LOOK_AT_FLEET_MILLISECONDS);
    return;
  }
  run.queuedBehind = undefined;
  const next = planForNow(turn);
  const { hold } = inputs.queue;
  const held = hold !== undefined && next.plan.kind === 'forward';
  takePlan(turn, next.plan);
  const nowhere = leavesNothing(turn);
  if (!held && !nowhere && !next.moved && next.members === undefined) {
    return;
  }
  const params = { hash: next.plan.hash };
  if (!held && !nowhere && next.members === undefined && next.plan.rules.onNewer === 'Supersede') {
    // Who supersedes a running release has asked for just this: to come in wherever that one stopped.
    const message = 'goes on from where the release ahead stopped';
    releaseEvent(turn, 'PlanRebased', message, { kind: 'plan', params });
    return;
  }
  const message = whatChanged(turn, { held, nowhere, ...next });
  run.planChanged = {
    message,
    hash: next.plan.hash,
    since: turn.now,
    hold: held ? { version: run.targetVersion, reason: hold } : undefined,
  };
  releaseEvent(turn, 'PlanChanged', message, { kind: 'plan', params });
}

/** What is written from now on is newer than what the release ahead has written, also on its way back. */
function takePlan(turn: Turn, next: Plan): void {
  const { run, inputs } = turn;
  for (const target of run.targets) {
    const record = inputs.queue?.current.get(target.key);
    target.fromSequence = record?.sequence;
    // Also what the release ahead has made may be ours to remove.
    target.inventory = record?.inventory ?? [];
    target.inventoryBefore = record?.inventory;
    target.brokenBefore = record?.unproven;
  }
  const { number, hash } = forwardPlan(run);
  if (next.hash !== hash || run.sequences[number] < run.lastSequence) {
    follow(turn, { ...next, number: number + 1 });
  }
}

interface Changed {
  held: boolean;
  nowhere: boolean;
  /** What runs on the clusters is not what was expected. */
  moved: boolean;
  members?: string;
}

/** All of it: who accepts the plan accepts all of it. */
function whatChanged({ run, inputs }: Turn, { held, nowhere, moved, members }: Changed): string {
  const facts = [
    held ? `${run.targetVersion} was put on hold meanwhile: ${inputs.queue?.hold}` : undefined,
    nowhere
      ? `${run.service} is not known to run well on any other cluster now, so it would run nowhere`
      : undefined,
    members,
    moved ? 'the release ahead left other versions than expected' : undefined,
  ];
  return facts.filter(fact => fact !== undefined).join('; ');
}

/** Why the turn of a queued release cannot be taken yet, although nothing is ahead. */
export function untrustedFleet({ run, inputs }: Turn): string | undefined {
  const reselected = run.queuedBehind === undefined ? undefined : inputs.queue?.reselected;
  return isUntrusted(reselected) ? reselected.untrusted : undefined;
}

function isUntrusted(reselected: object | undefined): reselected is FleetUntrusted {
  return reselected !== undefined && 'untrusted' in reselected;
}

interface NextPlan {
  plan: Plan;
  moved: boolean;
  /** What is new about its clusters. */
  members?: string;
}

/** The plan from what runs now, for the clusters of now. */
function planForNow({ run, inputs }: Turn): NextPlan {
  const planned = forwardPlan(run);
  const { reselected, current = new Map() } = inputs.queue ?? {};
  const rebased = rebase(planned, current);
  const moved = rebased.hash !== planned.hash;
  const regrouped =
    reselected && !isUntrusted(reselected) ? regroup(planned, reselected, current) : undefined;
  if (!regrouped) {
    return { plan: rebased, moved };
  }
  return 'problem' in regrouped
    ? {
        ...{ plan: rebased, moved },
        members: `it cannot be planned for the clusters of now, only for those of its start: ${regrouped.problem}`,
      }
    : { plan: regrouped.plan, moved, members: regrouped.what };
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
