import DynamicFeed from '@material-ui/icons/DynamicFeed';
import { Content } from '@backstage/core-components';
import {
  ApiBlueprint,
  createFrontendPlugin,
  discoveryApiRef,
  fetchApiRef,
  PageBlueprint,
  SubPageBlueprint,
} from '@backstage/frontend-plugin-api';
import { EntityCardBlueprint, EntityContentBlueprint } from '@backstage/plugin-catalog-react/alpha';
import { MulticlusterReleaseClient, multiclusterReleaseApiRef } from './api';
import { entityContentRouteRef, oversightRouteRef } from './routes';
import { multiclusterReleaseTranslationRef as texts } from './translation';

const api = ApiBlueprint.make({
  params: defineParams =>
    defineParams({
      api: multiclusterReleaseApiRef,
      deps: { discoveryApi: discoveryApiRef, fetchApi: fetchApiRef },
      factory: deps => new MulticlusterReleaseClient(deps),
    }),
});

const entityContent = EntityContentBlueprint.make({
  name: 'releases',
  params: {
    path: '/releases',
    title: texts('tab.title'),
    group: 'deployment',
    routeRef: entityContentRouteRef,
    filter: { kind: 'component' },
    loader: () => import('./components/ReleasesContent').then(m => <m.ReleasesContent />),
  },
});

const entityCard = EntityCardBlueprint.make({
  name: 'release',
  params: {
    type: 'info',
    filter: { 'metadata.annotations.multicluster-release.io/location': { $exists: true } },
    loader: () => import('./components/ReleaseCard').then(m => <m.ReleaseCard />),
  },
});

const page = PageBlueprint.make({
  params: {
    path: '/multicluster-release',
    title: texts('page.title'),
    icon: <DynamicFeed fontSize="inherit" />,
    routeRef: oversightRouteRef,
  },
});

const activePage = SubPageBlueprint.make({
  name: 'active',
  params: {
    path: 'active',
    title: texts('page.activeShort'),
    loader: () =>
      import('./components/OversightPage').then(m => (
        <Content>
          <m.StopBanner />
          <m.ActiveReleases />
        </Content>
      )),
  },
});

const clustersPage = SubPageBlueprint.make({
  name: 'clusters',
  params: {
    path: 'clusters',
    title: texts('page.clustersTab'),
    loader: () =>
      import('./components/OversightPage').then(m => (
        <Content>
          <m.StopBanner />
          <m.Clusters />
        </Content>
      )),
  },
});

const approvalsPage = SubPageBlueprint.make({
  name: 'approvals',
  params: {
    path: 'approvals',
    title: texts('page.approvalsTab'),
    loader: () =>
      import('./components/OversightPage').then(m => (
        <Content>
          <m.StopBanner />
          <m.Approvals />
        </Content>
      )),
  },
});

const controlsPage = SubPageBlueprint.make({
  name: 'controls',
  params: {
    path: 'controls',
    title: texts('page.controlsTab'),
    loader: () =>
      import('./components/OversightPage').then(m => (
        <Content>
          <m.Controls />
        </Content>
      )),
  },
});

/**
 * The pages of Multicluster Release for the new frontend system.
 *
 * @public
 */
export const multiclusterReleasePlugin = createFrontendPlugin({
  pluginId: 'multicluster-release',
  title: 'Multicluster releases',
  routes: { root: oversightRouteRef, entityContent: entityContentRouteRef },
  extensions: [
    api,
    entityContent,
    entityCard,
    page,
    activePage,
    approvalsPage,
    clustersPage,
    controlsPage,
  ],
});
