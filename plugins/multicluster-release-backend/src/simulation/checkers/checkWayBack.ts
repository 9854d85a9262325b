import {
  isFinalRelease,
  type ActionRequest,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide';
import { forwardPlan, isPutBack } from '../../decide/turn';
import type { Row } from '../SimulatedDatabase';
import { broughtContent, planned, targetOf, wayBackOf, type Facts, type Target } from './facts';
import { violation } from './violation';

export interface SentBack {
  /** The release that has ended, as it was when it was sent back. */
  run: ReleaseRun;
  request: ActionRequest;
  /** By target, then: the release that wrote there last, or is to. */
  owners: ReadonlyMap<TargetKey, string>;
  /** The release that goes back; undefined: refused. */
  created: Row | undefined;
}

/** Who wrote to each target of the release last, by sequence; a release that has not ended owns what it plans. */
export function ownersOf({ database }: Facts, { targets }: ReleaseRun): Map<TargetKey, string> {
  const rows = [...database.rows.values()];
  return new Map(
    targets.map(({ key }) => {
      const last = (row: Row) => sequenceAt(row.run, key);
      const active = database.active().find(({ run }) => planned(run, key));
      const writer = rows.reduce((one, other) => (last(other) > last(one) ? other : one));
      return [key, (active ?? writer).run.id];
    }),
  );
}

function sequenceAt({ targets, sequences }: ReleaseRun, key: TargetKey): number {
  const target = targets.find(candidate => candidate.key === key);
  return target?.touched ? target.sequence ?? sequences[target.plan] : 0;
}

/** What has ended goes back to what was recorded before it, or to the version of choice: all that bears it, and nothing else. */
export function checkSentBack(sent: SentBack, facts: Facts): void {
  const { run, created, owners } = sent;
  const plan = created && forwardPlan(created.run);
  for (const { key, to } of plan?.targets ?? []) {
    const target = run.targets.find(candidate => candidate.key === key);
    const expected = target && contentOfChoice(sent, target, facts);
    if (!expected || to?.digest !== expected) {
      violation(
        'a rollback goes to the recorded content',
        `${key} of ${run.id} is sent to ${to?.digest}, not ${expected}`,
      );
    }
  }
  for (const { key } of plan?.targets ?? []) {
    const owner = owners.get(key) ?? run.id;
    // Who is still on its way there goes first, and what it leaves is judged then.
    const isOver = isFinalRelease(facts.database.row(owner).run.state);
    const other = contentOfOwner(facts, owner, key) !== planned(run, key)?.to?.digest;
    if (owner !== run.id && isOver && other) {
      violation('a newer release keeps what it owns', `${key} of ${run.id}, which ${owner} has`);
    }
  }
  const missing = run.targets
    .filter(target => isToGo(sent, target, facts))
    .filter(({ key }) => !plan?.targets.some(target => target.key === key));
  if (missing.length > 0 && !isHeld(sent, missing, facts)) {
    violation(
      'all that bears a release goes back with it',
      `${missing.map(({ key }) => key).join(', ')} of ${run.id} would stay`,
    );
  }
}

function contentOfChoice(
  { run, request }: SentBack,
  target: Target,
  facts: Facts,
): string | undefined {
  const { toVersion, targets } = request;
  const isNamed = !targets || targets.some(({ cluster }) => cluster === target.cluster);
  if (!isNamed) {
    return undefined;
  }
  return toVersion === undefined
    ? facts.before.get(`${run.id}/${target.key}`)
    : broughtContent(facts, target.key, toVersion);
}

function contentOfOwner(facts: Facts, id: string, key: TargetKey): string | undefined {
  const { run } = facts.database.row(id);
  const target = targetOf(run, key);
  return target && isPutBack(run, target)
    ? wayBackOf(facts, run, key)
    : planned(run, key)?.to?.digest;
}

/**
 * It bears what the release brought, nobody else has written there since, and there
 * is somewhere to go. Who had no version before is offered no way back.
 */
function isToGo(sent: SentBack, target: Target, facts: Facts): boolean {
  const { run, owners } = sent;
  const to = contentOfChoice(sent, target, facts);
  const brought = planned(run, target.key)?.to?.digest;
  const isBack = isPutBack(run, target) && target.state !== 'Failed';
  return (
    target.touched &&
    !isBack &&
    owners.get(target.key) === run.id &&
    facts.before.get(`${run.id}/${target.key}`) !== undefined &&
    to !== undefined &&
    to !== brought
  );
}

/** It was refused because where it would go to is on hold, or because it was sent back already. */
function isHeld({ created, request, run }: SentBack, missing: Target[], facts: Facts): boolean {
  const { database } = facts;
  const versions = missing.map(
    ({ key }) => request.toVersion ?? wayBackOf(facts, run, key)?.split('@')[0],
  );
  const held = versions.some(version => version !== undefined && database.holds.has(version));
  const isBack = database.row(run.id).rolledBackBy !== undefined;
  return created === undefined && ((held && !request.releaseHold) || isBack);
}
