import type { WindowSpec } from 'backstage-plugin-multicluster-release-common';
import type { Controls, Cordon, StopOrder } from '../decide/types';

/** What the platform's people have ordered: emergency stops, cordons and windows. */
export class SimulatedControls {
  readonly stops = new Map<string, StopOrder>();
  readonly cordons = new Map<string, Cordon>();
  readonly windows = new Map<string, WindowSpec>();
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

  endAll(): void {
    this.orders += 1;
    [this.stops, this.cordons, this.windows].forEach(orders => orders.clear());
  }

  /** As readControls answers them for a release on these clusters. */
  reaching(clusters: string[]): Controls {
    const stops = [...this.stops.values()]
      .map(stop => ({ ...stop, clusters: stop.clusters.filter(name => clusters.includes(name)) }))
      .filter(stop => stop.clusters.length > 0);
    return {
      stops,
      cordons: Object.fromEntries([...this.cordons].filter(([name]) => clusters.includes(name))),
      windows: [...this.windows.values()],
      left: [],
      dependencies: [],
    };
  }
}
