import type { Plan } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide';
import { isPutBack } from '../../decide/turn';
import { REQUEST_TIMEOUT_MILLISECONDS, type WriteRecord } from '../SimulatedHands';
import { checkStopped } from './checkControls';
import { checkForeign } from './checkRemoval';
import { planOfSequence, rowOf, wayBackOf, type Facts, type Target } from './facts';
import { violation } from './violation';
import type { Row } from '../SimulatedDatabase';

/** Asked of every request that writes, when it leaves. */
export function checkWrite(write: WriteRecord, facts: Facts): void {
  const row = rowOf(facts, write.sequence);
  if (!row) {
    violation('recorded before it is written', `no release has sequence ${write.sequence}`);
  }
  checkLease(write, row);
  const target = row.run.targets.find(({ cluster }) => cluster === write.cluster);
  if (!target?.touched) {
    violation('recorded before it is written', JSON.stringify(write));
  }
  checkApproved(write, row, target, facts);
  checkRemoval(write, facts);
  checkForeign(write, facts);
  checkStopped(write, facts);
}

/** The sender holds exactly this claim, and will until the request is over. */
function checkLease(write: WriteRecord, row: Row): void {
  const isHolder = row.holder === write.holder && row.ticket === write.ticket;
  if (!isHolder || row.until <= write.at + REQUEST_TIMEOUT_MILLISECONDS) {
    violation(
      'no write without the lease',
      `${JSON.stringify(write)} while ${row.holder} holds ticket ${row.ticket} for ${
        row.until - write.at
      } ms`,
    );
  }
}

/** What people started or accepted is what runs, and a way back leads to what the record said. */
function checkApproved(write: WriteRecord, { run }: Row, target: Target, facts: Facts): void {
  const plan = planOfSequence(facts, run, write.sequence);
  const to = plan?.targets.find(({ cluster }) => cluster === write.cluster)?.to?.digest;
  if (!plan || to !== write.digest) {
    violation('what was approved is what runs', `${JSON.stringify(write)}, planned ${to}`);
  }
  const isWayBack = plan.kind === 'rollback' && run.plans[0].kind === 'forward';
  if (isWayBack && to !== wayBackOf(facts, run, target.key)) {
    violation(
      'a rollback goes to the recorded content',
      `${target.key} goes to ${to}, recorded ${wayBackOf(facts, run, target.key)}`,
    );
  }
  if (!isWayBack && !facts.approved.has(plan.hash) && !isRebased(run, plan)) {
    violation(
      'what was approved is what runs',
      `plan ${plan.number} of ${run.id} was not accepted`,
    );
  }
  if (isWayBack && !isPutBack(run, target)) {
    violation('recorded before it is written', `${target.key} does not follow its rollback plan`);
  }
}

/** Who supersedes a running release has asked to come in wherever that one stopped. */
function isRebased({ plans: [first] }: ReleaseRun, plan: Plan): boolean {
  const contents = ({ targets }: Plan) => targets.map(({ key, to }) => `${key}=${to?.digest}`);
  return (
    plan.rules.onNewer === 'Supersede' && contents(plan).join(' ') === contents(first).join(' ')
  );
}

/** Nothing is removed without a healthy replacement. */
function checkRemoval({ kind, digest, cluster, object }: WriteRecord, facts: Facts): void {
  if (kind !== 'remove' || digest === undefined) {
    return;
  }
  const now = facts.now();
  const from = now - 2 * facts.freshMilliseconds;
  if (!facts.clusters.get(cluster)?.wasHealthyBetween(digest, from, now)) {
    violation('nothing removed without a healthy replacement', `${object} on ${cluster}`);
  }
}
