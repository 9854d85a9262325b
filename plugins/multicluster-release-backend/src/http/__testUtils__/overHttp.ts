/*
 * The real routes around the commands and the engine of a small backend: for
 * orders that are given over HTTP only. Everything is allowed to whoever calls.
 */
import { mockErrorHandler, mockServices } from '@backstage/backend-test-utils';
import type { Entity } from '@backstage/catalog-model';
import { catalogServiceMock } from '@backstage/plugin-catalog-node/testUtils';
import {
  AuthorizeResult,
  type AuthorizePermissionRequest,
} from '@backstage/plugin-permission-common';
import { fleetWritePermission } from 'backstage-plugin-multicluster-release-common';
import { systemTiming } from 'backstage-plugin-multicluster-release-node';
import express, { type Express } from 'express';
import { DefinitionReader } from '../../commands/definitions/DefinitionReader';
import { createRouter } from '../createRouter';
import { LiveHealth } from '../LiveHealth';
import { ReleaseNews } from '../ReleaseNews';
import { Authorizer } from '../../permissions/Authorizer';
import { SERVICE, type SmallBackend } from '../../testing/smallBackend';

export interface OverHttpOptions {
  /** Whether the catalog has the service now. */
  entities?: () => boolean;
}

/** Answers are held against the API's description. The routes end with the process: nothing is to be closed. */
export function overHttp(backend: SmallBackend, options: OverHttpOptions = {}): Express {
  const { entities = () => true } = options;
  const { commands, engine, hands } = backend;
  const catalog = () => catalogServiceMock({ entities: entities() ? [CHECKOUT] : [] });
  // By owner: of what the catalog does not have nobody is the owner.
  const isAllowed = ({ permission, resourceRef }: AuthorizePermissionRequest) =>
    permission.name === fleetWritePermission.name || resourceRef === undefined || entities();
  const router = createRouter(
    {
      commands,
      engine,
      definitions: new DefinitionReader(commands),
      authorizer: new Authorizer({
        authorize: async requests =>
          requests.map(request => ({
            result: isAllowed(request) ? AuthorizeResult.ALLOW : AuthorizeResult.DENY,
          })) as { result: AuthorizeResult.ALLOW }[],
      }),
      auth: mockServices.auth(),
      httpAuth: mockServices.httpAuth(),
      userInfo: mockServices.userInfo(),
      catalog: {
        getEntityByRef: (...args) => catalog().getEntityByRef(...args),
        getEntitiesByRefs: (...args) => catalog().getEntitiesByRefs(...args),
      },
      auditor: mockServices.auditor.mock(),
      logger: mockServices.logger.mock(),
      news: new ReleaseNews(),
      live: new LiveHealth(hands, systemTiming),
      timing: systemTiming,
      replica: 'over-http',
      shutdown: new AbortController().signal,
    },
    { validateResponses: true },
  );
  return express().use(router).use(mockErrorHandler());
}

const [, NAME] = SERVICE.split('/');
const CHECKOUT: Entity = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: { name: NAME, namespace: 'default' },
  spec: { type: 'service', owner: 'group:default/shop' },
};
