import type {
  Effect,
  Hands,
  ObserveRequest,
  Observer,
  Outcome,
  PreviewRequest,
  TargetObservation,
  TargetPreview,
} from 'backstage-plugin-multicluster-release-node';

/**
 * Hands over clusters that do what they are told at once. `crashing` versions'
 * digests never get healthy; `previews` replaces the answer of a cluster.
 */
export class FakeHands implements Hands {
  readonly performed: Effect[] = [];
  readonly previewed: PreviewRequest[] = [];
  /** Happens while a preview is under way. */
  duringPreview: () => Promise<void> = async () => {};
  readonly previews = new Map<string, Partial<TargetPreview>>();
  /** Digest that each target shows, by key. */
  readonly shown = new Map<string, { digest?: string; stamp: Effect['stamp'] }>();

  async perform(effect: Effect): Promise<Outcome> {
    this.performed.push(effect);
    if (effect.kind === 'check') {
      return { result: 'done', data: { kind: 'check', inventory: effect.inventory } };
    }
    if (effect.kind === 'apply') {
      this.shown.set(effect.key, { digest: effect.digest, stamp: effect.stamp });
      return {
        result: 'done',
        data: { kind: 'apply', inventory: [], created: 1, configured: 0, unchanged: 0 },
      };
    }
    return { result: 'done' };
  }

  observer(): Observer {
    let watched: ObserveRequest[] = [];
    return {
      watch: requests => {
        watched = requests;
      },
      latest: () => watched.map(request => this.observe(request)),
      close: () => {},
    };
  }

  async preview(request: PreviewRequest): Promise<TargetPreview> {
    this.previewed.push(request);
    await this.duringPreview();
    const { cluster, namespace } = request.target;
    return {
      key: request.key,
      clusterState: 'ok',
      changes: [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          namespace,
          name: 'checkout',
          change: request.fromDigest ? 'configured' : 'created',
          fields: [],
        },
      ],
      findings: [],
      risks: [],
      ...this.previews.get(cluster),
    };
  }

  /** Applies that brought content to a cluster, in order. */
  writtenClusters(): string[] {
    return this.performed
      .filter(({ kind }) => kind === 'apply')
      .map(({ target }) => target.cluster);
  }

  private observe({ key }: ObserveRequest): TargetObservation {
    const shown = this.shown.get(key);
    return {
      key,
      at: Date.now(),
      reachable: true,
      clusterState: 'ok',
      stamp: shown?.stamp,
      health: { state: 'Healthy', ready: 1, total: 1 },
    };
  }
}
