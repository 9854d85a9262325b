import type { TargetKey } from 'backstage-plugin-multicluster-release-common';
import type { Observer, ObserveRequest, TargetObservation } from '../../ports';
import type { DeliveryDependencies } from '../DeliveryDependencies';
import { TargetWatch } from './TargetWatch';

/** Watches many targets, each on its own: what happens to one cluster costs nobody else anything. */
export class DeliveryObserver implements Observer {
  private readonly targets = new Map<TargetKey, TargetWatch>();
  private readonly listenNoMore: () => void;

  constructor(
    private readonly dependencies: DeliveryDependencies,
    private readonly onChange: () => void,
  ) {
    this.listenNoMore = dependencies.clusters.onChange(() =>
      this.targets.forEach(target => target.clustersChanged()),
    );
  }

  watch(requests: ObserveRequest[]): void {
    const wanted = new Map(requests.map(request => [request.key, request]));
    for (const key of [...this.targets.keys()].filter(known => !wanted.has(known))) {
      this.targets.get(key)?.close();
      this.targets.delete(key);
    }
    wanted.forEach((request, key) => this.watchTarget(key, request));
  }

  latest(): TargetObservation[] {
    return [...this.targets.values()]
      .map(target => target.observation())
      .filter(observation => observation !== undefined);
  }

  close(): void {
    this.listenNoMore();
    this.targets.forEach(target => target.close());
    this.targets.clear();
  }

  private watchTarget(key: TargetKey, request: ObserveRequest): void {
    const known = this.targets.get(key);
    if (known?.fits(request)) {
      known.update(request);
      return;
    }
    // Opened before the old one closes, so that streams of both go on.
    this.targets.set(key, new TargetWatch(this.dependencies, request, this.onChange));
    known?.close();
  }
}
