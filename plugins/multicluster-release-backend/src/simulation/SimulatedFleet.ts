import type { FleetCluster } from 'backstage-plugin-multicluster-release-common';
import type { ClusterRegistry } from 'backstage-plugin-multicluster-release-node';

/** The list of clusters that every replica reads: who is on it, and whether it can be trusted now. */
export class SimulatedFleet implements Pick<ClusterRegistry, 'list' | 'onChange'> {
  /** By cluster that is off the list: since when. */
  private readonly offSince = new Map<string, number>();
  private readonly gone = new Set<string>();
  /** Reading the list fails. */
  private readonly troubles = new Set<object>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly names: string[], private readonly now: () => number) {}

  onChange(callback: () => void): () => void {
    this.listeners.add(callback);
    return () => this.listeners.delete(callback);
  }

  private tell(): void {
    this.listeners.forEach(callback => callback());
  }

  leave(name: string): void {
    if (!this.offSince.has(name)) {
      this.offSince.set(name, this.now());
      this.tell();
    }
  }

  /** It never comes back. */
  leaveForGood(name: string): void {
    this.leave(name);
    this.gone.add(name);
  }

  join(name: string): void {
    if (!this.gone.has(name) && this.offSince.delete(name)) {
      this.tell();
    }
  }

  /** Answers what ends the trouble again. */
  trouble(): () => void {
    const trouble = {};
    this.troubles.add(trouble);
    this.tell();
    return () => {
      this.troubles.delete(trouble);
      this.tell();
    };
  }

  /** Whatever kept the list from being read is over. */
  mend(): void {
    this.troubles.clear();
    this.tell();
  }

  isTrusted(): boolean {
    return this.troubles.size === 0;
  }

  isListed(name: string): boolean {
    return !this.offSince.has(name);
  }

  /** Milliseconds that a cluster has been off the list; 0: it is on it. */
  offFor(name: string): number {
    return this.now() - (this.offSince.get(name) ?? this.now());
  }

  listed(): string[] {
    return this.names.filter(name => this.isListed(name));
  }

  list(): ReturnType<ClusterRegistry['list']> {
    return {
      clusters: this.clusters().map(({ name, labels }) => ({ name, labels, source: 'kubeconfig' })),
      stale: !this.isTrusted(),
    };
  }

  /** As placements see them: the first on the list is the one that others follow. */
  clusters(): FleetCluster[] {
    return this.listed().map((name, index) => ({
      name,
      labels: { ring: index === 0 ? 'canary' : 'rest' },
    }));
  }
}
