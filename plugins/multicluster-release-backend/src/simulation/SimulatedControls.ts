import type { WindowSpec } from 'backstage-plugin-multicluster-release-common';
import type { Controls, Cordon, StopOrder } from '../decide/types';

/** Another service that releases may wait for, in a version that is not there at first. */
export const DEPENDENCY = { service: 'component:default/ledger', range: '>=2.0.0', ready: '2.0.0' };

/** What the platform's people have ordered: emergency stops, cordons and windows. */
export class SimulatedControls {
  readonly stops = new Map<string, StopOrder>();
  readonly cordons = new Map<string, Cordon>();
  readonly windows = new Map<string, WindowSpec>();
  /** By cluster: what the service runs there that releases may depend on. */
  readonly dependencies = new Map<string, string>();
  private orders = 0;

  /** Changes with every order and every end of one. */
  word(): string {
    return String(this.orders);
  }

  /** Answers what ends the order again; doing it twice changes nothing. */
  give<T>(orders: Map<string, T>, id: string, order: T): () => void {
    this.orders += 1;
    orders.set(id, order);
    return () => {
      if (orders.get(id) === order) {
        this.orders += 1;
        orders.delete(id);
      }
    };
  }

  endAll(clusters: string[]): void {
    this.orders += 1;
    [this.stops, this.cordons, this.windows].forEach(orders => orders.clear());
    clusters.forEach(cluster => this.dependencies.set(cluster, DEPENDENCY.ready));
  }

  /** As readControls answers them for a release on these clusters, of which some have left the fleet. */
  reaching(clusters: string[], left: string[]): Controls {
    const stops = [...this.stops.values()]
      .map(stop => ({ ...stop, clusters: stop.clusters.filter(name => clusters.includes(name)) }))
      .filter(stop => stop.clusters.length > 0);
    return {
      stops,
      cordons: Object.fromEntries([...this.cordons].filter(([name]) => clusters.includes(name))),
      windows: [...this.windows.values()],
      left,
      dependencies: [...this.dependencies].map(([cluster, version]) => ({
        service: DEPENDENCY.service,
        cluster,
        namespace: 'production',
        version,
      })),
    };
  }
}
