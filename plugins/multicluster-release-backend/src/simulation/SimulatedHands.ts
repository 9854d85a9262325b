import type {
  Effect,
  Hands,
  InventoryItem,
  Observer,
  Outcome,
  TargetPreview,
  WriteFence,
} from 'backstage-plugin-multicluster-release-node';
import { contentOf, COPY, objectsOf, VERSION_BEFORE } from './contents';
import type { Random } from './random';
import type { ReplicaClock } from './ReplicaClock';
import { isNewer, type SimulatedCluster, type SimulatedObject } from './SimulatedCluster';
import type { SimulatedFleet } from './SimulatedFleet';
import { SimulatedObserver } from './SimulatedObserver';
import type { SimulatedTime } from './SimulatedTime';

export const REQUEST_TIMEOUT_MILLISECONDS = 10_000;

const JOB_MILLISECONDS = 8_000;

/** What the checkers need to know of every request that writes. */
export interface WriteRecord {
  at: number;
  cluster: string;
  object: string;
  kind: 'apply' | 'remove';
  holder: string;
  ticket: number;
  sequence: number;
  digest: string | undefined;
}

export interface SimulatedHandsOptions {
  holder: string;
  time: SimulatedTime;
  clock: ReplicaClock;
  clusters: ReadonlyMap<string, SimulatedCluster>;
  /** Only who is on the list is dialled. */
  fleet: SimulatedFleet;
  random: Random;
  /** Called when a request leaves. */
  onSend: (record: WriteRecord) => void;
}

type Answer = 'ok' | 'conflict' | 'silence';

/** The hands of one replica over simulated clusters: the same port, the same rules of stamps, fences and preconditions. */
export class SimulatedHands implements Hands {
  constructor(private readonly options: SimulatedHandsOptions) {}

  async perform(effect: Effect, fence: WriteFence): Promise<Outcome> {
    const cluster = this.cluster(effect.target.cluster);
    const silence = await this.read(cluster);
    if (silence) {
      return silence;
    }
    const mood = this.moodOf(effect, cluster);
    if (mood) {
      return mood;
    }
    switch (effect.kind) {
      case 'check':
        return this.check(effect, cluster);
      case 'apply':
        return this.apply(effect, fence, cluster);
      case 'remove':
        return this.remove(effect, fence, cluster);
      case 'weight':
        return this.weigh(effect, fence, cluster);
      default:
        return this.analyse(effect, cluster);
    }
  }

  observer(onChange: () => void): Observer {
    return new SimulatedObserver(this.options, onChange);
  }

  async preview(): Promise<TargetPreview> {
    throw new Error('the simulation starts releases without a preview');
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

  /** Where the record knows nothing to go back to, and nothing bears our mark, what is there is kept. */
  private check(effect: Effect, cluster: SimulatedCluster): Outcome {
    const isWeighted = effect.weight !== undefined;
    const names = effect.digest === undefined ? [] : objectsOf(effect.digest, isWeighted);
    const content = effect.digest === undefined ? [] : objectsOf(effect.digest);
    const live = content.flatMap(name => cluster.object(name) ?? []);
    const foreign = live.length > 0 && live.every(({ stamp }) => stamp === undefined);
    const items = names.map(name => inventoryItem(effect, cluster, name));
    return {
      result: 'done',
      data: {
        kind: 'check',
        inventory: merged(effect.inventory, items),
        ...(effect.fromDigest === undefined &&
          foreign && { beforeDigest: contentOf(VERSION_BEFORE).digest }),
      },
    };
  }

  private async apply(
    effect: Effect,
    fence: WriteFence,
    cluster: SimulatedCluster,
  ): Promise<Outcome> {
    const names = effect.digest === undefined ? [] : objectsOf(effect.digest);
    const items: InventoryItem[] = [];
    for (const name of names) {
      items.push(inventoryItem(effect, cluster, name));
      const refusal = await this.write(effect, fence, cluster, name);
      if (refusal) {
        return refusal;
      }
    }
    return applied(merged(effect.inventory, items), names.length);
  }

  /** The new version comes beside what runs; one pod is as near to any weight as it gets. */
  private async weigh(
    effect: Effect,
    fence: WriteFence,
    cluster: SimulatedCluster,
  ): Promise<Outcome> {
    const item = inventoryItem(effect, cluster, COPY);
    const refusal = await this.write(effect, fence, cluster, COPY);
    const inventory = merged(effect.inventory, [item]);
    const pods = { canary: 1, stable: 3 };
    return refusal ?? { result: 'done', data: { kind: 'weight', inventory, pods, reached: 25 } };
  }

  /** Jobs are made once for an attempt, run for a while, and end badly where pods crash by then. */
  private analyse({ id, stamp, inventory }: Effect, cluster: SimulatedCluster): Outcome {
    const now = this.options.time.now();
    const name = `${stamp.sequence} ${id.slice(0, id.lastIndexOf('/'))}`;
    const madeAt = cluster.jobs.get(name) ?? now;
    cluster.jobs.set(name, madeAt);
    const answer = (verdict: 'passed' | 'failed' | 'running'): Outcome => ({
      result: 'done',
      data: { kind: 'analyse', verdict, inventory },
    });
    if (now < madeAt + JOB_MILLISECONDS) {
      return answer('running');
    }
    if (cluster.weather.sick) {
      return answer('failed');
    }
    cluster.passedJobs.push({ sequence: stamp.sequence, at: now });
    return answer('passed');
  }

  /** Takes away what of ours is no longer in the content. */
  private async remove(
    effect: Effect,
    fence: WriteFence,
    cluster: SimulatedCluster,
  ): Promise<Outcome> {
    const stays = new Set(effect.digest === undefined ? [] : objectsOf(effect.digest));
    const goes = effect.inventory.filter(item => item.createdByUs && !stays.has(item.name));
    for (const { name } of goes.filter(item => cluster.object(item.name)?.stamp)) {
      const refusal = await this.write(effect, fence, cluster, name);
      if (refusal) {
        return refusal;
      }
    }
    return applied(
      effect.inventory.filter(item => !goes.includes(item)),
      stays.size,
    );
  }

  /** One object: read, compare stamps, ask the fence, send with what was read as the precondition. */
  private async write(
    effect: Effect,
    fence: WriteFence,
    cluster: SimulatedCluster,
    name: string,
  ): Promise<Outcome | undefined> {
    const silence = await this.read(cluster);
    if (silence) {
      return silence;
    }
    const live = cluster.object(name);
    if (live?.stamp && isNewer(live.stamp, effect.stamp)) {
      return { result: 'leaseLost', message: 'a newer stamp is on the cluster' };
    }
    if (!fence.mayWrite(REQUEST_TIMEOUT_MILLISECONDS)) {
      return { result: 'leaseLost', message: 'the lease ends too soon' };
    }
    switch (await this.send(effect, cluster, name, live)) {
      case 'ok':
        return undefined;
      case 'conflict':
        return { result: 'retry', message: 'somebody else writes to it at the same time' };
      default:
        return { result: 'unreachable', message: 'no answer in time' };
    }
  }

  /** Undefined where the cluster has answered. */
  private async read(cluster: SimulatedCluster): Promise<Outcome | undefined> {
    const { clock } = this.options;
    const { cut, latency } = cluster.weather;
    await clock.delay(cut?.kind === 'frozen' ? REQUEST_TIMEOUT_MILLISECONDS : latency);
    return cluster.weather.cut || !this.options.fleet.isListed(cluster.name)
      ? { result: 'unreachable', message: 'connection refused' }
      : undefined;
  }

  /**
   * The request travels on its own: it lands although its sender is killed, falls
   * asleep or has given up, unless the API server gave up, too.
   */
  private async send(
    effect: Effect,
    cluster: SimulatedCluster,
    name: string,
    seen: SimulatedObject | undefined,
  ): Promise<Answer> {
    const { time, clock, random } = this.options;
    const record = this.record(effect, cluster, name);
    this.options.onSend(record);
    if (cluster.weather.cut?.kind === 'refused') {
      await clock.delay(cluster.weather.latency);
      return 'silence';
    }
    const travels = random.between(0, cluster.weather.latency);
    const lost = random.chance(cluster.weather.lostReplies);
    let answer: Answer = 'silence';
    const land = () => {
      answer = this.land(record, effect, cluster, seen);
    };
    if (travels < REQUEST_TIMEOUT_MILLISECONDS) {
      time.after(travels, () => cluster.arrive(land));
    }
    await clock.delay(Math.min(cluster.weather.latency, REQUEST_TIMEOUT_MILLISECONDS));
    if (answer === 'silence' || lost) {
      await clock.delay(REQUEST_TIMEOUT_MILLISECONDS - cluster.weather.latency);
      return 'silence';
    }
    return answer;
  }

  private land(
    record: WriteRecord,
    effect: Effect,
    cluster: SimulatedCluster,
    seen: SimulatedObject | undefined,
  ): Answer {
    const { object, kind, digest } = record;
    const live = cluster.object(object);
    if (live?.version !== seen?.version) {
      return 'conflict';
    }
    if (kind === 'remove') {
      cluster.remove(object);
    } else {
      const { sequence, ticket } = effect.stamp;
      cluster.write(object, { digest: digest ?? '', stamp: { sequence, ticket } });
    }
    return 'ok';
  }

  private record(effect: Effect, cluster: SimulatedCluster, object: string): WriteRecord {
    const { sequence, ticket } = effect.stamp;
    return {
      at: this.options.time.now(),
      cluster: cluster.name,
      object,
      kind: effect.kind === 'remove' ? 'remove' : 'apply',
      holder: this.options.holder,
      ticket,
      sequence,
      digest: effect.digest,
    };
  }

  private cluster(name: string): SimulatedCluster {
    const cluster = this.options.clusters.get(name);
    if (!cluster) {
      throw new Error(`no simulated cluster ${name}`);
    }
    return cluster;
  }
}

function inventoryItem(effect: Effect, cluster: SimulatedCluster, name: string): InventoryItem {
  const known = effect.inventory.find(item => item.name === name);
  const live = cluster.object(name);
  // Who is not in the inventory and yet bears our mark was made by a write whose answer was lost,
  // unless it was there before us: it is the same object, whoever stamped it since.
  const isOurs = known?.createdByUs !== false && live?.stamp !== undefined && !live.foreign;
  const createdByUs = !live || isOurs;
  return { apiVersion: 'v1', kind: 'ConfigMap', name, createdByUs };
}

function merged(old: InventoryItem[], items: InventoryItem[]): InventoryItem[] {
  const names = new Set(items.map(({ name }) => name));
  return [...items, ...old.filter(({ name }) => !names.has(name))];
}

function applied(inventory: InventoryItem[], count: number): Outcome {
  return {
    result: 'done',
    data: { kind: 'apply', inventory, created: 0, configured: count, unchanged: 0 },
  };
}
