import type { PlanStage, PlanStep } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide';
import { forwardPlan, isPutBack, isResting } from '../../decide/turn';
import { lastGlance } from '../SimulatedObserver';
import { isAsked } from './checkAnswer';
import { checkReadings } from './checkMetrics';
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
  stages
    .slice(before.stage, after.stage)
    .forEach(stage => checkPassed(before, after, stage, facts));
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

function checkPassed(before: ReleaseRun, run: ReleaseRun, stage: PlanStage, facts: Facts): void {
  const own = run.targets.filter(({ key }) => stage.targets.includes(key));
  const { policy } = forwardPlan(run).rules.offline;
  for (const target of own) {
    const { key, state } = target;
    const isAtWeight = isWeightOf(run, target, stage);
    if (!BEHIND.has(state) && !isAtWeight && !(state === 'Offline' && policy === 'Skip')) {
      violation('no target skipped', `stage ${stage.name} was passed while ${key} is ${state}`);
    }
  }
  for (const step of stage.steps.filter(({ scope }) => scope === 'stage')) {
    checkAnswered(run, stage, step, facts);
  }
  const watched = own.length > 0 ? own : run.targets;
  for (const target of watched.filter(({ touched }) => touched)) {
    const weighted = isWeightOf(run, target, stage);
    const isExcused =
      (target.unreachableSince !== undefined && policy === 'Skip') ||
      !facts.fleet.isListed(target.cluster);
    // Of what is taken away there is no health to prove.
    const brings = planned(run, target.key)?.to !== undefined;
    if (brings && (target.state === 'Done' || weighted) && !isExcused) {
      const since = target.writtenAt ?? targetOf(before, target.key)?.writtenAt ?? 0;
      checkProven(run, target, { stage, weighted, since }, facts);
    }
  }
}

interface Passed {
  stage: PlanStage;
  /** Only a copy is there, beside what ran before. */
  weighted: boolean;
  /** The first write of this attempt. */
  since: number;
}

function checkProven(run: ReleaseRun, target: Target, passed: Passed, facts: Facts): void {
  const { stage, weighted } = passed;
  const to = facts.clusters.get(target.cluster)?.knownAt(lastGlance(facts.now()));
  const within = facts.freshMilliseconds + GLANCE_MILLISECONDS;
  const what = `stage ${stage.name} was passed`;
  assertHealthy(run, target, facts, { within, to, weighted, what });
  checkSoaked(run, target, passed, facts);
  checkJobs(run, target, passed, facts);
  const isOpen = (step: PlanStep) =>
    !isLetGo(run, { step, key: target.key, since: passed.since }, facts);
  checkReadings(run, target, { ...passed, gates: stage.steps.filter(isOpen) }, facts);
}

/** At its weight, or on its way from there: the next stage may take it further in the same turn. */
function isWeightOf(run: ReleaseRun, target: Target, stage: PlanStage): boolean {
  const isFurther = stage.targets.includes(target.key) && target.stage > stage.index;
  return isResting(run, target) || (bringsWeight(stage) && isFurther && !isPutBack(run, target));
}

function bringsWeight({ steps }: PlanStage): boolean {
  return steps.some(({ instruction }) => instruction === 'weight');
}

/** Jobs have ended well since the first write of this attempt, unless a person let them go. */
function checkJobs(run: ReleaseRun, { key, cluster }: Target, passed: Passed, facts: Facts): void {
  const { stage, since } = passed;
  const asksJobs = stage.steps.some(
    step => step.jobs !== undefined && !isLetGo(run, { step, key, since }, facts),
  );
  const jobs = facts.clusters.get(cluster)?.passedJobs ?? [];
  if (asksJobs && stage.targets.includes(key) && !jobs.some(({ at }) => at >= since)) {
    violation('no gate is passed by itself', `no Job of ${stage.name} ended well on ${key}`);
  }
}

interface Walked {
  step: PlanStep;
  key: string;
  /** The first write of this attempt. */
  since: number;
}

/** A person let it go: for the stage, or for this very target in this very attempt. */
function isLetGo({ id }: ReleaseRun, { step, key, since }: Walked, { skipped }: Facts): boolean {
  return step.scope === 'stage'
    ? skipped.has(`${id}/${step.id}`)
    : (skipped.get(`${id}/${step.id}/${key}`) ?? -1) >= since;
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
  const { required = 1, from, selfApproval, expiresMilliseconds = Infinity } = step.approve ?? {};
  const passedAt = run.stages[stage.index].approvals?.find(
    ({ stepId }) => stepId === step.id,
  )?.passedAt;
  const votes = (facts.votes.get(`${run.id}/${step.id}`) ?? []).filter(
    ({ by, at }) =>
      isAsked(by, from) &&
      (selfApproval || by !== run.startedBy) &&
      passedAt !== undefined &&
      passedAt - at <= expiresMilliseconds,
  );
  if (new Set(votes.map(({ by }) => by)).size < required) {
    violation('no gate is passed by itself', `too few people approved stage ${stage.name}`);
  }
}

/** The cool-down is over for every cluster, counted from when the new content was first healthy there. */
function checkSoaked(run: ReleaseRun, target: Target, passed: Passed, facts: Facts): void {
  const { stage, weighted, since } = passed;
  const { key } = target;
  const soaks = stage.steps.flatMap(step =>
    step.wait?.for === 'soak' && !isLetGo(run, { step, key, since }, facts)
      ? [step.wait.milliseconds]
      : [],
  );
  const longest = Math.max(0, ...soaks);
  const digest = planned(run, target.key)?.to?.digest ?? '';
  const cluster = facts.clusters.get(target.cluster);
  const first = cluster?.firstHealthyAfter(digest, since, weighted);
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

interface Proof {
  /** Milliseconds from the newest evidence that counts to now. */
  within: number;
  /** Of which time an observer knows; undefined: of none. */
  to: number | undefined;
  what: string;
  /** Of the copy beside what ran before. */
  weighted?: boolean;
}

function assertHealthy(
  run: ReleaseRun,
  target: Target,
  facts: Facts,
  { within, to, what, weighted = false }: Proof,
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
  if (to === undefined || !cluster?.wasHealthyBetween(digest, from, to, weighted)) {
    violation(
      'fresh evidence before advancing',
      `${what}, but ${target.key} was not healthy on ${digest} lately`,
    );
  }
}
