import { NotFoundError } from '@backstage/errors';
import {
  clusterWritePermission,
  fleetReadPermission,
  fleetWritePermission,
  releaseReadPermission,
  type ClusterView,
  type CordonRequest,
  type CordonView,
} from 'backstage-plugin-multicluster-release-common';
import { redactObject } from 'backstage-plugin-multicluster-release-node';
import type { Request, Response } from 'express';
import { cordonCluster } from '../../commands/fleet/cordonCluster';
import { listCordons, listHolds } from '../../store';
import { audited } from '../audited';
import type { HttpContext } from '../HttpContext';
import { pageOfList } from '../pageOfList';
import { queryPage, queryText } from '../queries';
import { readRelease } from '../reads/readRelease';
import { visibleServices } from '../reads/visibleServices';
import { sendCached } from '../sendCached';
import { readActor, readViewer, requireService } from '../Viewer';
import { holdView } from '../views/holdView';
import type { Routes } from './Routes';
import { stopRoutes } from './stopRoutes';
import { windowRoutes } from './windowRoutes';

export const fleetRoutes: Routes = (router, context) => {
  clusterRoutes(router, context);
  stopRoutes(router, context);
  windowRoutes(router, context);
  router.get('/holds', (request, response) => sendHolds(context, request, response));
  router.get('/contents/:digest', (request, response) => sendContent(context, request, response));
  router.get('/health/engine', async (request, response) => {
    const viewer = await readViewer(context, request);
    await context.authorizer.require(viewer.credentials, fleetReadPermission);
    const { timeScale } = context.commands.settings;
    sendCached(request, response, viewer.ref, {
      replica: context.replica,
      driving: context.engine.driving(),
      clusterList: context.commands.registry.list().problem ?? 'ok',
      timeScale: timeScale === 1 ? undefined : timeScale,
    });
  });
};

const clusterRoutes: Routes = (router, context) => {
  router.get('/clusters', async (request, response) => {
    const viewer = await readViewer(context, request);
    await context.authorizer.require(viewer.credentials, fleetReadPermission);
    const { clusters, stale, problem, message, listedAt } = context.commands.registry.list();
    const cordons = await readCordons(context);
    const views = clusters
      .map(({ name }) => clusterView(context, name, cordons))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    sendCached(request, response, viewer.ref, {
      ...pageOfList(views, queryPage(request)),
      stale,
      problem,
      message,
      listedAt,
    });
  });
  router.post('/clusters/confirm-empty', async (request, response) => {
    const viewer = await readViewer(context, request);
    await context.authorizer.require(viewer.credentials, fleetWritePermission);
    await audited(context, { eventId: 'cluster-list-confirm-empty', request }, async () =>
      context.commands.registry.confirmEmpty(),
    );
    response.status(204).end();
  });
  router.get('/clusters/:name', async (request, response) => {
    const viewer = await readViewer(context, request);
    await context.authorizer.require(viewer.credentials, fleetReadPermission);
    const { name } = request.params;
    requireListed(context, name);
    sendCached(request, response, viewer.ref, await readCluster(context, name));
  });
  router.patch('/clusters/:name', async (request, response) => {
    const viewer = await readViewer(context, request);
    await context.authorizer.require(viewer.credentials, clusterWritePermission);
    const { name } = request.params;
    const { cordoned, reason } = request.body as CordonRequest;
    const eventId = cordoned ? 'cluster-cordon' : 'cluster-uncordon';
    await audited(context, { eventId, request, meta: { cluster: name } }, () =>
      cordonCluster(context.commands, {
        ...{ cluster: name, cordoned, reason },
        actor: readActor(viewer, undefined),
      }),
    );
    response.json(await readCluster(context, name));
  });
};

/** @throws NotFoundError that names the known clusters */
function requireListed({ commands }: HttpContext, name: string): void {
  const names = commands.registry.list().clusters.map(cluster => cluster.name);
  if (!names.includes(name)) {
    throw new NotFoundError(
      `Cluster ${name} is not configured. Known clusters: ${names.sort().join(', ') || 'none'}.`,
    );
  }
}

async function readCluster(context: HttpContext, name: string): Promise<ClusterView> {
  return clusterView(context, name, await readCordons(context));
}

async function readCordons({ commands }: HttpContext): Promise<Map<string, CordonView>> {
  const cordons = await listCordons(commands.database);
  return new Map(cordons.map(({ cluster, by, reason, since }) => [cluster, { by, reason, since }]));
}

/** A cluster that was never probed is starting; its numbers are absent, never zero (field case C40). */
function clusterView(
  { commands }: HttpContext,
  name: string,
  cordons: ReadonlyMap<string, CordonView>,
): ClusterView {
  const info = commands.registry.list().clusters.find(cluster => cluster.name === name);
  const ordered = { groups: info?.groups, cordoned: cordons.get(name) };
  const status = commands.prober.status(name);
  if (status) {
    return { ...status, ...ordered };
  }
  return {
    name,
    title: info?.title,
    region: info?.region,
    labels: info?.labels ?? {},
    ...ordered,
    state: info?.refused ? 'refused' : 'starting',
    message: info?.refused,
  };
}

async function sendHolds(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const asked = queryText(request, 'service');
  const service =
    asked && (await requireService(context, viewer, asked, releaseReadPermission)).ref;
  const page = await listHolds(context.commands.database, {
    ...queryPage(request),
    services: service ? [service] : undefined,
  });
  const visible = await visibleServices(
    context,
    viewer,
    page.items.map(hold => hold.service),
  );
  const items = page.items.filter(hold => visible.has(hold.service)).map(holdView);
  sendCached(request, response, viewer.ref, { items, nextCursor: page.nextCursor });
}

/** Content belongs to no service by itself: it is shown to whoever may see a release that has it. */
async function sendContent(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const { digest } = request.params;
  const { run } = await readRelease(context, viewer, queryText(request, 'release') ?? '');
  const known = [
    ...run.plans.flatMap(plan =>
      plan.targets.flatMap(({ from, to }) => [from?.digest, to?.digest]),
    ),
    ...run.targets.map(({ beforeDigest }) => beforeDigest),
  ];
  if (!known.includes(digest)) {
    throw new NotFoundError(`Release ${run.id} has no content ${digest}.`);
  }
  const { version, configVersion, objects } = await context.commands.contents.get(digest);
  sendCached(request, response, viewer.ref, {
    digest,
    version,
    configVersion,
    objects: objects.map(object => redactObject(object)),
  });
}
