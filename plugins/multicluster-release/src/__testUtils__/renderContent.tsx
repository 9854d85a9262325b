import { EntityProvider } from '@backstage/plugin-catalog-react';
import { ReleasesContent } from '../components/ReleasesContent';
import type { FakeMulticlusterReleaseApi } from '../testing';
import { renderAs } from './renderAs';

let entities = 0;

/**
 * Another entity for each test: what `usePermission` was told is kept for seconds in
 * a cache of the whole file, and would answer the next test that asks the same.
 */
function anEntity() {
  entities += 1;
  return {
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'Component',
    metadata: { name: 'checkout', namespace: `test-${entities}` },
    spec: { type: 'service', owner: 'group:default/shop' },
    relations: [{ type: 'ownedBy', targetRef: 'group:default/shop' }],
  };
}

/** The tab of an entity, in an app. `at`: what stands in the address. */
export function renderContent(
  api: FakeMulticlusterReleaseApi,
  options: { mayStart?: boolean; at?: string } = {},
) {
  return renderAs(
    options.mayStart === false ? 'DENY' : 'ALLOW',
    <EntityProvider entity={anEntity()}>
      <ReleasesContent />
    </EntityProvider>,
    api,
    options.at,
  );
}
