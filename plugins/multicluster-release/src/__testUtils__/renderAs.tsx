import type { ReactElement } from 'react';
import { renderInTestApp, type TestApiPair } from '@backstage/frontend-test-utils';
import { permissionApiRef, type PermissionApi } from '@backstage/plugin-permission-react';
import { multiclusterReleaseApiRef } from '../api';
import type { FakeMulticlusterReleaseApi } from '../testing';

/**
 * Renders in an app for a viewer who may do all or nothing. `usePermission` keeps an
 * answer in a cache of the whole file: one file, one answer to the same question.
 */
export function renderAs(
  result: 'ALLOW' | 'DENY',
  element: ReactElement,
  api: FakeMulticlusterReleaseApi,
  at: string = '/',
) {
  type Decision = Awaited<ReturnType<PermissionApi['authorize']>>;
  const permissionApi: PermissionApi = { authorize: async () => ({ result } as Decision) };
  const apis: TestApiPair<unknown>[] = [
    [multiclusterReleaseApiRef, api],
    [permissionApiRef, permissionApi],
  ];
  return renderInTestApp(element, { apis, initialRouteEntries: [at] });
}
