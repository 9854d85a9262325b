import {
  isFinalRelease,
  type ActionName,
  type ActionRequest,
  type WaitingCode,
} from 'backstage-plugin-multicluster-release-common';
import { actionStates } from '../commands/actions/allowed';
import type { ReleaseRun } from '../decide';
import { checkOrder } from './checkers/checkOrder';
import { giveOrder, NAMESPACE } from './commands';
import type { Move } from './script';
import type { Row } from './SimulatedDatabase';
import type { World } from './World';

const SOMEBODY = 'user:default/ann';

type OrderMove = Extract<Move, { do: 'order' }>;

/** Somebody presses a button, for whatever reason: allowed or not, with an old page or a new one. */
export function pressButton(world: World, move: OrderMove): void {
  const rows = [...world.database.rows.values()].reverse();
  const row = rows[move.nth % Math.max(1, rows.length)];
  if (!row) {
    return;
  }
  const { action, sees, full, only, releaseHold } = move;
  const names = [...world.clusters.keys()];
  const request: ActionRequest = {
    ...(sees !== 'nothing' && {
      expectedStage: sees === 'now' ? row.run.stage : Math.max(0, row.run.stage - 1),
    }),
    ...(full && { full }),
    ...(releaseHold && { releaseHold }),
    ...(only !== undefined && {
      targets: [{ cluster: names[only % names.length], namespace: NAMESPACE }],
    }),
  };
  give(world, row, action, request);
  if (move.twice) {
    give(world, row, action, request);
  }
}

function give(world: World, row: Row, action: ActionName, request: ActionRequest): void {
  const order = { by: SOMEBODY, now: world.time.now(), request };
  const loaded = world.database.load(row);
  world.guard(() => checkOrder(action, loaded, order));
  const end = giveOrder(world.database, row, action, order);
  const word = typeof end === 'string' ? end : `made ${end.created.run.id}`;
  world.note(`a person orders ${action} ${row.run.id} ${JSON.stringify(request)}: ${word}`);
  if (typeof end === 'object') {
    world.facts.approved.add(end.created.run.plans[0].hash);
  } else if (end === 'changed') {
    recordAnswer(world, loaded, action, request);
  }
  world.wakeAll(row.run.id);
}

/** What people have agreed to, kept apart from the run. */
function recordAnswer(
  { facts }: World,
  run: ReleaseRun,
  action: ActionName,
  { full }: ActionRequest,
): void {
  if (action === 'accept' && run.planChanged) {
    facts.approved.add(run.planChanged.hash);
  }
  if (action === 'promote') {
    run.stages
      .filter(({ index }) => index === run.stage || (full === true && index > run.stage))
      .forEach(({ index }) => facts.promoted.add(`${run.id}/${index}`));
  }
}

const ANSWERS: Partial<Record<WaitingCode, ActionName[]>> = {
  changed: ['accept'],
  planChanged: ['accept'],
  hold: ['accept'],
  paused: ['resume'],
  promote: ['promote'],
  budget: ['rollback', 'abort'],
};

/** After the faults a person reads what every release waits for, and answers what a person is asked. */
export function answerAll(world: World): void {
  for (const row of world.database.active()) {
    const { waiting } = row.run;
    const asked = waiting.find(({ code }) => ANSWERS[code]);
    const answers = asked ? ANSWERS[asked.code] ?? [] : [];
    const again =
      asked?.code === 'budget' && world.triesAgain(row.run.id) ? ['retry' as const] : [];
    const states = actionStates(row.run);
    const action = [...again, ...answers].find(name => states[name].allowed);
    if (action && !isFinalRelease(row.run.state)) {
      give(world, row, action, {
        expectedStage: states[action].expectedStage,
        releaseHold: true,
      });
    }
  }
}
