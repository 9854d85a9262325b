import { InputError } from '@backstage/errors';
import {
  fleetReadPermission,
  windowWritePermission,
  type WindowOccurrences,
  type WindowRequest,
} from 'backstage-plugin-multicluster-release-common';
import type { Request, Response } from 'express';
import { endWindow } from '../../commands/fleet/endWindow';
import { orderWindow, windowReaches } from '../../commands/fleet/orderWindow';
import { checkWindow, occurrences } from '../../controls';
import { listWindows, type WindowRecord } from '../../store';
import { audited } from '../audited';
import type { HttpContext } from '../HttpContext';
import { queryFlag, queryNumber, queryPage, queryText } from '../queries';
import { findServices } from '../reads/findServices';
import { sendCached } from '../sendCached';
import { normalRef, readActor, readViewer } from '../Viewer';
import { windowView } from '../views/windowView';
import type { Routes } from './Routes';

const DAY_MILLISECONDS = 24 * 3_600_000;
const MAX_DAYS = 100;
/** Of all windows together; enough for every quarter of an hour of a week. */
const MAX_OCCURRENCES = 1_000;

export const windowRoutes: Routes = (router, context) => {
  router.get('/windows', async (request, response) => {
    const viewer = await readViewer(context, request);
    await context.authorizer.require(viewer.credentials, fleetReadPermission);
    const { items, nextCursor } = await listWindows(context.commands.database, {
      ...queryPage(request),
      ended: queryFlag(request, 'ended'),
    });
    const now = context.commands.now();
    const views = items.map(window => windowView(window, now));
    sendCached(request, response, viewer.ref, { items: views, nextCursor });
  });
  router.post('/windows', (request, response) => postWindow(context, request, response));
  router.get('/windows/occurrences', (request, response) =>
    sendOccurrences(context, request, response),
  );
  router.delete('/windows/:id', async (request, response) => {
    const viewer = await readViewer(context, request);
    await context.authorizer.require(viewer.credentials, windowWritePermission);
    const { id } = request.params;
    await audited(context, { eventId: 'window-remove', request, meta: { window: id } }, () =>
      endWindow(context.commands, {
        id,
        reason: queryText(request, 'reason'),
        actor: readActor(viewer, undefined),
      }),
    );
    response.status(204).end();
  });
};

async function postWindow(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  await context.authorizer.require(viewer.credentials, windowWritePermission);
  const body = request.body as WindowRequest;
  const meta = { name: body.name };
  const { result, window } = await audited(context, { eventId: 'window-add', request, meta }, () =>
    orderWindow(context.commands, {
      request: body,
      actor: readActor(viewer, undefined),
      find: findServices(context, viewer),
    }),
  );
  response.status(result === 'added' ? 201 : 200).json(windowView(window, context.commands.now()));
}

async function sendOccurrences(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  await context.authorizer.require(viewer.credentials, fleetReadPermission);
  const from = queryNumber(request, 'from') ?? 0;
  const to = queryNumber(request, 'to') ?? 0;
  if (!(to > from && to - from <= MAX_DAYS * DAY_MILLISECONDS)) {
    throw new InputError(
      `from is ${from} and to is ${to}; to must be later, by at most ${MAX_DAYS} days`,
    );
  }
  const asked = queryText(request, 'service');
  const service = asked && normalRef(asked, 'service');
  const windows = (await allWindows(context)).filter(
    window => service === undefined || windowReaches(window, service),
  );
  sendCached(request, response, viewer.ref, occurrencesOf(windows, from, to));
}

async function allWindows({ commands }: HttpContext): Promise<WindowRecord[]> {
  const all: WindowRecord[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page = await listWindows(commands.database, { limit: 500, cursor });
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}

function occurrencesOf(windows: WindowRecord[], from: number, to: number): WindowOccurrences {
  const answer: WindowOccurrences = { items: [], invalid: [], complete: true };
  for (const { id, spec } of windows) {
    const { name = '', kind } = spec;
    const faults = checkWindow(spec);
    if (faults.length > 0) {
      const message = faults.map(fault => fault.message).join('; ');
      answer.invalid.push({ windowId: id, name, message });
    }
    const limit = MAX_OCCURRENCES - answer.items.length;
    const { times, complete } = occurrences(spec, { from, to, limit });
    answer.items.push(...times.map(time => ({ windowId: id, name, kind, ...time })));
    answer.complete &&= complete;
  }
  answer.items.sort((a, b) => a.from - b.from);
  return answer;
}
