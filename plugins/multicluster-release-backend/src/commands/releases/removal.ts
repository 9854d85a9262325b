/*
 * How a service is taken off a cluster, without the database: what goes, whether
 * it may, and the release that does it. Pure.
 */
import { NotFoundError } from '@backstage/errors';
import {
  compileRollback,
  targetKey,
  type Finding,
  type Plan,
  type PlanRules,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { createRun } from '../../decide/createRun';
import { stateEvents } from '../../decide/move';
import { sha256 } from '../../decide/sha256';
import type { RunEvent } from '../../decide/types';
import type { NewRelease, RunningRecord } from '../../store';
import { currentRecords } from '../../store/currentRecords';
import type { Actor } from '../CommandContext';
import { DocumentsRefusedError } from '../errors';

export interface RemovalRequest {
  /** Entity ref. */
  service: string;
  cluster: string;
  /** Undefined: every namespace of the service there. */
  namespace?: string;
  /** The caller knows that it then runs nowhere. */
  last?: boolean;
}

export interface RemovalOrder extends RemovalRequest {
  actor: Actor;
  reason: string;
}

/** @throws NotFoundError where our record knows nothing of the service there */
export function leavingRecords(
  running: RunningRecord[],
  { service, cluster, namespace }: RemovalRequest,
): RunningRecord[] {
  const found = running.filter(
    record =>
      record.cluster === cluster && (namespace === undefined || record.namespace === namespace),
  );
  if (found.length === 0) {
    const clusters = [...new Set(running.map(record => record.cluster))].sort().join(', ');
    throw new NotFoundError(
      `${service} does not run on ${cluster} by our record; it runs on ${
        clusters || 'no cluster'
      }.`,
    );
  }
  return found;
}

export interface Remaining {
  running: RunningRecord[];
  /** What this order takes away. */
  leaving: RunningRecord[];
  /** What others are taking away. */
  elsewhere: TargetKey[];
  /** Whether a cluster is known to answer now. */
  isWell(cluster: string): boolean;
}

/** Nothing is removed until a replacement exists and is healthy (C01). */
export function replacementFindings(
  { running, leaving, elsewhere, isWell }: Remaining,
  { service, cluster, last }: RemovalRequest,
): Finding[] {
  const others = running.filter(
    record =>
      !leaving.some(
        left => left.cluster === record.cluster && left.namespace === record.namespace,
      ) &&
      !elsewhere.includes(targetKey(record)) &&
      record.observedSequence !== undefined &&
      record.observedSequence === record.wantedSequence &&
      isWell(record.cluster),
  );
  if (others.length > 0) {
    return [];
  }
  return [
    {
      severity: last ? 'warning' : 'error',
      code: 'NoEligibleCluster',
      params: { service, cluster },
      message: `${service} runs on no other cluster that is known to be well: it would run nowhere. Bring it to another cluster first, or say that this is meant (last=true).`,
      cluster,
    },
  ];
}

/** @throws DocumentsRefusedError */
export function refuseRemoval(findings: Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    throw new DocumentsRefusedError(
      errors[0].code,
      errors.map(({ code, message, cluster }) => ({ code, message, cluster })),
    );
  }
}

export interface NewRemovalInput extends Pick<Remaining, 'leaving' | 'isWell'> {
  order: RemovalOrder;
  id: string;
  now: number;
}

/** Its `begin` throws DocumentsRefusedError where the service would by then run nowhere. */
export function removalRelease(input: NewRemovalInput): Pick<NewRelease, 'plan' | 'begin'> {
  const { order, leaving, isWell, id, now } = input;
  const plan = removalPlan(order, leaving);
  const startedBy = order.actor.onBehalfOf ?? order.actor.ref;
  return {
    plan,
    begin: ({ sequence, queuedBehind, running, leaving: elsewhere }) => {
      // Asked again with the service locked: another one may have left, or be leaving, meanwhile.
      refuseRemoval(replacementFindings({ running, leaving, elsewhere, isWell }, order));
      const current = currentRecords(running);
      const acceptedRisks = new Map();
      const run = createRun({
        ...{ id, plan, sequence, current, acceptedRisks, queuedBehind, startedBy, now },
      });
      return { run, events: [createdEvent(plan, order), ...stateEvents(run)] };
    },
  };
}

const TEN_MINUTES = 600_000;
const RULES: PlanRules = {
  maxFailures: 0,
  onFailure: 'Pause',
  retries: 0,
  rollbackOn: [],
  offline: { policy: 'Wait', afterMilliseconds: TEN_MINUTES },
  prune: true,
  pruneAlso: [],
  onNewer: 'Queue',
};

function removalPlan({ service, last }: RemovalRequest, leaving: RunningRecord[]): Plan {
  return compileRollback({
    service,
    targetVersion: leaving[0].version ?? 'unknown',
    targets: leaving.map(({ cluster, namespace, digest, version, configVersion }) => ({
      cluster,
      namespace,
      from:
        digest === undefined || version === undefined
          ? undefined
          : { digest, version, configVersion },
    })),
    number: 1,
    // It may wait in the queue: what was meant is judged by again when its turn comes.
    rules: { ...RULES, last },
    stageName: 'removal',
    timeoutMilliseconds: TEN_MINUTES,
    sha256,
  });
}

function createdEvent(plan: Plan, { service, cluster, actor, reason }: RemovalOrder): RunEvent {
  const by = actor.onBehalfOf ?? actor.ref;
  return {
    kind: 'release',
    code: 'RemovalCreated',
    params: { cluster, service, version: plan.targetVersion },
    message: `${by} takes ${service} ${plan.targetVersion} off ${cluster}`,
    actor: by,
    reason,
  };
}
