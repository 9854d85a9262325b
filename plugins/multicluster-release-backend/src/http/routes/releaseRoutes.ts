import { InputError, NotFoundError } from '@backstage/errors';
import {
  ACTIVE_STATES,
  clusterScopedWritePermission,
  RELEASE_STATES,
  releaseCreatePermission,
  releaseReadPermission,
  TARGET_STATES,
  type ReleaseState,
  type TargetState,
} from 'backstage-plugin-multicluster-release-common';
import type { Request, Response } from 'express';
import { gatherRelease } from '../../commands/documents/gatherDocuments';
import { readDocuments, serviceNamedIn } from '../../commands/documents/readDocuments';
import type { CompileRequest } from '../../commands/planning/compileRelease';
import { planRelease } from '../../commands/releases/planRelease';
import { startRelease } from '../../commands/releases/startRelease';
import { findPreviewedPlan, listReleases, listTargets } from '../../store';
import { audited } from '../audited';
import { documentText, readIdempotency } from '../bodies';
import type { HttpContext } from '../HttpContext';
import { pageOfList } from '../pageOfList';
import { queryFlag, queryNumber, queryPage, queryText } from '../queries';
import { readRelease, viewRelease, viewReleases } from '../reads/readRelease';
import { visibleServices } from '../reads/visibleServices';
import { sendCached } from '../sendCached';
import { normalRef, readActor, readViewer, requireService, type Viewer } from '../Viewer';
import { waitForNews } from '../waitForNews';
import { stageViews } from '../views/stageViews';
import { stepViews } from '../views/stepViews';
import { targetView } from '../views/targetView';
import type { Routes } from './Routes';

export const releaseRoutes: Routes = (router, context) => {
  router.post('/releases', (request, response) => previewOrStart(context, request, response));
  router.get('/releases', (request, response) => sendReleases(context, request, response));
  router.get('/releases/:id', (request, response) => sendRelease(context, request, response));
  router.get('/releases/:id/targets', (request, response) =>
    sendTargets(context, request, response),
  );
  router.get('/releases/:id/stages', async (request, response) => {
    const viewer = await readViewer(context, request);
    const { run } = await readRelease(context, viewer, request.params.id);
    const stages = stageViews(run);
    sendCached(request, response, viewer.ref, pageOfList(stages, queryPage(request, 500)));
  });
  router.get('/releases/:id/steps', async (request, response) => {
    const viewer = await readViewer(context, request);
    const { run } = await readRelease(context, viewer, request.params.id);
    sendCached(request, response, viewer.ref, pageOfList(stepViews(run), queryPage(request, 500)));
  });
  router.get('/releases/:id/plan', async (request, response) => {
    const viewer = await readViewer(context, request);
    const { run } = await readRelease(context, viewer, request.params.id);
    const number =
      queryNumber(request, 'number') ?? Math.max(...run.plans.map(plan => plan.number));
    const plan = run.plans.find(each => each.number === number);
    if (!plan) {
      throw new NotFoundError(
        `Release ${run.id} has no plan ${number}; it has ${run.plans
          .map(each => each.number)
          .join(', ')}.`,
      );
    }
    sendCached(request, response, viewer.ref, plan);
  });
  router.get('/releases/:id/diff', (request, response) =>
    sendReleaseDiff(context, request, response),
  );
  router.get('/plans/:hash/diff', async (request, response) => {
    const viewer = await readViewer(context, request);
    const { ref } = await requireService(
      context,
      viewer,
      queryText(request, 'service') ?? '',
      releaseReadPermission,
    );
    await sendDiff(context, request, response, { viewer, hash: request.params.hash, service: ref });
  });
};

async function previewOrStart(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const dryRun = queryFlag(request, 'dryRun');
  const documents = readDocuments(documentText(request));
  const service = queryText(request, 'service') ?? serviceNamedIn(documents);
  if (service === undefined) {
    throw new InputError(
      'Say which service: `?service=component:default/checkout`, or spec.service in the ClusterRelease.',
    );
  }
  const entity = await requireService(
    context,
    viewer,
    service,
    dryRun ? releaseReadPermission : releaseCreatePermission,
  );
  const gathered = await gatherRelease(context.commands, {
    entity,
    sent: documents,
    definition: await context.definitions.require(entity),
  });
  const compile: CompileRequest = {
    entity,
    gathered,
    clusterScopedAllowed: () =>
      context.authorizer.isAllowed(viewer.credentials, clusterScopedWritePermission),
  };
  if (dryRun) {
    response.json(await planRelease(context.commands, compile));
    return;
  }
  const meta = { service: entity.ref, version: gathered.release.spec.targetVersion };
  const started = await audited(context, { eventId: 'release-start', request, meta }, () =>
    startRelease(context.commands, {
      ...compile,
      actor: readActor(viewer, queryText(request, 'onBehalfOf')),
      planHash: queryText(request, 'planHash'),
      reason: queryText(request, 'reason'),
      link: readLink(request),
      idempotency: readIdempotency(request, viewer.ref),
    }),
  );
  sendStarted(request, response, started.id, started.result === 'created');
}

export function sendStarted(
  request: Request,
  response: Response,
  id: string,
  created: boolean,
  body: object = { id },
): void {
  if (created) {
    response.setHeader('Location', `${request.baseUrl}/releases/${id}`);
  }
  response.status(created ? 201 : 200).json(body);
}

/** A link is opened by people: nothing but the web. */
function readLink(request: Request): string | undefined {
  const link = queryText(request, 'link');
  if (link !== undefined && !/^https?:\/\//.test(link)) {
    throw new InputError('link must begin with https:// or http://.');
  }
  return link;
}

async function sendReleases(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const asked = queryText(request, 'service');
  const service =
    asked && (await requireService(context, viewer, asked, releaseReadPermission)).ref;
  const page = await listReleases(context.commands.database, {
    ...queryPage(request),
    services: service ? [service] : undefined,
    states: readStates(queryText(request, 'state')),
    cluster: queryText(request, 'cluster'),
  });
  const visible = await visibleServices(
    context,
    viewer,
    page.items.map(release => release.service),
  );
  const items = await viewReleases(
    context,
    viewer,
    page.items.filter(release => visible.has(release.service)),
  );
  sendCached(request, response, viewer.ref, { items, nextCursor: page.nextCursor });
}

function readStates(text: string | undefined): ReleaseState[] | undefined {
  if (text === undefined) {
    return undefined;
  }
  return text.split(',').flatMap(name => {
    if (name === 'active') {
      return ACTIVE_STATES;
    }
    if (!Object.hasOwn(RELEASE_STATES, name)) {
      throw new InputError(
        `state ${name} is not known; use active or ${Object.keys(RELEASE_STATES).join(', ')}.`,
      );
    }
    return [name as ReleaseState];
  });
}

async function sendRelease(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const { id } = request.params;
  const afterRevision = queryNumber(request, 'afterRevision');
  let release = await readRelease(context, viewer, id);
  if (afterRevision !== undefined) {
    const until = context.timing.now() + (queryNumber(request, 'waitSeconds') ?? 30) * 1000;
    const signal = goneOrShutdown(response, context.shutdown);
    while (
      release.record.revision <= afterRevision &&
      context.timing.now() < until &&
      !signal.aborted
    ) {
      await waitForNews({ news: context.news, timing: context.timing, releaseId: id, signal });
      release = await readRelease(context, viewer, id);
    }
  }
  sendCached(request, response, viewer.ref, await viewRelease(context, viewer, release));
}

function goneOrShutdown(response: Response, shutdown: AbortSignal): AbortSignal {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  return AbortSignal.any([gone.signal, shutdown]);
}

async function sendTargets(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const { run } = await readRelease(context, viewer, request.params.id);
  const page = await listTargets(context.commands.database, run.id, {
    ...queryPage(request),
    group: queryText(request, 'group'),
    states: readTargetStates(queryText(request, 'state')),
    search: queryText(request, 'q'),
  });
  const fleet = new Map(
    context.commands.registry.list().clusters.map(cluster => [cluster.name, cluster]),
  );
  const items = page.items.map(target => targetView(run, target, fleet.get(target.cluster)));
  sendCached(request, response, viewer.ref, { items, nextCursor: page.nextCursor });
}

function readTargetStates(text: string | undefined): TargetState[] | undefined {
  return text?.split(',').map(name => {
    if (!Object.hasOwn(TARGET_STATES, name)) {
      throw new InputError(
        `state ${name} is not known; use ${Object.keys(TARGET_STATES).join(', ')}.`,
      );
    }
    return name as TargetState;
  });
}

async function sendReleaseDiff(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const { run, record } = await readRelease(context, viewer, request.params.id);
  if (queryText(request, 'against') === 'applied') {
    throw new InputError(
      'against=applied is not built yet in this version; leave it out for the diff against the live state.',
    );
  }
  await sendDiff(context, request, response, {
    viewer,
    hash: run.plans[0].hash,
    service: record.service,
  });
}

async function sendDiff(
  { commands }: HttpContext,
  request: Request,
  response: Response,
  { viewer, hash, service }: { viewer: Viewer; hash: string; service: string },
): Promise<void> {
  const preview = await findPreviewedPlan(commands.database, {
    hash,
    service: normalRef(service, 'service'),
  });
  if (!preview) {
    throw new NotFoundError(
      `No preview of plan ${hash} is kept: it was never made, or is older than 24 hours. Preview the release again.`,
    );
  }
  const target = queryText(request, 'target');
  const isAsked = (ref: { cluster: string; namespace: string }) =>
    `${ref.cluster}/${ref.namespace}` === target;
  const items = target ? preview.diff.filter(({ targets }) => targets.some(isAsked)) : preview.diff;
  sendCached(request, response, viewer.ref, { items });
}
