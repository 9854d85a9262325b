import {
  ACTIONS,
  holdReleasePermission,
  type ActionName,
  type ActionRequest,
} from 'backstage-plugin-multicluster-release-common';
import { NotFoundError } from '@backstage/errors';
import type { Request, Response } from 'express';
import { actOnRelease } from '../../commands/actions/actOnRelease';
import { liftHold } from '../../commands/actions/liftHold';
import { NotBuiltYetError } from '../../commands/errors';
import { findHold } from '../../store';
import { audited } from '../audited';
import { readIdempotency } from '../bodies';
import type { HttpContext } from '../HttpContext';
import { queryText } from '../queries';
import { readRelease, requireForAction, requireRecorded } from '../reads/readRelease';
import { readActor, readApprover, readViewer } from '../Viewer';
import { startersOf } from '../views/releaseView';
import { sendStarted } from './releaseRoutes';
import type { Routes } from './Routes';

/** Of the API, and not of this version. */
const LATER_ACTIONS = ['weight'];

/** Actions that depend on who the caller is, and stands for. */
const APPROVALS = new Set<ActionName>(['approve', 'reject', 'skip-gate']);

export const actionRoutes: Routes = (router, context) => {
  router.post('/releases/:id/:action', (request, response) => act(context, request, response));
  router.delete('/holds/:id', async (request, response) => {
    const viewer = await readViewer(context, request);
    const hold = await findHold(context.commands.database, request.params.id);
    if (!hold) {
      throw new NotFoundError(
        `Hold ${request.params.id} does not exist; list the holds of the service again.`,
      );
    }
    await requireRecorded(context, viewer, hold.service, holdReleasePermission);
    const meta = { service: hold.service, version: hold.version };
    await audited(context, { eventId: 'hold-release', request, meta }, () =>
      liftHold(context.commands, {
        holdId: hold.id,
        actor: readActor(viewer, undefined),
        reason: queryText(request, 'reason'),
      }),
    );
    response.status(204).end();
  });
};

async function act(context: HttpContext, request: Request, response: Response): Promise<void> {
  const viewer = await readViewer(context, request);
  const action = readAction(request.params.action);
  const release = await readRelease(context, viewer, request.params.id);
  const { record, run } = release;
  const order = { ...((request.body ?? {}) as ActionRequest) };
  if (action === 'accept' && run.planChanged?.hold) {
    // Going on brings back what is on hold: that is what is being asked for.
    order.releaseHold = true;
  }
  const approver = APPROVALS.has(action) ? await readApprover(context, viewer) : undefined;
  await requireForAction(context, viewer, action, release, approver);
  if (order.releaseHold === true && !release.orphaned) {
    await context.authorizer.requireForService(
      viewer.credentials,
      holdReleasePermission,
      record.service,
    );
  }
  const meta = { service: record.service, releaseId: record.id, version: record.targetVersion };
  const result = await audited(context, { eventId: `release-${action}`, request, meta }, () =>
    actOnRelease(context.commands, {
      releaseId: record.id,
      action,
      actor: readActor(viewer, undefined),
      approver,
      starters: startersOf(record),
      request: order,
      idempotency: readIdempotency(request, viewer.ref),
    }),
  );
  sendStarted(request, response, result.id, result.result === 'created', result);
}

function readAction(name: string): ActionName {
  const action = ACTIONS.find(each => each === name);
  if (action) {
    return action;
  }
  if (LATER_ACTIONS.includes(name)) {
    throw new NotBuiltYetError(`The action ${name}`);
  }
  throw new NotFoundError(`There is no action ${name}; there are: ${ACTIONS.join(', ')}.`);
}
