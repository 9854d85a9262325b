import {
  fleetReadPermission,
  stopWritePermission,
  type StopRequest,
} from 'backstage-plugin-multicluster-release-common';
import type { Request, Response } from 'express';
import { endStop } from '../../commands/fleet/endStop';
import { readFleetView } from '../../commands/fleet/FleetView';
import { orderStop } from '../../commands/fleet/orderStop';
import { previewStop } from '../../commands/fleet/previewStop';
import { measureReach } from '../../commands/fleet/reach';
import { listStops } from '../../store';
import { audited } from '../audited';
import type { HttpContext } from '../HttpContext';
import { queryFlag, queryPage, queryText } from '../queries';
import { findServices } from '../reads/findServices';
import { sendCached } from '../sendCached';
import { readActor, readViewer } from '../Viewer';
import { stopView } from '../views/stopView';
import type { Routes } from './Routes';

export const stopRoutes: Routes = (router, context) => {
  router.get('/stops', (request, response) => sendStops(context, request, response));
  router.post('/stops', (request, response) => postStop(context, request, response));
  router.post('/stops/preview', async (request, response) => {
    const viewer = await readViewer(context, request);
    await context.authorizer.require(viewer.credentials, fleetReadPermission);
    const { scope } = request.body as StopRequest;
    response.json(
      await previewStop(context.commands, { scope, find: findServices(context, viewer) }),
    );
  });
  router.delete('/stops/:id', async (request, response) => {
    const viewer = await readViewer(context, request);
    await context.authorizer.require(viewer.credentials, stopWritePermission);
    const { id } = request.params;
    await audited(context, { eventId: 'stop-lift', request, meta: { stop: id } }, () =>
      endStop(context.commands, {
        id,
        reason: queryText(request, 'reason'),
        actor: readActor(viewer, undefined),
      }),
    );
    response.status(204).end();
  });
};

async function sendStops(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  await context.authorizer.require(viewer.credentials, fleetReadPermission);
  const { items, nextCursor } = await listStops(context.commands.database, {
    ...queryPage(request),
    ended: queryFlag(request, 'ended'),
  });
  // Asked by every open page all the time; how far nothing goes need not be counted.
  const fleet = items.some(({ lifted }) => !lifted)
    ? await readFleetView(context.commands)
    : { clusters: [], places: [] };
  const views = items.map(stop => stopView(stop, measureReach(stop.scope, fleet)));
  sendCached(request, response, viewer.ref, { items: views, nextCursor });
}

async function postStop(context: HttpContext, request: Request, response: Response): Promise<void> {
  const viewer = await readViewer(context, request);
  await context.authorizer.require(viewer.credentials, stopWritePermission);
  const { scope, reason, allowRollback = false } = request.body as StopRequest;
  const meta = { scope: JSON.stringify(scope), allowRollback };
  const { result, stop, reach } = await audited(
    context,
    { eventId: 'stop-order', request, meta },
    () =>
      orderStop(context.commands, {
        ...{ scope, reason, allowRollback },
        actor: readActor(viewer, undefined),
        find: findServices(context, viewer),
      }),
  );
  response.status(result === 'placed' ? 201 : 200).json(stopView(stop, reach));
}
