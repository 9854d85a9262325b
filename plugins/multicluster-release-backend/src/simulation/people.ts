import {
  isFinalRelease,
  type ActionName,
  type ActionRequest,
  type ActionState,
  type WaitingCode,
} from 'backstage-plugin-multicluster-release-common';
import { actionStates } from '../commands/actions/allowed';
import type { ReleaseRun } from '../decide';
import { currentStep, forwardPlan, gateSteps, isPutBack } from '../decide/turn';
import { checkAnswer } from './checkers/checkAnswer';
import { checkOrder } from './checkers/checkOrder';
import { checkSentBack, ownersOf } from './checkers/checkWayBack';
import { broughtContent, type Facts } from './checkers/facts';
import { contentsOfVersion, giveOrder, NAMESPACE } from './commands';
import { FIRST_RELEASE } from './firstRelease';
import { EVERYBODY, PLATFORM, viewerOf } from './persons';
import type { Move } from './script';
import type { Row } from './SimulatedDatabase';
import type { World } from './World';

type OrderMove = Extract<Move, { do: 'order' }>;

interface Press {
  by: string;
  action: ActionName;
  request: ActionRequest;
}

/** Somebody presses a button, for whatever reason: allowed or not, with an old page or a new one. */
export function pressButton(world: World, move: OrderMove): void {
  const rows = [...world.database.rows.values()]
    .filter(({ run }) => run.id !== FIRST_RELEASE)
    .reverse();
  const row = rows[move.nth % Math.max(1, rows.length)];
  if (!row) {
    return;
  }
  const by = EVERYBODY[move.who];
  if (!whoMay(world).includes(by)) {
    return;
  }
  const press = {
    by,
    action: move.action,
    request: requestOf(world, row, move),
  };
  give(world, row, press);
  if (move.twice) {
    give(world, row, press);
  }
}

function requestOf(world: World, { run }: Row, move: OrderMove): ActionRequest {
  const { sees, full, releaseHold, action, toVersion } = move;
  const names = [...world.clusters.keys()];
  // Clusters are skipped by name only.
  const only = action === 'skip-cluster' ? move.only ?? move.who : move.only;
  return {
    ...(sees !== 'nothing' && {
      expectedStage: sees === 'now' ? run.stage : Math.max(0, run.stage - 1),
    }),
    ...(full && { full }),
    ...(releaseHold && { releaseHold }),
    ...(toVersion !== undefined && { toVersion }),
    ...(only !== undefined && {
      targets: [{ cluster: names[only % names.length], namespace: NAMESPACE }],
    }),
  };
}

function give(world: World, row: Row, press: Press): void {
  const { by, action } = press;
  const loaded = world.database.load(row);
  const viewer = viewerOf(by);
  const request = asPageSends(loaded, press);
  const toVersion = action === 'rollback' ? request.toVersion : undefined;
  const contents = contentsOfVersion(world.database, toVersion);
  const order = { by, now: world.time.now(), request, facts: { viewer }, contents };
  world.guard(() => checkOrder(action, loaded, order));
  const owners = ownersOf(world.facts, loaded);
  const end = giveOrder(world.database, row, action, order);
  const word = typeof end === 'string' ? end : `made ${end.created.run.id}`;
  world.note(`${by} orders ${action} ${row.run.id} ${JSON.stringify(request)}: ${word}`);
  if (action === 'rollback' && isFinalRelease(loaded.state)) {
    const created = typeof end === 'object' ? end.created : undefined;
    world.guard(() => checkSentBack({ run: loaded, request, owners, created }, world.facts));
  }
  if (typeof end === 'object') {
    world.facts.approved.add(end.created.run.plans[0].hash);
  } else if (end === 'changed') {
    world.guard(() => checkAnswer({ action, by, before: loaded, after: row.run }));
    recordAnswer(world, loaded, row.run, { by, action, request });
  }
  world.wakeAll(row.run.id);
}

/** With the question that is answered, and the plan that was looked at. */
function asPageSends(run: ReleaseRun, { by, action, request }: Press): ActionRequest {
  const { params } = actionStates(run, { viewer: viewerOf(by) })[action];
  const isOfGate = action === 'approve' || action === 'skip-gate';
  return {
    ...request,
    ...(isOfGate && params?.gate !== undefined && { gate: String(params.gate) }),
    ...(action === 'approve' && { planHash: forwardPlan(run).hash }),
    ...(action === 'accept' && hashesOf(params)),
  };
}

/** Of all that the page shows to be accepted. */
function hashesOf(params: ActionState['params'] = {}): ActionRequest {
  const { planHash, risksHash } = params;
  return {
    ...(planHash !== undefined && { planHash: String(planHash) }),
    ...(risksHash !== undefined && { risksHash: String(risksHash) }),
  };
}

/** What people have agreed to, kept apart from the run. */
function recordAnswer(
  { facts, time }: World,
  run: ReleaseRun,
  after: ReleaseRun,
  { by, action, request: { full, gate, toVersion, targets: named } }: Press,
): void {
  if (action === 'rollback' && toVersion !== undefined) {
    noteWanted(facts, run, { version: toVersion, named });
  }
  if (action === 'accept' && run.planChanged) {
    facts.accepted.add(run.id);
    facts.approved.add(run.planChanged.hash);
  }
  if (action === 'approve') {
    const key = `${run.id}/${gate}`;
    facts.votes.set(key, [...(facts.votes.get(key) ?? []), { by, at: time.now() }]);
  }
  if (action === 'skip-wait' || action === 'skip-gate') {
    const known = run.stages.flatMap(({ skipped = [] }) => skipped).length;
    after.stages
      .flatMap(({ skipped = [] }) => skipped)
      .slice(known)
      .flatMap(({ stepId }) => whatIsAt(run, stepId))
      .forEach(key => facts.skipped.set(key, time.now()));
  }
  if (action === 'retry') {
    forgetAnswers(facts, run, after);
  }
  if (action === 'promote') {
    run.stages
      .filter(({ index }) => index === run.stage || (full === true && index > run.stage))
      .forEach(({ index }) => facts.promoted.add(`${run.id}/${index}`));
  }
}

/** Those that this order sends back go to that version; who was sent back before is on its way. */
function noteWanted(
  facts: Facts,
  run: ReleaseRun,
  { version, named }: { version: string; named: ActionRequest['targets'] },
): void {
  const isNamed = (cluster: string) => !named || named.some(target => target.cluster === cluster);
  run.targets
    .filter(target => target.touched && !target.skip && !isPutBack(run, target))
    .filter(({ cluster }) => isNamed(cluster))
    .forEach(({ key }) => {
      facts.wanted.set(`${run.id}/${key}`, broughtContent(facts, key, version) ?? 'nothing');
    });
}

/** The stage's own step, or the targets that are at this step of their track now. */
function whatIsAt(run: ReleaseRun, stepId: string): string[] {
  const { stages } = forwardPlan(run);
  const step = stages.flatMap(({ steps }) => steps).find(({ id }) => id === stepId);
  return step?.scope === 'stage'
    ? [`${run.id}/${stepId}`]
    : run.targets
        .filter(target => !isPutBack(run, target) && currentStep(run, target)?.id === stepId)
        .map(({ key }) => `${run.id}/${stepId}/${key}`);
}

/** Whoever answered has seen the last attempt of the stage's clusters only. */
function forgetAnswers(facts: Facts, run: ReleaseRun, after: ReleaseRun): void {
  const stage = forwardPlan(run).stages[run.stage];
  const isTheirs = run.targets.some(
    ({ key, state }, nth) =>
      state === 'Failed' &&
      after.targets[nth].state !== 'Failed' &&
      (stage?.targets.length === 0 || stage?.targets.includes(key)),
  );
  if (!stage || !isTheirs) {
    return;
  }
  facts.promoted.delete(`${run.id}/${stage.index}`);
  for (const { id } of gateSteps(stage).filter(({ when }) => when !== 'before')) {
    facts.votes.delete(`${run.id}/${id}`);
    facts.skipped.delete(`${run.id}/${id}`);
  }
}

const ANSWERS: Partial<Record<WaitingCode, ActionName[]>> = {
  changed: ['accept'],
  planChanged: ['accept'],
  hold: ['accept'],
  paused: ['resume'],
  promote: ['promote'],
  approval: ['approve'],
  'metric.undecided': ['skip-gate'],
  budget: ['rollback', 'abort'],
};

/** After the faults a person reads what every release waits for, and answers what a person is asked. */
export function answerAll(world: World): void {
  for (const row of world.database.active()) {
    const asked = row.run.waiting.find(({ code }) => ANSWERS[code]);
    if (asked) {
      const again = asked.code === 'budget' && world.triesAgain(row.run.id);
      answer(world, row, [
        ...(again ? (['retry'] as const) : []),
        ...(ANSWERS[asked.code] ?? []),
        // Of whom it is asked nobody may answer any more.
        ...(asked.code === 'approval' && !world.hasEntity ? (['skip-gate'] as const) : []),
      ]);
    }
  }
}

/** Of a service without an entity nobody is the owner. */
function whoMay({ hasEntity }: World): string[] {
  return hasEntity ? EVERYBODY : [PLATFORM];
}

/** Whoever may gives the first of these orders that is offered. */
function answer(world: World, row: Row, actions: ActionName[]): void {
  for (const action of actions) {
    for (const by of whoMay(world)) {
      const state = actionStates(row.run, { viewer: viewerOf(by) })[action];
      if (state.allowed) {
        const { expectedStage } = state;
        give(world, row, { by, action, request: { expectedStage, releaseHold: true } });
        return;
      }
    }
  }
}
