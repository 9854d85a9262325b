import { NotFoundError } from '@backstage/errors';
import type { RemovalView } from 'backstage-plugin-multicluster-release-common';
import { needsPruneOptIn } from 'backstage-plugin-multicluster-release-node';
import {
  createRelease,
  findLeaving,
  findRelease,
  findRunning,
  REMOVAL,
  type CreateReleaseResult,
  type IdempotencyKey,
} from '../../store';
import type { CommandContext } from '../CommandContext';
import {
  leavingRecords,
  refuseRemoval,
  removalRelease,
  replacementFindings,
  type RemovalOrder,
  type RemovalRequest,
} from './removal';

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
  const isWell = wellBy(context);
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
    findings: replacementFindings({ running, leaving, elsewhere, isWell }, request),
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
  order: RemovalOrder & { idempotency?: IdempotencyKey },
): Promise<CreateReleaseResult> {
  const { service, actor, reason, idempotency } = order;
  const isWell = wellBy(context);
  const running = await findRunning(context.database, service);
  const leaving = leavingRecords(running, order);
  const elsewhere = await findLeaving(context.database, service);
  refuseRemoval(replacementFindings({ running, leaving, elsewhere, isWell }, order));
  const from = await findRelease(context.database, leaving[0].releaseId);
  if (!from) {
    throw new NotFoundError(
      `Release ${leaving[0].releaseId} of ${service} is not on record any more`,
    );
  }
  const id = context.newId();
  const now = context.now();
  const release = removalRelease({ order, leaving, isWell, id, now });
  const made = await createRelease(context.database, {
    ...release,
    ...{ id, service, reason, idempotency, now },
    spec: { ...from.spec, targetVersion: release.plan.targetVersion },
    strategy: REMOVAL,
    startedBy: actor.ref,
    onBehalfOf: actor.onBehalfOf,
  });
  context.onChange({ releaseId: made.id, service, revision: 1 });
  return made;
}

function wellBy({ prober }: CommandContext): (cluster: string) => boolean {
  return cluster => prober.status(cluster)?.state === 'ok';
}
