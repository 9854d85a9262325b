import {
  isFinalRelease,
  WAITING_CODES,
  type ActionName,
  type WaitingCode,
} from 'backstage-plugin-multicluster-release-common';
import { actionStates } from '../../commands/actions/allowed';
import type { ReleaseRun } from '../../decide';
import { forwardPlan, isPutBack } from '../../decide/turn';
import { EVERYBODY, PLATFORM, viewerOf } from '../persons';
import { noteSequences, rowOf, wayBackOf, type Facts } from './facts';
import { violation } from './violation';

/** Sequences only grow, plans are only added, and what has ended stays so. */
export function checkHistory(before: ReleaseRun, after: ReleaseRun, facts: Facts): void {
  noteSequences(facts, after);
  const added = after.plans.slice(before.plans.length);
  before.plans.forEach((plan, index) => {
    if (after.plans[index]?.number !== plan.number || after.plans[index].hash !== plan.hash) {
      violation('a plan is immutable', `plan ${plan.number} of ${after.id} was changed`);
    }
  });
  for (const { number, kind } of added) {
    const sequence = after.sequences[number];
    const own = kind === 'rollback' && sequence <= Math.max(...Object.values(before.sequences));
    const taken = rowOf(facts, sequence)?.run.id !== after.id;
    if (own || taken || sequence > facts.database.lastSequence) {
      violation('sequences only grow', `plan ${number} of ${after.id} has sequence ${sequence}`);
    }
  }
  const begins = before.startedAt === undefined && after.startedAt !== undefined;
  const other = facts.database.active().find(({ run }) => run.startedAt && run.id !== after.id);
  if (begins && other) {
    violation(
      'one release of a service at a time',
      `${after.id} begins while ${other.run.id} runs`,
    );
  }
  if (isFinalRelease(before.state) && after.state !== before.state) {
    violation('a final release stays so', `${before.state} became ${after.state}`);
  }
}

const ANSWERS: Partial<Record<WaitingCode, ActionName[]>> = {
  paused: ['resume'],
  budget: ['retry', 'rollback', 'abort'],
  promote: ['promote'],
  approval: ['approve'],
  changed: ['accept'],
  planChanged: ['accept'],
  hold: ['accept'],
};

/** Every release that has not ended says what it waits for, and whoever is asked can answer. */
export function checkWaiting(run: ReleaseRun, facts: Facts): void {
  if (isFinalRelease(run.state)) {
    return;
  }
  if (run.waiting.length === 0 || run.waiting.filter(({ blocking }) => blocking).length !== 1) {
    violation('every wait has a reason', `release ${run.id} is ${run.state} and says nothing`);
  }
  const people = facts.hasEntity() ? EVERYBODY : [PLATFORM];
  const offered = people.map(ref => actionStates(run, { viewer: viewerOf(ref) }));
  for (const { code, message } of run.waiting) {
    // Where the entity is gone nobody who is asked may answer: who keeps the fleet lets it go.
    const isOrphaned = code === 'approval' && !facts.hasEntity();
    const answers = isOrphaned ? (['approve', 'skip-gate'] as const) : ANSWERS[code];
    const silent = message === '' || !WAITING_CODES.includes(code);
    const canAnswer = answers?.some(action => offered.some(states => states[action].allowed));
    if (silent || canAnswer === false) {
      violation('every wait has a way out', `release ${run.id} waits for ${code}: ${message}`);
    }
  }
  const asks: [boolean, WaitingCode[]][] = [
    [run.paused !== undefined, ['paused']],
    [run.overBudget !== undefined, ['budget']],
    // Its turn has come, and the list of clusters cannot be read.
    [run.queuedBehind !== undefined, ['queue', 'clusters']],
  ];
  for (const [, codes] of asks.filter(([asked]) => asked)) {
    if (!run.waiting.some(({ code }) => codes.includes(code))) {
      violation('every wait has a reason', `release ${run.id} does not say ${codes[0]}`);
    }
  }
}

/** What the final state claims is so for every target. */
export function checkEnded(before: ReleaseRun, after: ReleaseRun, facts: Facts): void {
  if (isFinalRelease(before.state) || !isFinalRelease(after.state)) {
    return;
  }
  const { rules } = forwardPlan(after);
  const states = after.targets.map(({ key, state }) => `${key} ${state}`).join(', ');
  if (after.state === 'Succeeded') {
    const missed = after.targets.filter(({ state }) => state !== 'Done' && state !== 'Unchanged');
    const failed = missed.filter(({ failure, skip }) => failure !== undefined && !skip);
    const skipped = missed.filter(({ state, skip }) => state === 'Skipped' || skip);
    if (failed.length > rules.maxFailures || failed.length + skipped.length < missed.length) {
      violation('no target skipped', `${after.id} Succeeded with ${states}`);
    }
  }
  if (after.state === 'RolledBack') {
    checkRolledBack(after, facts, states);
  }
}

/** Every reachable cluster in scope is on its recorded content. */
function checkRolledBack(run: ReleaseRun, facts: Facts, states: string): void {
  for (const target of run.targets.filter(({ touched }) => touched)) {
    const back = isPutBack(run, target);
    const pending = target.state === 'RollbackPending' && target.unreachableSince !== undefined;
    if (target.state === 'Skipped') {
      // It left the fleet.
      continue;
    }
    if (run.rollback?.scope === 'touched' ? !back : back && target.state === 'Done') {
      violation('a rollback puts back what was touched', `${run.id} RolledBack with ${states}`);
    }
    const digest = wayBackOf(facts, run, target.key);
    const cluster = facts.clusters.get(target.cluster);
    const from = (target.healthyAt ?? facts.now()) - 2 * facts.freshMilliseconds;
    const proven =
      digest === undefined || cluster?.wasHealthyBetween(digest, from, facts.now()) === true;
    if (back && !pending && (target.state !== 'RolledBack' || !proven)) {
      violation('a rollback puts back what was touched', `${run.id} RolledBack with ${states}`);
    }
  }
}
