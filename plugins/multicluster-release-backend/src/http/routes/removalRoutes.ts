import { InputError } from '@backstage/errors';
import {
  releaseReadPermission,
  releaseRemovePermission,
} from 'backstage-plugin-multicluster-release-common';
import type { Request, Response } from 'express';
import { previewRemoval, removeFromCluster } from '../../commands/releases/removeFromCluster';
import { audited } from '../audited';
import { readIdempotency } from '../bodies';
import type { HttpContext } from '../HttpContext';
import { queryFlag, queryText } from '../queries';
import { requireRecorded } from '../reads/readRelease';
import { normalRef, readActor, readViewer } from '../Viewer';
import { serviceOf } from './documentRoutes';
import { sendStarted } from './releaseRoutes';
import type { Routes } from './Routes';

const SHORTEST_REASON = 10;

export const removalRoutes: Routes = (router, context) => {
  router.delete('/services/:kind/:namespace/:name/clusters/:cluster', (request, response) =>
    previewOrRemove(context, request, response),
  );
};

async function previewOrRemove(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const dryRun = queryFlag(request, 'dryRun');
  const permission = dryRun ? releaseReadPermission : releaseRemovePermission;
  const ref = normalRef(serviceOf(request), 'service');
  await requireRecorded(context, viewer, ref, permission);
  const removal = {
    service: ref,
    cluster: request.params.cluster,
    namespace: queryText(request, 'targetNamespace'),
    last: queryFlag(request, 'last'),
  };
  if (dryRun) {
    response.json(await previewRemoval(context.commands, removal));
    return;
  }
  const reason = queryText(request, 'reason') ?? '';
  if (reason.trim().length < SHORTEST_REASON) {
    throw new InputError(
      `reason: taking a service off a cluster needs one of at least ${SHORTEST_REASON} characters; say why.`,
    );
  }
  const meta = { service: ref, cluster: removal.cluster };
  const made = await audited(context, { eventId: 'service-remove', request, meta }, () =>
    removeFromCluster(context.commands, {
      ...removal,
      reason,
      actor: readActor(viewer, undefined),
      idempotency: readIdempotency(request, viewer.ref),
    }),
  );
  sendStarted(request, response, made.id, made.result === 'created');
}
