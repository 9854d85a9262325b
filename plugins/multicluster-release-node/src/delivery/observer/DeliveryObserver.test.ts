import { NotFoundError } from '@backstage/errors';
import { ManualTiming } from '../../clusters/testing/ManualTiming';
import { eventually } from '../../clusters/testing/eventually';
import type { ClusterClient, ClusterRegistry } from '../../clusters/types';
import type { ContentStore } from '../../ports';
import { MemoryContents } from '../testing/MemoryContents';
import { DeliveryObserver } from './DeliveryObserver';

const TARGET = { cluster: 'cluster-a', namespace: 'shop' };
const REQUEST = { target: TARGET, key: 'cluster-a/shop' as const, service: 'component:default/a' };
const CONTENT = [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' } }];

/** Its watches look live until somebody asks for another client. */
function liveClient(name: string): ClusterClient & { watches: number } {
  return {
    name,
    watches: 0,
    request: async () => Promise.reject(new Error('nothing here needs a request')),
    resource: async (apiVersion, kind) => ({
      ...{ pathPrefix: '/api/v1', plural: 'configmaps', apiVersion, kind },
      ...{ namespaced: true, verbs: ['list', 'watch'] },
    }),
    watch(_, handler) {
      this.watches += 1;
      queueMicrotask(() => handler.onState?.({ phase: 'live', heardAt: 1 }));
      return {
        state: () => ({ phase: 'live', heardAt: 1 }),
        objects: () => [],
        close: () => {},
      };
    },
  };
}

/** Lists the clients that it is given, and tells of each change. */
function changingRegistry() {
  let clients: ClusterClient[] = [];
  const callbacks = new Set<() => void>();
  const registry: ClusterRegistry = {
    list: () => ({ clusters: [], stale: false }),
    get: name => {
      const client = clients.find(known => known.name === name);
      if (!client) {
        throw new NotFoundError(`${name}: there is no such cluster`);
      }
      return client;
    },
    refresh: async () => {},
    confirmEmpty: () => {},
    onChange: callback => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    close: async () => {},
  };
  const lists = (...next: ClusterClient[]) => {
    clients = next;
    callbacks.forEach(callback => callback());
  };
  return { registry, lists, listeners: () => callbacks.size };
}

describe('an observer', () => {
  async function watching(contents: ContentStore & MemoryContents = new MemoryContents()) {
    const digest = await contents.put({ version: '1.0.0', objects: CONTENT });
    const clusters = changingRegistry();
    const first = liveClient(TARGET.cluster);
    clusters.lists(first);
    const dependencies = { clusters: clusters.registry, contents, timing: new ManualTiming() };
    const observer = new DeliveryObserver(dependencies, () => {});
    observer.watch([{ ...REQUEST, digest }]);
    const isSeen = (reachable: boolean) =>
      eventually(`reachable is ${reachable}`, () =>
        observer.latest().some(seen => seen.reachable === reachable),
      );
    await isSeen(true);
    return { ...clusters, observer, first, isSeen };
  }

  it('sees a cluster that is off the list no more, and sees it anew when it is back', async () => {
    const { lists, observer, first, isSeen } = await watching();
    lists();
    await isSeen(false);
    expect(observer.latest()[0].health).toEqual({
      state: 'Unknown',
      message: 'cluster-a: is no longer configured. Add it again, or skip it.',
    });
    const second = liveClient(TARGET.cluster);
    lists(second);
    await isSeen(true);
    expect([first.watches, second.watches]).toEqual([1, 1]);
    observer.close();
  });

  it('opens nothing anew when another cluster comes, and listens no more once closed', async () => {
    const { lists, listeners, observer, first } = await watching();
    lists(first, liveClient('cluster-b'));
    await new Promise(setImmediate);
    expect(first.watches).toBe(1);
    expect(listeners()).toBe(1);
    observer.close();
    expect(listeners()).toBe(0);
  });

  it('takes the newest client where the list changes while it sets up', async () => {
    const { lists, observer, isSeen } = await watching();
    const [second, third] = [liveClient(TARGET.cluster), liveClient(TARGET.cluster)];
    const resource = second.resource;
    let goOn = () => {};
    second.resource = async (...asked) => {
      await new Promise<void>(resolve => {
        goOn = resolve;
      });
      return resource(...asked);
    };
    lists(second);
    await new Promise(setImmediate);
    lists(third);
    await eventually('the third is watched', () => third.watches === 1);
    goOn();
    await new Promise(setImmediate);
    expect(second.watches).toBe(0);
    await isSeen(true);
    observer.close();
  });
});
