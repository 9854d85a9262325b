import { ServiceUnavailableError } from '@backstage/errors';
import { systemTiming } from '../clusters/Timing';
import type { ClusterClient, ClusterRegistry } from '../clusters/types';
import type { ContentStore, Effect } from '../ports';
import { createHands } from './createHands';
import { MemoryContents } from './testing/MemoryContents';
import { OPEN } from './testing/TestService';

/** Lists one cluster that nothing here should ask. */
function registry(): ClusterRegistry {
  const client = { name: 'cluster-a' } as ClusterClient;
  return {
    list: () => ({
      clusters: [{ name: 'cluster-a', labels: {}, source: 'kubeconfig' }],
      stale: false,
    }),
    get: () => client,
    refresh: async () => {},
    confirmEmpty: () => {},
    onChange: () => () => {},
    close: async () => {},
  };
}

function effect(cluster: string, kind: Effect['kind']): Effect {
  return {
    id: 'e',
    kind,
    target: { cluster, namespace: 'shop' },
    key: `${cluster}/shop`,
    stamp: { service: 'component:default/shop', sequence: 1, ticket: 1 },
    digest: 'not-stored',
    inventory: [],
    pruneAlso: [],
    prune: true,
    acceptedRisks: [],
  };
}

describe('hands', () => {
  const perform = (contents: ContentStore, cluster: string, kind: Effect['kind']) =>
    createHands({ clusters: registry(), contents, timing: systemTiming }).perform(
      effect(cluster, kind),
      OPEN,
    );

  it('do not give up a cluster that is no longer configured', async () => {
    expect(await perform(new MemoryContents(), 'gone', 'apply')).toEqual({
      result: 'unreachable',
      message: 'gone: is no longer configured. Add it again, or skip it.',
    });
  });

  it.each(['check', 'apply', 'remove'] as const)(
    'refuse to %s content that is not stored',
    async kind => {
      expect(await perform(new MemoryContents(), 'cluster-a', kind)).toMatchObject({
        result: 'refused',
        reason: 'ContentMissing',
      });
    },
  );

  it('try again while the key of the content is missing', async () => {
    const locked: ContentStore = {
      put: async () => '',
      get: async () => {
        throw new ServiceUnavailableError('add the key back');
      },
    };
    expect(await perform(locked, 'cluster-a', 'apply')).toEqual({
      result: 'retry',
      message: 'cluster-a: add the key back',
    });
  });
});
