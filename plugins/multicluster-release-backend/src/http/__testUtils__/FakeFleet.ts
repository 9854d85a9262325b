import type { ClusterView } from 'backstage-plugin-multicluster-release-common';
import type {
  ClusterProber,
  ClusterRegistry,
  ListedClusters,
  QuotaRoom,
} from 'backstage-plugin-multicluster-release-node';

/** Clusters by name, all well; `listing` and `states` say what is wrong. */
export class FakeFleet {
  listing: Partial<ListedClusters> = {};
  readonly states = new Map<string, Partial<ClusterView>>();
  /** Quotas of the clusters that tell them. */
  readonly quotas = new Map<string, QuotaRoom[]>();
  confirmed = 0;

  constructor(private readonly names: string[]) {}

  readonly registry: Pick<ClusterRegistry, 'list' | 'confirmEmpty' | 'onChange'> = {
    list: () => ({
      clusters: this.names.map(name => ({
        name,
        labels: { tier: 'prod' },
        source: 'configuration' as const,
      })),
      stale: false,
      listedAt: 1,
      ...this.listing,
    }),
    confirmEmpty: () => {
      this.confirmed += 1;
    },
    // Who asks reads the list anew each time.
    onChange: () => () => {},
  };

  readonly prober: Pick<ClusterProber, 'all' | 'status'> = {
    all: () => this.names.map(name => this.view(name)),
    status: name => (this.names.includes(name) ? this.view(name) : undefined),
  };

  /** From now on these are listed, without labels, and no others. */
  consistsOf(...names: string[]): void {
    this.listing = {
      clusters: names.map(name => ({ name, labels: {}, source: 'configuration' as const })),
    };
  }

  private view(name: string): ClusterView {
    return {
      name,
      labels: { tier: 'prod' },
      state: 'ok',
      kubernetesVersion: 'v1.36.3',
      nodes: { ready: 1, total: 1 },
      reportedAt: 1,
      ...this.states.get(name),
    };
  }
}
