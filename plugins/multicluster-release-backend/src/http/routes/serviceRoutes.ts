import { parseEntityRef, type Entity } from '@backstage/catalog-model';
import { InputError } from '@backstage/errors';
import {
  ACTIVE_STATES,
  releaseReadPermission,
  type RunningVersion,
  type ServiceSummary,
} from 'backstage-plugin-multicluster-release-common';
import type { Request, Response } from 'express';
import { compare, valid } from 'semver';
import { listVersionChoices } from '../../commands/definitions/listVersionChoices';
import { listReleases, listRunning, listServices } from '../../store';
import type { HttpContext } from '../HttpContext';
import { queryPage, queryText } from '../queries';
import { readSummary } from '../reads/readSummary';
import { viewRunning } from '../reads/viewRunning';
import { visibleServices } from '../reads/visibleServices';
import { sendCached } from '../sendCached';
import { normalRef, readViewer, requireService, serviceEntity, type Viewer } from '../Viewer';
import { serviceOf } from './documentRoutes';
import type { Routes } from './Routes';

export const serviceRoutes: Routes = (router, context) => {
  router.get('/services', (request, response) => sendServices(context, request, response));
  router.post('/summaries', async (request, response) => {
    const viewer = await readViewer(context, request);
    const { services } = request.body as { services: string[] };
    const items = await summarize(
      context,
      viewer,
      services.map(service => normalRef(service, 'services')),
    );
    response.json({ items });
  });
  router.get('/services/:kind/:namespace/:name/summary', async (request, response) => {
    const viewer = await readViewer(context, request);
    const entity = await requireService(context, viewer, serviceOf(request), releaseReadPermission);
    sendCached(
      request,
      response,
      viewer.ref,
      await readSummary(context, viewer, entity, { live: true }),
    );
  });
  router.get('/services/:kind/:namespace/:name/versions', async (request, response) => {
    const viewer = await readViewer(context, request);
    const entity = await requireService(context, viewer, serviceOf(request), releaseReadPermission);
    const { definition } = await context.definitions.current(entity);
    const items = await listVersionChoices(context.commands.database, {
      service: entity.ref,
      documents: definition?.record.documents ?? [],
    });
    sendCached(request, response, viewer.ref, { items });
  });
  router.get('/versions', (request, response) => sendVersions(context, request, response));
};

async function sendServices(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const { database } = context.commands;
  const state = queryText(request, 'state');
  if (state !== undefined && state !== 'active') {
    throw new InputError(`state ${state} is not known for services; use active.`);
  }
  const page = await listServices(database, queryPage(request));
  const active =
    state &&
    new Set(
      (
        await listReleases(database, { services: page.items, states: ACTIVE_STATES, limit: 500 })
      ).items.map(({ service }) => service),
    );
  const asked = active ? page.items.filter(service => active.has(service)) : page.items;
  const items = await summarize(context, viewer, asked, queryText(request, 'owner'));
  sendCached(request, response, viewer.ref, { items, nextCursor: page.nextCursor });
}

/** Summaries of the services that the viewer may see; the others are left out. */
async function summarize(
  context: HttpContext,
  viewer: Viewer,
  services: string[],
  owner?: string,
): Promise<ServiceSummary[]> {
  const visible = await visibleServices(context, viewer, services);
  const found: ServiceSummary[] = [];
  for (const service of visible) {
    const entity = await context.catalog.getEntityByRef(parseEntityRef(service), {
      credentials: viewer.credentials,
    });
    if (entity && isOwnedBy(entity, owner)) {
      found.push(await readSummary(context, viewer, serviceEntity(entity), { live: false }));
    }
  }
  return found;
}

function isOwnedBy(entity: Entity, owner: string | undefined): boolean {
  return owner === undefined || serviceEntity(entity).owner === normalRef(owner, 'owner');
}

async function sendVersions(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const asked = queryText(request, 'service');
  const service =
    asked && (await requireService(context, viewer, asked, releaseReadPermission)).ref;
  const cluster = queryText(request, 'cluster');
  const olderThan = readVersion(queryText(request, 'olderThan'));
  const page = await listRunning(context.commands.database, {
    ...queryPage(request),
    services: service ? [service] : undefined,
    clusters: cluster ? [cluster] : undefined,
  });
  const visible = await visibleServices(
    context,
    viewer,
    page.items.map(record => record.service),
  );
  const versions = await viewRunning(
    context,
    page.items.filter(record => visible.has(record.service)),
  );
  const items = olderThan ? versions.filter(version => isOlder(version, olderThan)) : versions;
  sendCached(request, response, viewer.ref, { items, nextCursor: page.nextCursor });
}

function readVersion(text: string | undefined): string | undefined {
  if (text !== undefined && valid(text) === null) {
    throw new InputError(`olderThan is ${text}; it compares SemVer, such as 2.1.0.`);
  }
  return text;
}

/** Versions that are no SemVer cannot be compared, and are left out. */
function isOlder({ version }: RunningVersion, limit: string): boolean {
  return version !== undefined && valid(version) !== null && compare(version, limit) < 0;
}
