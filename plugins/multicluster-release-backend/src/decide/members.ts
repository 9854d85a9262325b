import { compile, type Plan } from 'backstage-plugin-multicluster-release-common';
import { createTarget } from './createRun';
import { moveTarget } from './move';
import { sha256 } from './sha256';
import { endPhase, targetEvent, type Turn } from './turn';
import type { CurrentRecord, Reselected } from './types';

/** A queued release's plan for the clusters that its placement selects by now. */
export interface Regrouped {
  plan: Plan;
  /** Who came, went or changed its group. */
  what: string;
}

/**
 * Membership is fixed when the turn of a queued release comes (design.md section
 * 1). Undefined where the plan is for just these clusters, in these groups.
 */
export function regroup(
  planned: Plan,
  reselected: Reselected,
  current: ReadonlyMap<string, CurrentRecord>,
): Regrouped | { problem: string } | undefined {
  const { spec, selection, contents } = reselected;
  const { plan, findings } = compile({
    ...{ spec, selection, contents, sha256 },
    current: new Map([...current].map(([key, { content }]) => [key, content])),
    unproven: new Set([...current].flatMap(([key, { unproven }]) => (unproven ? key : []))),
  });
  if (!plan) {
    const faults = findings.filter(({ severity }) => severity === 'error');
    return { problem: faults.map(({ message }) => message).join(' ') };
  }
  const what = whoMoved(planned, plan);
  return what === undefined ? undefined : { plan, what };
}

function whoMoved(before: Plan, after: Plan): string | undefined {
  const old = new Map(before.targets.map(target => [target.key, target]));
  const now = new Set(after.targets.map(({ key }) => key));
  const joined = after.targets.filter(({ key }) => !old.has(key));
  const left = before.targets.filter(({ key }) => !now.has(key));
  const moved = after.targets.filter(({ key, group }) => {
    const target = old.get(key);
    return target !== undefined && target.group !== group;
  });
  const facts = [
    [joined, 'joined'],
    [left, 'left'],
    [moved, 'changed the group'],
  ] as const;
  const told = facts
    .filter(([targets]) => targets.length > 0)
    .map(([targets, verb]) => `${targets.map(({ cluster }) => cluster).join(', ')} ${verb}`);
  if (told.length > 0) {
    return `${told.join('; ')} since it was queued`;
  }
  return sameOrder(before, after) ? undefined : 'the order of the clusters changed';
}

function sameOrder(before: Plan, after: Plan): boolean {
  return after.targets.every(({ key }, index) => key === before.targets[index].key);
}

/** Takes the members of the newest plan: who left is passed over with a mark, who joined waits for its stage. */
export function takeMembers(
  turn: Turn,
  plan: Plan,
  current: ReadonlyMap<string, CurrentRecord>,
): void {
  const { run } = turn;
  const known = new Map(run.targets.map(target => [target.key, target]));
  const members = plan.targets.map(
    planned =>
      known.get(planned.key) ?? createTarget(planned, { plan, current, acceptedRisks: new Map() }),
  );
  const chosen = new Set(members.map(({ key }) => key));
  const left = run.targets.filter(({ key }) => !chosen.has(key));
  // Whom a person has left out stays left out by that person.
  for (const target of left.filter(({ state, skip }) => state !== 'Skipped' && !skip)) {
    endPhase(turn, target);
    moveTarget(target, 'Skipped');
    target.left = true;
    target.message = 'not selected any more';
    targetEvent(turn, target, 'TargetLeft', `${target.message} when the turn of the release came`);
  }
  for (const target of members) {
    const stage = plan.stages.find(({ targets }) => targets.includes(target.key));
    const planned = plan.targets.find(({ key }) => key === target.key);
    target.stage = stage?.index ?? 0;
    target.group = planned?.group;
  }
  run.targets = [...members, ...left];
  run.stages = plan.stages.map(({ index }) => run.stages[index] ?? { index });
}
