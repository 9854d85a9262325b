import {
  isFinalRelease,
  type PlanStage,
  type Waiting,
} from 'backstage-plugin-multicluster-release-common';
import { cause } from './cause';
import { goesBack } from './failure';
import { stopObstacle } from './obstacles';
import { stopsOf } from './orders';
import { untrustedFleet } from './queue';
import { forwardPlan, isPutBack, scaled, currentStep, stageTargets, type Turn } from './turn';
import type { TargetRun } from './types';
import { gateCauses } from './waitingForGates';
import { startCauses } from './waitingToStart';

/** More causes than this are not told one by one. */
const MOST_CAUSES = 8;

/** Of all causes, those that are told: the blocking one is the first. */
export function toldCauses(causes: readonly Waiting[]): Waiting[] {
  return causes.slice(0, MOST_CAUSES).map((found, index) => ({ ...found, blocking: index === 0 }));
}

/**
 * Why the release waits, the most important cause first. Never empty while the
 * release is not final: a person always reads what it is waiting for.
 */
export function waitingCauses(turn: Turn): Waiting[] {
  if (isFinalRelease(turn.run.state)) {
    return unreachable(turn);
  }
  const causes = [
    ...stops(turn),
    ...orders(turn),
    ...blocked(turn),
    ...unreachable(turn),
    ...working(turn),
    ...gateCauses(turn),
    ...startCauses(turn),
  ];
  return causes.length > 0 ? causes : [stageProgress(turn)];
}

/** First of all: while one stands nothing is written there, whatever else there is to say. */
function stops(turn: Turn): Waiting[] {
  const reached = turn.run.targets.flatMap(target => stopsOf(turn, target));
  return [...new Map(reached.map(stop => [stop.id, stop])).values()].map(stop => ({
    ...stopObstacle(stop),
    blocking: false,
  }));
}

function orders(turn: Turn): Waiting[] {
  const { run } = turn;
  const found: Waiting[] = [];
  const why = untrustedFleet(turn);
  if (why !== undefined) {
    const message = `Its turn has come, and its clusters cannot be settled now: ${why}`;
    found.push(cause('clusters', run.turnCameAt ?? turn.now, message, { why }));
  } else if (run.queuedBehind !== undefined) {
    found.push(
      cause('queue', run.createdAt, `Behind release ${run.queuedBehind} of the same service`, {
        id: run.queuedBehind,
      }),
    );
  }
  if (run.planChanged) {
    const { message, since, hold } = run.planChanged;
    found.push(
      hold
        ? cause('hold', since, message, { version: hold.version, why: hold.reason })
        : cause('planChanged', since, `The plan is no longer the one previewed: ${message}`, {
            what: message,
          }),
    );
  }
  if (run.paused) {
    const { by, since, reason = '' } = run.paused;
    found.push(
      cause(
        'paused',
        since,
        `Paused by ${by}${reason ? `: ${reason}` : ''}`,
        { who: by, reason },
        { who: by },
      ),
    );
  }
  if (run.overBudget) {
    const { failed, max, since } = run.overBudget;
    found.push(
      cause(
        'budget',
        since,
        `Stopped: ${failed} failed, limit ${max} – decide: retry, skip or roll back`,
        { failed, max },
      ),
    );
  }
  return found;
}

function blocked({ run }: Turn): Waiting[] {
  if (goesBack(run)) {
    // Nobody is asked any more: what was not written stays as it is.
    return [];
  }
  return run.targets
    .filter(target => target.state === 'Blocked' && target.changedRisks)
    .map(target => {
      const what = target.changedRisks?.message ?? '';
      const since = target.phases.at(-1)?.to ?? run.createdAt;
      return cause('changed', since, `${target.cluster} has changed since the preview: ${what}`, {
        cluster: target.cluster,
        what,
      });
    });
}

function unreachable({ run }: Turn): Waiting[] {
  return run.targets
    .filter(
      target =>
        target.unreachableSince !== undefined && !['Skipped', 'Failed'].includes(target.state),
    )
    .map(target => {
      const since = target.unreachableSince ?? run.createdAt;
      return isPutBack(run, target)
        ? cause('rollbackPending', since, `${target.cluster} will be put back when it returns`, {
            cluster: target.cluster,
          })
        : cause('unreachable', since, `${target.cluster} has not reported since then`, {
            cluster: target.cluster,
            time: since,
          });
    });
}

function working(turn: Turn): Waiting[] {
  return turn.run.targets
    .filter(target => target.unreachableSince === undefined && stopsOf(turn, target).length === 0)
    .flatMap(target => targetCause(turn, target) ?? [])
    .sort((a, b) => Number(b.code === 'retry') - Number(a.code === 'retry'));
}

/** What one target waits for, also shown on its lane. */
function targetCause(turn: Turn, target: TargetRun): Waiting | undefined {
  const since = target.phases.at(-1)?.from ?? turn.run.createdAt;
  const { cluster } = target;
  if (target.retryAt !== undefined && target.retries !== undefined) {
    const params = { cluster, n: target.retries, msg: target.message ?? '', time: target.retryAt };
    return cause(
      'retry',
      since,
      `${cluster}: try ${target.retries} failed: ${target.message}`,
      params,
      {
        until: target.retryAt,
      },
    );
  }
  const step = currentStep(turn.run, target);
  if (target.state === 'Soaking' && step?.wait?.for === 'soak') {
    const until = (target.healthyAt ?? turn.now) + scaled(turn, step.wait.milliseconds);
    return cause(
      'soak',
      target.healthyAt ?? since,
      `Observing ${cluster}`,
      { cluster, time: until },
      { until },
    );
  }
  if (!['Applying', 'Verifying', 'RollingBack'].includes(target.state)) {
    return undefined;
  }
  const { ready = 0, total = 0, message = '' } = target.health;
  const params = { cluster, ready, total, msg: target.message ?? message };
  return cause('ready', since, `${ready} of ${total} pods ready on ${cluster}`, params, {
    until: target.timeoutAt,
  });
}

function stageProgress(turn: Turn): Waiting {
  const { run } = turn;
  const stages = forwardPlan(run).stages;
  const stage: PlanStage | undefined = stages[Math.min(run.stage, stages.length - 1)];
  const targets = stage ? stageTargets(run, stage) : [];
  const done = targets.filter(
    target => target.state === 'Done' || target.state === 'Unchanged',
  ).length;
  const name = stage?.name ?? '';
  const since = run.stages[run.stage]?.startedAt ?? run.createdAt;
  return cause('stage', since, `Waiting for ${name}: ${done} of ${targets.length} clusters done`, {
    stage: name,
    done,
    total: targets.length,
  });
}
