import type { ClusterClient, ClusterRegistry } from 'backstage-plugin-multicluster-release-node';
import type { EngineStore } from '../engine';

/**
 * Numbers the moments between two effects on the world: after every settled turn,
 * before and after every writing request. At the chosen one the process is
 * killed as `kill -9` would.
 */
export class KillPoints {
  passed = 0;

  /** @param killAt - number of the point to die at; 0: never */
  constructor(private readonly killAt: number, private readonly kill: () => void) {}

  pass(): void {
    this.passed += 1;
    if (this.passed === this.killAt) {
      this.kill();
    }
  }

  wrapStore(store: EngineStore): EngineStore {
    return {
      news: ids => store.news(ids),
      claim: options => store.claim(options),
      renew: (leases, milliseconds) => store.renew(leases, milliseconds),
      release: leases => store.release(leases),
      turn: async (lease, turn) => {
        const ended = await store.turn(lease, turn);
        // A turn that wrote nothing leaves the world as it was: there is nothing new to die after.
        if (ended.result === 'settled') {
          this.pass();
        }
        return ended;
      },
    };
  }

  wrapRegistry(registry: ClusterRegistry): ClusterRegistry {
    return {
      list: () => registry.list(),
      get: name => this.wrapClient(registry.get(name)),
      refresh: () => registry.refresh(),
      confirmEmpty: () => registry.confirmEmpty(),
      onChange: callback => registry.onChange(callback),
      close: () => registry.close(),
    };
  }

  private wrapClient(client: ClusterClient): ClusterClient {
    return {
      name: client.name,
      watch: (options, handler) => client.watch(options, handler),
      resource: (apiVersion, kind) => client.resource(apiVersion, kind),
      request: async request => {
        const writes = request.method !== 'GET' && request.query?.dryRun === undefined;
        if (writes) {
          this.pass();
        }
        const answer = await client.request<never>(request);
        if (writes) {
          this.pass();
        }
        return answer;
      },
    };
  }
}
