import type { ReactElement } from 'react';
import { Route, Routes } from 'react-router-dom';
import { screen } from '@testing-library/react';
import { EntityProvider, entityRouteRef } from '@backstage/plugin-catalog-react';
import { permissionApiRef } from '@backstage/plugin-permission-react';
import { mockApis, renderInTestApp, TestApiProvider } from '@backstage/test-utils';
import { multiclusterReleaseApiRef } from '../api';
import {
  EntityMulticlusterReleaseCard,
  EntityMulticlusterReleaseContent,
  MulticlusterReleasePage,
} from '../legacy';
import { exampleRelease, exampleSummary, FakeMulticlusterReleaseApi } from '../testing';

const ENTITY = {
  apiVersion: 'backstage.io/v1alpha1',
  kind: 'Component',
  metadata: { name: 'checkout', namespace: 'default' },
  spec: { type: 'service' },
};

async function render(element: ReactElement) {
  const api = new FakeMulticlusterReleaseApi();
  const release = exampleRelease();
  api.releases = [release];
  api.summary = exampleSummary({ activeRelease: release, lastRelease: release });
  await renderInTestApp(
    <TestApiProvider
      apis={[
        [multiclusterReleaseApiRef, api],
        [permissionApiRef, mockApis.permission()],
      ]}
    >
      <EntityProvider entity={ENTITY}>
        <Routes>
          <Route path="/" element={element} />
        </Routes>
      </EntityProvider>
    </TestApiProvider>,
    { mountedRoutes: { '/catalog/:namespace/:kind/:name': entityRouteRef } },
  );
}

describe('the plugin in the old frontend system', () => {
  it('has the tab of an entity page', async () => {
    await render(<EntityMulticlusterReleaseContent />);
    expect(
      await screen.findByRole('heading', { name: /Waiting for someone to promote/ }),
    ).toBeVisible();
  });

  it('has the card, which leads to the tab', async () => {
    await render(<EntityMulticlusterReleaseCard />);
    expect(await screen.findByRole('link', { name: 'Open releases' })).toHaveAttribute(
      'href',
      '/catalog/default/component/checkout/releases',
    );
  });

  it('has the oversight page', async () => {
    await render(<MulticlusterReleasePage />);
    expect(await screen.findByRole('row', { name: /checkout/ })).toHaveTextContent('1.0.0 → 2.0.0');
  });
});
