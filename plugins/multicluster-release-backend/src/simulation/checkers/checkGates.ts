import type { PlanStage, PlanStep } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide';
import { forwardPlan, isPutBack } from '../../decide/turn';
import { lastGlance } from '../SimulatedObserver';
import { standsStill } from './checkBounds';
import { newlyTouched, planned, targetOf, type Facts, type Target } from './facts';
import { violation } from './violation';

/** No step before its predecessors' gates have passed with fresh evidence, and no target left out. */
export function checkGates(before: ReleaseRun, after: ReleaseRun, facts: Facts): void {
  const { stages } = forwardPlan(after);
  for (const target of newlyTouched(before, after)) {
    const stage = stages.find(({ targets }) => targets.includes(target.key));
    if (stage && stage.index > after.stage) {
      violation(
        'stages in order',
        `${target.key} of stage ${stage.index} started while the release is at stage ${after.stage}`,
      );
    }
    stage?.steps
      .filter(({ when }) => when === 'before')
      .forEach(step => checkAnswered(after, stage, step, facts));
  }
  if (after.stage < before.stage) {
    violation('stages in order', `stage ${before.stage} became ${after.stage}`);
  }
  if (after.stage === before.stage || after.targets.every(({ state }) => state === 'Unchanged')) {
    return;
  }
  const stop = standsStill(before, after);
  if (stop) {
    violation('no stage is passed while held', `stage ${before.stage} was passed although ${stop}`);
  }
  stages.slice(before.stage, after.stage).forEach(stage => checkPassed(after, stage, facts));
}

const BEHIND = new Set([
  'Done',
  'Unchanged',
  'Skipped',
  'Failed',
  'RolledBack',
  'RollbackPending',
  'RollbackImpossible',
]);

/** An observer looks once in this time. */
const GLANCE_MILLISECONDS = 1_000;

function checkPassed(run: ReleaseRun, stage: PlanStage, facts: Facts): void {
  const own = run.targets.filter(({ key }) => stage.targets.includes(key));
  const { policy } = forwardPlan(run).rules.offline;
  for (const { key, state } of own) {
    if (!BEHIND.has(state) && !(state === 'Offline' && policy === 'Skip')) {
      violation('no target skipped', `stage ${stage.name} was passed while ${key} is ${state}`);
    }
  }
  for (const step of stage.steps.filter(({ scope }) => scope === 'stage')) {
    checkAnswered(run, stage, step, facts);
  }
  const watched = own.length > 0 ? own : run.targets;
  const excused = (target: Target) => target.unreachableSince !== undefined && policy === 'Skip';
  for (const target of watched.filter(({ state, touched }) => touched && state === 'Done')) {
    if (!excused(target)) {
      const to = facts.clusters.get(target.cluster)?.knownAt(lastGlance(facts.now()));
      const within = facts.freshMilliseconds + GLANCE_MILLISECONDS;
      assertHealthy(run, target, facts, { within, to, what: `stage ${stage.name} was passed` });
      checkSoaked(run, target, stage, facts);
    }
  }
}

/** Who is asked has answered: kept apart from the run. */
function checkAnswered(run: ReleaseRun, stage: PlanStage, step: PlanStep, facts: Facts): void {
  if (facts.skipped.has(`${run.id}/${step.id}`)) {
    return;
  }
  if (step.wait?.for === 'promotion' && !facts.promoted.has(`${run.id}/${stage.index}`)) {
    violation('no gate is passed by itself', `nobody promoted stage ${stage.name}`);
  }
  if (step.instruction !== 'approve') {
    return;
  }
  const { required = 1, selfApproval, expiresMilliseconds = Infinity } = step.approve ?? {};
  const passedAt = run.stages[stage.index].approvals?.find(
    ({ stepId }) => stepId === step.id,
  )?.passedAt;
  const votes = (facts.votes.get(`${run.id}/${step.id}`) ?? []).filter(
    ({ by, at }) =>
      (selfApproval || by !== run.startedBy) &&
      passedAt !== undefined &&
      passedAt - at <= expiresMilliseconds,
  );
  if (new Set(votes.map(({ by }) => by)).size < required) {
    violation('no gate is passed by itself', `too few people approved stage ${stage.name}`);
  }
}

/** The cool-down is over for every cluster, counted from when the new content was first healthy there. */
function checkSoaked(run: ReleaseRun, target: Target, stage: PlanStage, facts: Facts): void {
  const soaks = stage.steps.flatMap(({ id, wait }) =>
    wait?.for === 'soak' && !facts.skipped.has(`${run.id}/${id}`) ? [wait.milliseconds] : [],
  );
  const longest = Math.max(0, ...soaks);
  const digest = planned(run, target.key)?.to?.digest ?? '';
  const cluster = facts.clusters.get(target.cluster);
  const first = cluster?.firstHealthyAfter(digest, target.writtenAt ?? 0);
  if (longest > 0 && (first === undefined || facts.now() - first < longest)) {
    violation(
      'a cool-down lasts as long as it says',
      `stage ${stage.name} was passed ${
        first === undefined ? 'before' : `${facts.now() - first} ms after`
      } ${target.key} was healthy, not ${longest} ms`,
    );
  }
}

/** Done and put back mean: healthy on that content, seen lately. */
export function checkEvidence(before: ReleaseRun, after: ReleaseRun, facts: Facts): void {
  for (const target of after.targets) {
    const was = targetOf(before, target.key)?.state;
    const proven = target.state === 'Done' || target.state === 'RolledBack';
    if (proven && was !== target.state && target.touched) {
      // What is removed after the proof takes its time.
      const within = 2 * facts.freshMilliseconds;
      const to = facts.now();
      assertHealthy(after, target, facts, { within, to, what: `became ${target.state}` });
    }
  }
}

function assertHealthy(
  run: ReleaseRun,
  target: Target,
  facts: Facts,
  { within, to, what }: { within: number; to: number | undefined; what: string },
): void {
  const plan = isPutBack(run, target)
    ? run.plans.find(({ number }) => number === target.plan)
    : forwardPlan(run);
  const digest = plan?.targets.find(({ key }) => key === target.key)?.to?.digest;
  const from = facts.now() - within;
  const cluster = facts.clusters.get(target.cluster);
  if (digest === undefined) {
    return;
  }
  if (to === undefined || !cluster?.wasHealthyBetween(digest, from, to)) {
    violation(
      'fresh evidence before advancing',
      `${what}, but ${target.key} was not healthy on ${digest} lately`,
    );
  }
}
