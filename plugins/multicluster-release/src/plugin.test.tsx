import { screen, within } from '@testing-library/react';
import { convertLegacyRouteRef } from '@backstage/core-compat-api';
import { renderTestApp } from '@backstage/frontend-test-utils';
import { entityRouteRef } from '@backstage/plugin-catalog-react';
import { createTestEntityPage } from '@backstage/plugin-catalog-react/testUtils';
import { multiclusterReleaseApiRef } from './api';
import plugin from './index';
import {
  exampleApproval,
  exampleCluster,
  exampleRelease,
  exampleSummary,
  FakeMulticlusterReleaseApi,
} from './testing';

const ENTITY = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: {
    name: 'checkout',
    namespace: 'default',
    annotations: { 'multicluster-release.io/location': './multicluster-release.yaml' },
  },
  spec: { type: 'service' },
};

function createApi() {
  const api = new FakeMulticlusterReleaseApi();
  const release = exampleRelease();
  api.releases = [release];
  api.summary = exampleSummary({ activeRelease: release, lastRelease: release });
  api.clusters = {
    items: [
      exampleCluster('cluster-a'),
      exampleCluster('cluster-b', { state: 'starting', nodes: undefined }),
    ],
  };
  return api;
}

function renderAt(path: string, api = createApi()) {
  renderTestApp({
    features: [plugin],
    apis: [[multiclusterReleaseApiRef, api]],
    mountedRoutes: {
      '/catalog/:namespace/:kind/:name': convertLegacyRouteRef(entityRouteRef),
    },
    initialRouteEntries: [path],
  });
}

describe('the plugin in the new frontend system', () => {
  it('gives the entity page its tab', async () => {
    renderTestApp({
      extensions: [
        createTestEntityPage({ entity: ENTITY }),
        plugin.getExtension('entity-content:multicluster-release/releases'),
      ],
      apis: [[multiclusterReleaseApiRef, createApi()]],
    });
    expect(
      await screen.findByRole('heading', { name: /Waiting for someone to promote/ }),
    ).toBeVisible();
  });

  it('gives the entity page a card that leads to the tab', async () => {
    renderTestApp({
      extensions: [
        createTestEntityPage({ entity: ENTITY }),
        plugin.getExtension('entity-card:multicluster-release/release'),
      ],
      apis: [[multiclusterReleaseApiRef, createApi()]],
    });
    expect(await screen.findByText(/Waiting for someone to promote/)).toBeVisible();
    expect(screen.getByText('1 of 3 clusters')).toBeVisible();
  });

  it('has a page of active releases', async () => {
    renderAt('/multicluster-release/active');
    expect(await screen.findByRole('row', { name: /checkout.*1.0.0 → 2.0.0/ })).toHaveTextContent(
      'Waiting for someone to promote to production',
    );
  });

  it('has a page of clusters, where what is not known reads unknown', async () => {
    renderAt('/multicluster-release/clusters');
    expect(await screen.findByRole('row', { name: /cluster-a/ })).toHaveTextContent('2 / 2');
    const starting = screen.getByRole('row', { name: /cluster-b/ });
    expect(starting).toHaveTextContent('Starting');
    expect(starting).toHaveTextContent('unknown');
  });

  it('has a page of approvals, those of the viewer first, with a link that leads to the question', async () => {
    const api = createApi();
    api.approvals = [
      exampleApproval({ releaseId: 'r-1', targetVersion: '1.0.0' }),
      exampleApproval({ mine: true }),
    ];
    renderAt('/multicluster-release/approvals', api);
    await screen.findByRole('table', { name: 'Approvals' });
    const [mine, other] = screen.getAllByRole('row').slice(1);
    expect(mine).toHaveTextContent('2.0.0');
    expect(mine).toHaveTextContent('sre can approve');
    expect(within(mine).getByRole('link', { name: 'Look and answer' })).toHaveAttribute(
      'href',
      '/catalog/default/component/checkout/releases?release=r-2&approve=0.2',
    );
    expect(within(other).getByRole('link', { name: 'Open the release' })).toHaveAttribute(
      'href',
      '/catalog/default/component/checkout/releases?release=r-1',
    );
  });

  it('says before the first list of clusters that it is still to come, and why on demand', async () => {
    const api = createApi();
    api.clusters = { items: [], stale: true, message: 'ENOENT: no such file' };
    renderAt('/multicluster-release/clusters', api);
    expect(await screen.findByText(/^The clusters are not known yet/)).toBeVisible();
    expect(screen.getByText('ENOENT: no such file')).not.toBeVisible();
  });
});
