import { planHash, type Plan } from 'backstage-plugin-multicluster-release-common';
import { sha256 } from './sha256';
import { forwardPlan, releaseEvent, type Turn } from './turn';
import { moveTarget } from './move';
import type { CurrentRecord, ReleaseRun } from './types';

/**
 * A queued release was compiled against what the one ahead should leave. When
 * its turn comes it is compiled again from what the record says now; if the
 * hash differs, or its version is on hold by then, it waits with `PlanChanged`
 * until a person accepts (design.md section 1, 4.9). So does a removal after
 * which the service would run nowhere, unless who ordered it said so (C01).
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
  run.queuedBehind = undefined;
  for (const target of run.targets) {
    const record = inputs.queue.current.get(target.key);
    target.fromSequence = record?.sequence;
    // Also what the release ahead has made may be ours to remove.
    target.inventory = record?.inventory ?? [];
    target.inventoryBefore = record?.inventory;
    target.brokenBefore = record?.unproven;
  }
  const rebased = rebase(forwardPlan(run), inputs.queue.current);
  const { hold } = inputs.queue;
  const held = hold !== undefined && rebased.kind === 'forward';
  const { number, hash } = forwardPlan(run);
  const moved = rebased.hash !== hash;
  // The release ahead may have taken numbers since, for its way back: what is written from now on is newer than that.
  if (moved || run.sequences[number] < run.lastSequence) {
    follow(run, { ...rebased, number: number + 1 });
  }
  const nowhere = leavesNothing(turn);
  if (!held && !moved && !nowhere) {
    return;
  }
  if (!held && !nowhere && rebased.rules.onNewer === 'Supersede') {
    // Who supersedes a running release has asked for just this: to come in wherever that one stopped.
    releaseEvent(turn, 'PlanRebased', 'goes on from where the release ahead stopped', {
      kind: 'plan',
      params: { hash: rebased.hash },
    });
    return;
  }
  const message = whatChanged(turn, { held, nowhere });
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
  { held, nowhere }: { held: boolean; nowhere: boolean },
): string {
  if (held) {
    return `${run.targetVersion} was put on hold meanwhile: ${inputs.queue?.hold}`;
  }
  return nowhere
    ? `${run.service} is not known to run well on any other cluster now, so it would run nowhere. Accept if that is meant, or stop this release`
    : 'the release ahead left other versions than expected';
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

function follow(run: ReleaseRun, rebased: Plan): void {
  run.plans.push(rebased);
  run.lastSequence += 1;
  run.sequences[rebased.number] = run.lastSequence;
  for (const target of run.targets) {
    const planned = rebased.targets.find(({ key }) => key === target.key);
    target.plan = rebased.number;
    target.from = planned?.from;
    // What a person has taken out while it waited stays out.
    if (target.state !== 'Skipped') {
      moveTarget(target, planned?.unchanged ? 'Unchanged' : 'Pending');
    }
  }
}

/** The same plan from other versions: only what the hash covers of the past is new. */
function rebase(plan: Plan, current: ReadonlyMap<string, CurrentRecord>): Plan {
  const targets = plan.targets.map(target => {
    const from = current.get(target.key)?.content;
    return { ...target, from, unchanged: from !== undefined && from.digest === target.to?.digest };
  });
  const same = targets.every(
    (target, index) => target.from?.digest === plan.targets[index].from?.digest,
  );
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
