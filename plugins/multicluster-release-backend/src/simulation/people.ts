import { isFinalRelease } from 'backstage-plugin-multicluster-release-common';
import { retryFailed, type ReleaseRun } from '../decide';
import type { World } from './World';

type Order = (run: ReleaseRun, now: number) => void;

/*
 * Orders as the commands write them into the run. They are given in states in
 * which the commands allow them.
 */
const pause: Order = (run, now) => {
  if (!run.rollback && !run.aborted) {
    run.paused ??= { by: 'user:default/ann', since: now };
  }
};

const resume: Order = run => {
  run.paused = undefined;
};

const promote: Order = run => {
  const stage = run.stages[run.stage];
  if (stage) {
    stage.promotedBy ??= 'user:default/ann';
  }
};

const rollback: Order = (run, now) => {
  if (!run.aborted) {
    run.rollback ??= {
      by: 'user:default/ann',
      reason: 'looks wrong',
      since: now,
      scope: 'touched',
    };
  }
};

const abort: Order = (run, now) => {
  if (!run.rollback) {
    run.aborted ??= { by: 'user:default/ann', since: now };
  }
};

const retry: Order = run => {
  if (run.overBudget) {
    retryFailed(run);
  }
};

const accept: Order = run => {
  for (const target of run.targets) {
    target.acceptedRisks = [...target.acceptedRisks, ...(target.changedRisks?.risks ?? [])];
    target.changedRisks = undefined;
  }
};

/** Somebody presses a button, for whatever reason. */
export function drawOrder(world: World): void {
  const order = world.random.pick([
    pause,
    pause,
    resume,
    resume,
    promote,
    promote,
    rollback,
    abort,
    retry,
    accept,
  ]);
  give(world, order);
}

/** After the faults a person answers what a person is asked. */
export function helpfulPerson(world: World): void {
  const run = world.current();
  if (run.overBudget) {
    give(world, rollback);
  } else if (run.paused) {
    give(world, resume);
  } else if (run.targets.some(({ changedRisks }) => changedRisks)) {
    give(world, accept);
  } else if (run.waiting.some(({ code }) => code === 'promote')) {
    give(world, promote);
  }
}

function give(world: World, order: Order): void {
  if (!isFinalRelease(world.current().state)) {
    world.note(`a person orders: ${order.name}`);
    world.order(run => order(run, world.time.now()));
  }
}
