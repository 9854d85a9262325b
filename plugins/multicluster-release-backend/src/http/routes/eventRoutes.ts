import type { Request, Response } from 'express';
import {
  fleetReadPermission,
  releaseReadPermission,
  type AuditEntry,
} from 'backstage-plugin-multicluster-release-common';
import { FLEET, listEvents, listLatestEvents, listMeasurements, listServices } from '../../store';
import { toCsv } from '../csv';
import { EventStream } from '../EventStream';
import type { HttpContext } from '../HttpContext';
import { queryNumber, queryPage, queryText } from '../queries';
import { readRelease } from '../reads/readRelease';
import { visibleServices } from '../reads/visibleServices';
import { sendCached } from '../sendCached';
import { readViewer, requireService, type Viewer } from '../Viewer';
import { waitForNews } from '../waitForNews';
import type { Routes } from './Routes';

const PAGE = 500;

export const eventRoutes: Routes = (router, context) => {
  router.get('/releases/:id/events', async (request, response) => {
    const viewer = await readViewer(context, request);
    const { record } = await readRelease(context, viewer, request.params.id);
    if (request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream') {
      await streamEvents(context, { releaseId: record.id, after: lastSeen(request), response });
      return;
    }
    const limit = queryNumber(request, 'limit') ?? PAGE;
    const items = await listEvents(context.commands.database, {
      releaseId: record.id,
      after: queryNumber(request, 'after'),
      limit,
    });
    sendCached(request, response, viewer.ref, { items });
  });
  router.get('/releases/:id/measurements', async (request, response) => {
    const viewer = await readViewer(context, request);
    const { record } = await readRelease(context, viewer, request.params.id);
    const items = await listMeasurements(context.commands.database, {
      releaseId: record.id,
      gate: queryText(request, 'gate'),
      before: queryNumber(request, 'before'),
      limit: queryNumber(request, 'limit') ?? PAGE,
    });
    sendCached(request, response, viewer.ref, { items });
  });
  router.get('/audit', (request, response) => sendAudit(context, request, response));
};

/** A browser that connects again says in a header what it saw last. */
function lastSeen(request: Request): number {
  const header = Number(request.header('Last-Event-ID'));
  return Number.isInteger(header) && header > 0 ? header : queryNumber(request, 'after') ?? 0;
}

interface StreamRequest {
  releaseId: string;
  after: number;
  response: Response;
}

async function streamEvents(
  context: HttpContext,
  { releaseId, after, response }: StreamRequest,
): Promise<void> {
  const stream = new EventStream(response, context.timing, context.shutdown);
  stream.open();
  let last = after;
  while (!stream.signal.aborted) {
    const events = await listEvents(context.commands.database, {
      releaseId,
      after: last,
      limit: PAGE,
    });
    for (const event of events) {
      stream.send(event.id, 'event', event);
      last = event.id;
    }
    if (events.length < PAGE) {
      await waitForNews({
        news: context.news,
        timing: context.timing,
        releaseId,
        signal: stream.signal,
      });
    }
  }
  stream.end();
}

async function sendAudit(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const services = await auditedServices(context, viewer, queryText(request, 'service'));
  const page = await listLatestEvents(context.commands.database, {
    ...queryPage(request),
    services,
    cluster: queryText(request, 'cluster'),
    actor: queryText(request, 'actor'),
    code: queryText(request, 'action'),
    from: queryNumber(request, 'from'),
    to: queryNumber(request, 'to'),
  });
  if (request.accepts(['application/json', 'text/csv']) === 'text/csv') {
    if (page.nextCursor) {
      response.setHeader('X-Next-Cursor', page.nextCursor);
    }
    response.setHeader(
      'Content-Disposition',
      'attachment; filename="multicluster-release-audit.csv"',
    );
    response.type('text/csv').send(eventsAsCsv(page.items));
    return;
  }
  sendCached(request, response, viewer.ref, page);
}

/** Events of the services that the viewer may see, and of the fleet for who may see that. */
async function auditedServices(
  context: HttpContext,
  viewer: Viewer,
  asked: string | undefined,
): Promise<string[]> {
  if (asked !== undefined) {
    return [(await requireService(context, viewer, asked, releaseReadPermission)).ref];
  }
  const all: string[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page = await listServices(context.commands.database, { limit: PAGE, cursor });
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  const mayFleet = await context.authorizer.isAllowed(viewer.credentials, fleetReadPermission);
  return [...(await visibleServices(context, viewer, all)), ...(mayFleet ? [FLEET] : [])];
}

const COLUMNS = [
  'time',
  'service',
  'release',
  'kind',
  'code',
  'actor',
  'reason',
  'cluster',
  'namespace',
  'stage',
  'message',
];

/** Times are UTC, ISO 8601. */
function eventsAsCsv(events: AuditEntry[]): string {
  const rows = events.map(event => [
    new Date(event.at).toISOString(),
    event.service,
    event.releaseId,
    event.kind,
    event.code,
    event.actor,
    event.reason,
    event.cluster,
    event.namespace,
    event.stage,
    event.message,
  ]);
  return toCsv(COLUMNS, rows);
}
