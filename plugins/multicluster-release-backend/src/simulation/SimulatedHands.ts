import type {
  Effect,
  Hands,
  ObserveRequest,
  Observer,
  Outcome,
  TargetObservation,
  TargetPreview,
  WriteFence,
} from 'backstage-plugin-multicluster-release-node';
import type { Random } from './random';
import { SimulatedCluster, type WriteRecord } from './SimulatedCluster';
import type { ReplicaClock } from './SimulatedTime';

const REQUEST_TIMEOUT_MILLISECONDS = 5_000;
const OBSERVE_EVERY_MILLISECONDS = 1_000;

export interface SimulatedHandsOptions {
  holder: string;
  clock: ReplicaClock;
  clusters: ReadonlyMap<string, SimulatedCluster>;
  random: Random;
  releaseOf: (sequence: number) => string;
  onWrite: (record: WriteRecord) => void;
}

/** The hands of one replica over simulated clusters: the same port, the same rules of stamps and fences. */
export class SimulatedHands implements Hands {
  constructor(private readonly options: SimulatedHandsOptions) {}

  async perform(effect: Effect, fence: WriteFence): Promise<Outcome> {
    const cluster = this.cluster(effect.target.cluster);
    await this.options.clock.delay(cluster.weather.latency);
    if (!cluster.weather.reachable) {
      return { result: 'unreachable', message: 'connection refused' };
    }
    const mood = this.moodOf(effect, cluster);
    if (mood) {
      return mood;
    }
    switch (effect.kind) {
      case 'check':
        return { result: 'done', data: { kind: 'check', inventory: inventory() } };
      case 'apply':
        return this.apply(effect, fence, cluster);
      default:
        return this.remove(effect, fence, cluster);
    }
  }

  /** What an API server may answer instead of doing what it is asked. */
  private moodOf(effect: Effect, { weather, name }: SimulatedCluster): Outcome | undefined {
    const { random } = this.options;
    const surprise = `removal:${name}`;
    if (
      effect.kind === 'check' &&
      random.chance(weather.surprises) &&
      !effect.acceptedRisks.includes(surprise)
    ) {
      return { result: 'changedSincePreview', message: 'removes an object', risks: [surprise] };
    }
    if (random.chance(weather.refusals)) {
      return { result: 'refused', message: 'the API server says no' };
    }
    return random.chance(weather.troubles)
      ? { result: 'retry', message: 'internal error' }
      : undefined;
  }

  private async apply(
    effect: Effect,
    fence: WriteFence,
    cluster: SimulatedCluster,
  ): Promise<Outcome> {
    for (const name of SimulatedCluster.OBJECT_NAMES) {
      const refusal = await this.beforeWrite(effect, fence, cluster, name);
      if (refusal) {
        return refusal;
      }
      const { clock } = this.options;
      this.record(effect, cluster);
      cluster.write(name, {
        digest: effect.digest ?? '',
        stamp: effect.stamp,
        writtenAt: clock.now(),
      });
      if (this.options.random.chance(cluster.weather.lostReplies)) {
        await clock.delay(REQUEST_TIMEOUT_MILLISECONDS);
        return { result: 'unreachable', message: 'the answer was lost' };
      }
    }
    const data = {
      kind: 'apply' as const,
      inventory: inventory(),
      created: 0,
      configured: 2,
      unchanged: 0,
    };
    return { result: 'done', data };
  }

  private async remove(
    effect: Effect,
    fence: WriteFence,
    cluster: SimulatedCluster,
  ): Promise<Outcome> {
    if (effect.digest !== undefined) {
      return { result: 'done' };
    }
    for (const name of SimulatedCluster.OBJECT_NAMES) {
      const refusal = await this.beforeWrite(effect, fence, cluster, name);
      if (refusal) {
        return refusal;
      }
      this.record(effect, cluster);
      cluster.remove(name, this.options.clock.now());
    }
    return { result: 'done' };
  }

  /** Reads, checks stamp and fence, then lets the request travel; it lands as if at its start. */
  private async beforeWrite(
    effect: Effect,
    fence: WriteFence,
    cluster: SimulatedCluster,
    name: string,
  ): Promise<Outcome | undefined> {
    const { clock } = this.options;
    await clock.delay(cluster.weather.latency);
    const live = cluster.objects.get(name);
    if (live && isNewer(live.stamp, effect.stamp)) {
      return { result: 'leaseLost', message: 'a newer stamp is on the cluster' };
    }
    if (!fence.mayWrite(REQUEST_TIMEOUT_MILLISECONDS)) {
      return { result: 'leaseLost', message: 'the lease ends too soon' };
    }
    return cluster.weather.reachable
      ? undefined
      : { result: 'unreachable', message: 'connection reset' };
  }

  private record(effect: Effect, cluster: SimulatedCluster): void {
    const { sequence, ticket } = effect.stamp;
    this.options.onWrite({
      at: this.options.clock.now(),
      cluster: cluster.name,
      releaseId: this.options.releaseOf(sequence),
      holder: this.options.holder,
      ticket,
      sequence,
      digest: effect.digest,
    });
  }

  private cluster(name: string): SimulatedCluster {
    const cluster = this.options.clusters.get(name);
    if (!cluster) {
      throw new Error(`no simulated cluster ${name}`);
    }
    return cluster;
  }

  observer(onChange: () => void): Observer {
    return new SimulatedObserver(this.options, onChange);
  }

  async preview(): Promise<TargetPreview> {
    throw new Error('the simulation starts releases without a preview');
  }
}

/** Sees each watched cluster once a second, as it was `statusLag` ago. */
class SimulatedObserver implements Observer {
  private requests: ObserveRequest[] = [];
  private seen = new Map<string, TargetObservation>();
  private open = true;

  constructor(
    private readonly options: SimulatedHandsOptions,
    private readonly onChange: () => void,
  ) {
    this.observeLater();
  }

  watch(requests: ObserveRequest[]): void {
    this.requests = requests;
  }

  latest(): TargetObservation[] {
    return this.requests.flatMap(request => this.seen.get(request.key) ?? []);
  }

  close(): void {
    this.open = false;
  }

  private observeLater(): void {
    this.options.clock.after(OBSERVE_EVERY_MILLISECONDS, () => {
      if (this.open) {
        this.observe();
        this.observeLater();
      }
    });
  }

  private observe(): void {
    for (const request of this.requests) {
      const cluster = this.options.clusters.get(request.target.cluster);
      if (cluster) {
        this.seen.set(request.key, this.observation(request, cluster));
      }
    }
    this.onChange();
  }

  private observation(request: ObserveRequest, cluster: SimulatedCluster): TargetObservation {
    const at = this.options.clock.now() - cluster.weather.statusLag;
    if (!cluster.weather.reachable) {
      const health = { state: 'Unknown' as const, message: 'connection refused' };
      return {
        key: request.key,
        at: this.options.clock.now(),
        reachable: false,
        clusterState: 'unreachable',
        health,
      };
    }
    const { stamp, health } = cluster.seenAt(at);
    return {
      key: request.key,
      at,
      reachable: true,
      clusterState: 'ok',
      stamp,
      health: { state: health, ready: 1, total: 1 },
    };
  }
}

function inventory() {
  return SimulatedCluster.OBJECT_NAMES.map(name => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name,
    createdByUs: true,
  }));
}

function isNewer(
  a: { sequence: number; ticket: number },
  b: { sequence: number; ticket: number },
): boolean {
  return a.sequence > b.sequence || (a.sequence === b.sequence && a.ticket > b.ticket);
}
