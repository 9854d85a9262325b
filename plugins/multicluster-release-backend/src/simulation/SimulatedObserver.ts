import type {
  ObserveRequest,
  Observer,
  TargetObservation,
} from 'backstage-plugin-multicluster-release-node';
import type { ReplicaClock } from './ReplicaClock';
import type { SimulatedCluster } from './SimulatedCluster';
import type { SimulatedFleet } from './SimulatedFleet';

const GLANCE_EVERY_MILLISECONDS = 1_000;

export interface SimulatedObserverOptions {
  clock: ReplicaClock;
  clusters: ReadonlyMap<string, SimulatedCluster>;
  fleet: SimulatedFleet;
}

/**
 * Sees each watched cluster once a second, as it was `statusLag` ago. What it
 * saw is worked out when somebody asks; it calls only where there may be news.
 */
export class SimulatedObserver implements Observer {
  private requests: ObserveRequest[] = [];
  private readonly watchedSince = new Map<string, number>();
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly options: SimulatedObserverOptions,
    private readonly onNews: () => void,
  ) {
    for (const cluster of options.clusters.values()) {
      this.ends.push(cluster.onChange(times => this.expectNews(cluster, times)));
    }
  }

  watch(requests: ObserveRequest[]): void {
    const now = this.options.clock.now();
    const keys = new Set(requests.map(({ key }) => key));
    for (const key of this.watchedSince.keys()) {
      if (!keys.has(key)) {
        this.watchedSince.delete(key);
      }
    }
    for (const key of keys) {
      if (!this.watchedSince.has(key)) {
        this.watchedSince.set(key, now);
        this.callAt(nextGlance(now));
      }
    }
    this.requests = requests;
  }

  latest(): TargetObservation[] {
    return this.requests.flatMap(request => this.observation(request) ?? []);
  }

  close(): void {
    this.ends.splice(0).forEach(end => end());
  }

  private expectNews(cluster: SimulatedCluster, times: number[]): void {
    if (this.requests.some(({ target }) => target.cluster === cluster.name)) {
      times.forEach(at => this.callAt(nextGlance(at + cluster.weather.statusLag)));
    }
  }

  private callAt(at: number): void {
    const { clock } = this.options;
    clock.after(at - clock.now(), () => this.onNews());
  }

  private observation(request: ObserveRequest): TargetObservation | undefined {
    const { clock, clusters, fleet } = this.options;
    const cluster = clusters.get(request.target.cluster);
    const glance = lastGlance(clock.awakeAt(lastGlance(clock.now())));
    if (!cluster || glance < (this.watchedSince.get(request.key) ?? Infinity)) {
      return undefined;
    }
    const at = fleet.isListed(cluster.name) ? cluster.knownAt(glance) : undefined;
    if (at === undefined) {
      return unreachable(request, glance);
    }
    const { stamp, health } = cluster.seenAt(at, request.digest, request.weighted);
    return {
      key: request.key,
      at,
      reachable: true,
      clusterState: 'ok',
      stamp,
      health: { state: health, ready: health === 'Healthy' ? 1 : 0, total: 1 },
    };
  }
}

function unreachable({ key }: ObserveRequest, at: number): TargetObservation {
  return {
    key,
    at,
    reachable: false,
    clusterState: 'unreachable',
    health: { state: 'Unknown', message: 'connection refused' },
  };
}

export function lastGlance(at: number): number {
  return at - (at % GLANCE_EVERY_MILLISECONDS);
}

function nextGlance(at: number): number {
  return lastGlance(at + GLANCE_EVERY_MILLISECONDS - 1);
}
