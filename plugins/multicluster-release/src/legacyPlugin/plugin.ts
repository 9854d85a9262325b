import {
  createApiFactory,
  createComponentExtension,
  createPlugin,
  createRoutableExtension,
  createRouteRef,
  discoveryApiRef,
  fetchApiRef,
} from '@backstage/core-plugin-api';
import { MulticlusterReleaseClient, multiclusterReleaseApiRef } from '../api';

const oversightRouteRef = createRouteRef({ id: 'multicluster-release' });
const entityContentRouteRef = createRouteRef({ id: 'multicluster-release.entity' });

/**
 * The plugin for apps of the old frontend system.
 *
 * @public
 */
export const multiclusterReleasePlugin = createPlugin({
  id: 'multicluster-release',
  routes: { root: oversightRouteRef, entityContent: entityContentRouteRef },
  apis: [
    createApiFactory({
      api: multiclusterReleaseApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps => new MulticlusterReleaseClient(deps),
    }),
  ],
});

/**
 * The oversight page, for a `Route` of the app.
 *
 * @public
 */
export const MulticlusterReleasePage = multiclusterReleasePlugin.provide(
  createRoutableExtension({
    name: 'MulticlusterReleasePage',
    component: () => import('../components/OversightPage').then(m => m.OversightPage),
    mountPoint: oversightRouteRef,
  }),
);

/**
 * The tab of an entity page, for an `EntityLayout.Route` with the path `/releases`.
 *
 * @public
 */
export const EntityMulticlusterReleaseContent = multiclusterReleasePlugin.provide(
  createRoutableExtension({
    name: 'EntityMulticlusterReleaseContent',
    component: () => import('../components/ReleasesContent').then(m => m.ReleasesContent),
    mountPoint: entityContentRouteRef,
  }),
);

/**
 * The card of an entity's overview.
 *
 * @public
 */
export const EntityMulticlusterReleaseCard = multiclusterReleasePlugin.provide(
  createComponentExtension({
    name: 'EntityMulticlusterReleaseCard',
    component: { lazy: () => import('../components/ReleaseCard').then(m => m.ReleaseCard) },
  }),
);
