import { isFinalRelease } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../decide';
import { forwardPlan, isPutBack } from '../decide/turn';
import type { SimulatedCluster, WriteRecord } from './SimulatedCluster';
import type { SimulatedDatabase } from './SimulatedStore';

/** A rule of design.md section 4 was broken. The seed replays it. */
export class Violation extends Error {
  override name = 'Violation';
}

function violation(rule: string, detail: string): never {
  throw new Violation(`${rule}: ${detail}`);
}

/** No write without the lease: the sender held exactly this claim when its write landed. */
export function checkWrite(write: WriteRecord, database: SimulatedDatabase): void {
  const row = database.row(write.releaseId);
  if (row.holder !== write.holder || row.ticket !== write.ticket || row.until <= write.at) {
    violation(
      'no write without the lease',
      `${JSON.stringify(write)} while ${row.holder} holds ticket ${row.ticket}`,
    );
  }
  const recorded = row.run.targets.find(target => target.cluster === write.cluster);
  if (!recorded?.touched) {
    violation('recorded before it is written', JSON.stringify(write));
  }
}

export function checkCommit(
  before: ReleaseRun,
  after: ReleaseRun,
  clusters: ReadonlyMap<string, SimulatedCluster>,
  now: number,
  freshMilliseconds: number,
): void {
  checkConcurrency(before, after);
  checkBudget(before, after);
  checkAdvance(before, after, clusters, now, freshMilliseconds);
  checkDone(before, after, clusters, now, freshMilliseconds);
  checkWaiting(after);
}

const IN_FLIGHT = new Set(['Applying', 'Verifying', 'Soaking']);

function inFlight(run: ReleaseRun, keys: string[]): number {
  return run.targets.filter(
    target =>
      keys.includes(target.key) &&
      IN_FLIGHT.has(target.state) &&
      target.unreachableSince === undefined,
  ).length;
}

/** The bound is on what is started: clusters that come back from an outage may exceed it for a while. */
function checkConcurrency(before: ReleaseRun, after: ReleaseRun): void {
  if (isFinalRelease(after.state)) {
    return;
  }
  for (const stage of forwardPlan(after).stages) {
    const started = after.targets.filter(
      target =>
        stage.targets.includes(target.key) &&
        target.touched &&
        !before.targets.find(({ key }) => key === target.key)?.touched,
    );
    const used = inFlight(after, stage.targets);
    const returned = after.targets.filter(
      target =>
        before.targets.find(({ key }) => key === target.key)?.unreachableSince !== undefined,
    ).length;
    if (started.length > 0 && used > stage.concurrency + returned) {
      violation(
        'concurrency',
        `${used} in flight in stage ${stage.name}, bound ${stage.concurrency}`,
      );
    }
  }
}

/** Above the limit nothing new is started, unless the policy says Continue. */
function checkBudget(before: ReleaseRun, after: ReleaseRun): void {
  const { rules } = forwardPlan(after);
  const failures = before.targets.filter(target => target.failure !== undefined).length;
  if (
    failures <= rules.maxFailures ||
    rules.onFailure === 'Continue' ||
    isFinalRelease(before.state)
  ) {
    return;
  }
  for (const target of after.targets) {
    const was = before.targets.find(({ key }) => key === target.key);
    if (target.touched && !was?.touched) {
      violation(
        'failure bound',
        `${target.key} was started after ${failures} failures, limit ${rules.maxFailures}`,
      );
    }
  }
}

/** No stage is passed without fresh evidence: every done cluster was healthy on the new content lately. */
function checkAdvance(
  before: ReleaseRun,
  after: ReleaseRun,
  clusters: ReadonlyMap<string, SimulatedCluster>,
  now: number,
  freshMilliseconds: number,
): void {
  if (after.stage <= before.stage) {
    return;
  }
  const { rules, stages } = forwardPlan(after);
  for (const stage of stages.slice(before.stage, after.stage)) {
    for (const target of after.targets) {
      const excused = target.unreachableSince !== undefined && rules.offline.policy === 'Skip';
      if (!stage.targets.includes(target.key) || target.state !== 'Done' || excused) {
        continue;
      }
      assertHealthyLately(
        after,
        target.key,
        clusters,
        now,
        freshMilliseconds,
        `stage ${stage.name} was passed`,
      );
    }
  }
}

function checkDone(
  before: ReleaseRun,
  after: ReleaseRun,
  clusters: ReadonlyMap<string, SimulatedCluster>,
  now: number,
  freshMilliseconds: number,
): void {
  for (const target of after.targets) {
    const was = before.targets.find(({ key }) => key === target.key);
    if (target.state === 'Done' && was?.state !== 'Done') {
      assertHealthyLately(
        after,
        target.key,
        clusters,
        now,
        freshMilliseconds,
        `${target.key} became Done`,
      );
    }
  }
}

function assertHealthyLately(
  run: ReleaseRun,
  key: string,
  clusters: ReadonlyMap<string, SimulatedCluster>,
  now: number,
  freshMilliseconds: number,
  what: string,
): void {
  const planned = forwardPlan(run).targets.find(target => target.key === key);
  const cluster = clusters.get(planned?.cluster ?? '');
  if (!cluster?.wasHealthyBetween(planned?.to?.digest ?? '', now - 2 * freshMilliseconds, now)) {
    violation(
      'fresh evidence before advancing',
      `${what}, but ${key} was not healthy on its new content lately`,
    );
  }
}

/** Every release ends or says what it waits for. */
function checkWaiting(run: ReleaseRun): void {
  if (!isFinalRelease(run.state) && run.waiting.length === 0 && run.startedAt !== undefined) {
    violation('every wait has a reason', `release ${run.id} is ${run.state} and says nothing`);
  }
}

/** What must hold when all faults are over and the release has ended. */
export function checkEnd(run: ReleaseRun, clusters: ReadonlyMap<string, SimulatedCluster>): void {
  if (!isFinalRelease(run.state)) {
    violation('every release ends', `${run.state}, waiting for ${JSON.stringify(run.waiting)}`);
  }
  for (const target of run.targets) {
    const planned = forwardPlan(run).targets.find(({ key }) => key === target.key);
    const live = clusters.get(target.cluster)?.digest();
    const wanted = isPutBack(run, target) ? planned?.from?.digest : planned?.to?.digest;
    if (['Done', 'RolledBack'].includes(target.state) && live !== wanted) {
      violation(
        'what the record says is what runs',
        `${target.key} is ${target.state} but runs ${live}, not ${wanted}`,
      );
    }
    if (!target.touched && live !== planned?.from?.digest) {
      violation('untouched means untouched', `${target.key} runs ${live}`);
    }
  }
  if (run.state === 'RolledBack' && run.targets.some(target => target.state === 'Done')) {
    const scope = run.rollback?.scope;
    if (scope === 'touched') {
      violation(
        'rollback puts back what it touched',
        JSON.stringify(run.targets.map(({ key, state }) => [key, state])),
      );
    }
  }
}
