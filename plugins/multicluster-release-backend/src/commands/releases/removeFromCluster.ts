import { NotFoundError } from '@backstage/errors';
import {
  compileRollback,
  type Finding,
  type Plan,
  type PlanRules,
  targetKey,
  type RemovalView,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { needsPruneOptIn } from 'backstage-plugin-multicluster-release-node';
import { createRun } from '../../decide/createRun';
import { stateEvents } from '../../decide/move';
import { sha256 } from '../../decide/sha256';
import type { RunEvent } from '../../decide/types';
import {
  createRelease,
  currentRecords,
  findLeaving,
  findRelease,
  findRunning,
  REMOVAL,
  type CreateReleaseResult,
  type IdempotencyKey,
  type RunningRecord,
} from '../../store';
import type { Actor, CommandContext } from '../CommandContext';
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
  idempotency?: IdempotencyKey;
}

/**
 * What taking a service off a cluster would remove: by the record, so also where
 * the cluster does not answer.
 *
 * @throws NotFoundError where our record knows nothing of the service there
 */
export async function previewRemoval(
  context: CommandContext,
  request: RemovalRequest,
): Promise<RemovalView> {
  const running = await findRunning(context.database, request.service);
  const leaving = leavingRecords(running, request);
  const elsewhere = await findLeaving(context.database, request.service);
  const items = leaving.flatMap(({ inventory }) => inventory);
  const goes = items.filter(item => item.createdByUs && !needsPruneOptIn(item.kind));
  const stays = items.filter(item => !goes.includes(item));
  return {
    targets: leaving.map(({ cluster, namespace }) => ({ cluster, namespace })),
    changes: goes.map(({ apiVersion, kind, namespace, name }) => ({
      ...{ apiVersion, kind, namespace, name },
      change: 'deleted',
      fields: [],
    })),
    kept: stays.map(({ apiVersion, kind, namespace, name, createdByUs }) => ({
      ...{ apiVersion, kind, namespace, name },
      why: createdByUs ? `${kind} objects are never removed with a service` : 'was there before us',
    })),
    findings: replacementFindings(context, { running, leaving, elsewhere }, request),
  };
}

/**
 * Takes a service off a cluster: a release of its own, which removes what we
 * made there, and which can be rolled back like any other.
 *
 * @throws NotFoundError; DocumentsRefusedError `NoEligibleCluster` where it would
 * then run nowhere and the caller does not say that this is meant (C01)
 */
export async function removeFromCluster(
  context: CommandContext,
  order: RemovalOrder,
): Promise<CreateReleaseResult> {
  const { service, actor, reason, idempotency } = order;
  const running = await findRunning(context.database, service);
  const leaving = leavingRecords(running, order);
  const elsewhere = await findLeaving(context.database, service);
  refuse(replacementFindings(context, { running, leaving, elsewhere }, order));
  const from = await findRelease(context.database, leaving[0].releaseId);
  if (!from) {
    throw new NotFoundError(
      `Release ${leaving[0].releaseId} of ${service} is not on record any more`,
    );
  }
  const id = context.newId();
  const now = context.now();
  const plan = removalPlan(order, leaving);
  const startedBy = actor.onBehalfOf ?? actor.ref;
  const made = await createRelease(context.database, {
    ...{ id, service, plan, reason, idempotency, now },
    spec: { ...from.spec, targetVersion: plan.targetVersion },
    strategy: REMOVAL,
    startedBy: actor.ref,
    onBehalfOf: actor.onBehalfOf,
    begin: started => {
      // Asked again with the service locked: another one may have left, or be leaving, meanwhile.
      const record = { running: started.running, leaving, elsewhere: started.leaving };
      refuse(replacementFindings(context, record, order));
      const { sequence, queuedBehind } = started;
      const current = currentRecords(started.running);
      const acceptedRisks = new Map();
      const run = createRun({
        ...{ id, plan, sequence, current, acceptedRisks, queuedBehind, startedBy, now },
      });
      return { run, events: [createdEvent(plan, order), ...stateEvents(run)] };
    },
  });
  context.onChange({ releaseId: made.id, service, revision: 1 });
  return made;
}

function leavingRecords(
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

interface Remaining {
  running: RunningRecord[];
  /** What this order takes away. */
  leaving: RunningRecord[];
  /** What others are taking away. */
  elsewhere: TargetKey[];
}

/** Nothing is removed until a replacement exists and is healthy (C01). */
function replacementFindings(
  { prober }: CommandContext,
  { running, leaving, elsewhere }: Remaining,
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
      prober.status(record.cluster)?.state === 'ok',
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

function refuse(findings: Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    throw new DocumentsRefusedError(
      errors[0].code,
      errors.map(({ code, message, cluster }) => ({ code, message, cluster })),
    );
  }
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
