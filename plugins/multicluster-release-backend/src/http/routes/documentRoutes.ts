import { NotFoundError } from '@backstage/errors';
import {
  definitionWritePermission,
  fleetReadPermission,
  fleetWritePermission,
  releaseReadPermission,
  selectTargets,
} from 'backstage-plugin-multicluster-release-common';
import type { Request, Response } from 'express';
import { ownerOf } from '../../commands/definitions/DefinitionReader';
import { storeDefinition } from '../../commands/definitions/storeDefinition';
import { documentSchemas } from '../../commands/documents/documentSchemas';
import { findUnbuilt } from '../../commands/documents/findUnbuilt';
import { readDocuments } from '../../commands/documents/readDocuments';
import { readPlacement } from '../../commands/documents/readPlacement';
import { trustedFleet } from '../../commands/planning/trustedFleet';
import {
  getDefinition,
  listDefinitionRevisions,
  type DefinitionOwner,
  type DefinitionRecord,
} from '../../store';
import { audited } from '../audited';
import { documentText } from '../bodies';
import type { HttpContext } from '../HttpContext';
import { queryPage, queryText } from '../queries';
import { sendCached, sendWithTag } from '../sendCached';
import { readActor, readViewer, requireService } from '../Viewer';
import type { Routes } from './Routes';

export const documentRoutes: Routes = (router, context) => {
  router.post('/validate', async (request, response) => {
    await readViewer(context, request);
    const documents = readDocuments(documentText(request));
    response.json({
      valid: true,
      documents: documents.map(({ kind, name }) => ({ kind, name })),
      notBuiltYet: findUnbuilt(documents),
    });
  });

  router.get('/schemas/:file', async (request, response) => {
    await readViewer(context, request);
    const kind = request.params.file.replace(/\.json$/, '');
    const schema = documentSchemas()[kind];
    if (!schema) {
      throw new NotFoundError(
        `There is no schema ${request.params.file}; there are: ${Object.keys(
          documentSchemas(),
        ).join(', ')}.`,
      );
    }
    sendCached(request, response, '', schema);
  });

  router.post('/placements/preview', (request, response) =>
    previewPlacement(context, request, response),
  );
  serviceDefinitionRoutes(router, context);
  sharedDefinitionRoutes(router, context, 'policies', 'policy');
  sharedDefinitionRoutes(router, context, 'placements', 'placement');
};

const serviceDefinitionRoutes: Routes = (router, context) => {
  const path = '/services/:kind/:namespace/:name/definition';
  router.get(path, async (request, response) => {
    const viewer = await readViewer(context, request);
    const entity = await requireService(context, viewer, serviceOf(request), releaseReadPermission);
    const revision = queryText(request, 'revision');
    const record = revision
      ? await findRevision(context, ownerOf(entity), revision)
      : (await context.definitions.require(entity))?.record;
    sendDefinition(request, response, record, entity.ref);
  });
  router.put(path, async (request, response) => {
    const viewer = await readViewer(context, request);
    const entity = await requireService(
      context,
      viewer,
      serviceOf(request),
      definitionWritePermission,
    );
    await putDocuments(context, request, response, ownerOf(entity));
  });
  router.get(`${path}s`, async (request, response) => {
    const viewer = await readViewer(context, request);
    const entity = await requireService(context, viewer, serviceOf(request), releaseReadPermission);
    const page = await listDefinitionRevisions(
      context.commands.database,
      ownerOf(entity),
      queryPage(request),
    );
    const items = page.items.map(({ revision, location, commit, author, createdAt }) => ({
      revision,
      location,
      commit,
      author,
      createdAt,
    }));
    sendCached(request, response, viewer.ref, { items, nextCursor: page.nextCursor });
  });
};

function sharedDefinitionRoutes(
  router: Parameters<Routes>[0],
  context: HttpContext,
  plural: string,
  scope: 'policy' | 'placement',
): void {
  router.get(`/${plural}/:name`, async (request, response) => {
    const viewer = await readViewer(context, request);
    await context.authorizer.require(viewer.credentials, fleetReadPermission);
    const owner = { scope, name: request.params.name };
    const record = await findRevision(context, owner, queryText(request, 'revision'));
    sendDefinition(request, response, record, owner.name);
  });
  router.put(`/${plural}/:name`, async (request, response) => {
    const viewer = await readViewer(context, request);
    await context.authorizer.require(viewer.credentials, fleetWritePermission);
    await putDocuments(context, request, response, { scope, name: request.params.name });
  });
}

export function serviceOf({ params }: Request): string {
  return `${params.kind}:${params.namespace}/${params.name}`;
}

async function findRevision(
  { commands }: HttpContext,
  owner: DefinitionOwner,
  revision?: string,
): Promise<DefinitionRecord | undefined> {
  return getDefinition(commands.database, { owner, revision }, commands.cipher);
}

function sendDefinition(
  request: Request,
  response: Response,
  record: DefinitionRecord | undefined,
  name: string,
): void {
  if (!record) {
    throw new NotFoundError(
      `${name} has no such documents. Add multicluster-release.yaml and the annotation multicluster-release.io/location, or PUT them here.`,
    );
  }
  const { revision, text, documents, location, commit, author, createdAt } = record;
  sendWithTag(request, response, `"${revision}"`, {
    revision,
    text,
    documents,
    location,
    commit,
    author,
    createdAt,
  });
}

async function putDocuments(
  context: HttpContext,
  request: Request,
  response: Response,
  owner: DefinitionOwner,
): Promise<void> {
  const viewer = await readViewer(context, request);
  const meta = { scope: owner.scope, name: owner.name };
  const revision = await audited(context, { eventId: 'definition-write', request, meta }, () =>
    storeDefinition(context.commands, {
      owner,
      text: documentText(request),
      actor: readActor(viewer, undefined),
      ifMatch: request.header('If-Match')?.replace(/^W\//, '').replace(/^"|"$/g, ''),
    }),
  );
  response.setHeader('ETag', `"${revision}"`);
  response.json({ revision });
}

async function previewPlacement(
  context: HttpContext,
  request: Request,
  response: Response,
): Promise<void> {
  const viewer = await readViewer(context, request);
  await context.authorizer.require(viewer.credentials, fleetReadPermission);
  const placement = readPlacement(documentText(request));
  const { targets, excluded, findings } = selectTargets(placement, trustedFleet(context.commands));
  response.json({
    targets: targets.map(({ cluster, namespace, group, fleet }) => ({
      cluster,
      namespace,
      group,
      region: fleet.region,
    })),
    excluded,
    findings,
  });
}
