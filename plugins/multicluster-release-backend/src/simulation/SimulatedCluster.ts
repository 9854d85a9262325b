import { COPY, objectsOf, versionOf } from './contents';

export interface StampOnCluster {
  sequence: number;
  ticket: number;
}

export interface SimulatedObject {
  digest: string;
  /** Undefined on what was there before us. */
  stamp?: StampOnCluster;
  /** It was there before us; it stays so through all writes. */
  foreign?: boolean;
  /** Counts up with every write to the cluster: uid and resourceVersion at once. */
  version: number;
}

/** How a cluster misbehaves now; the fault plan changes it. */
export interface Weather {
  /** `refused`: requests fail at once; `frozen`: they hang, and those that were sent are taken up at the thaw. */
  cut?: { kind: 'refused' | 'frozen'; since: number };
  /** Milliseconds that one request takes. */
  latency: number;
  /** Milliseconds from a write to healthy pods. */
  readyAfter: number;
  /** Milliseconds by which its status lags behind the truth. */
  statusLag: number;
  /** Chance that the answer of a write is lost although it was done. */
  lostReplies: number;
  /** Chance that a check finds what the preview did not show. */
  surprises: number;
  /** Chance that a request is refused for good, and that it is to be tried again. */
  refusals: number;
  troubles: number;
  /** Pods crash, whatever their version. */
  sick: boolean;
  /** Nothing can be read of what its pods do. */
  unmeasured: boolean;
}

export const FAIR_WEATHER: Weather = {
  cut: undefined,
  latency: 20,
  readyAfter: 2_000,
  statusLag: 100,
  lostReplies: 0,
  surprises: 0,
  refusals: 0,
  troubles: 0,
  sick: false,
  unmeasured: false,
};

/** So long a connection that says nothing more is taken for a quiet one. */
const SILENCE_SEEN_AFTER_MILLISECONDS = 10_000;

interface Snapshot {
  at: number;
  objects: ReadonlyMap<string, SimulatedObject>;
  /** When the pods of the content run that came last. */
  healthyFrom: number;
  /** The same of the copy beside them. */
  copyHealthyFrom: number;
  weather: Weather;
}

export interface Sight {
  stamp: StampOnCluster | undefined;
  health: 'Healthy' | 'Progressing' | 'Failed';
}

export interface ClusterOptions {
  name: string;
  /** Versions that crash here. */
  crashes: ReadonlySet<string>;
  /** Versions whose measurements are bad here, and from when. */
  sours: ReadonlyMap<string, number>;
  now: () => number;
}

/** One cluster with the objects of one service, and all that it has been: the truth, which no observer sees at once. */
export class SimulatedCluster {
  readonly name: string;
  weather: Weather = { ...FAIR_WEATHER };
  private objects: ReadonlyMap<string, SimulatedObject> = new Map();
  private readonly history: Snapshot[] = [];
  private readonly listeners = new Set<(times: number[]) => void>();
  private parked: (() => void)[] = [];
  private writes = 0;
  /** When a Job was made, by what names it. */
  readonly jobs = new Map<string, number>();
  /** When Jobs have ended well, and for which sequence. */
  readonly passedJobs: { sequence: number; at: number }[] = [];

  constructor(private readonly options: ClusterOptions) {
    this.name = options.name;
  }

  object(name: string): SimulatedObject | undefined {
    return this.objects.get(name);
  }

  objectNames(): string[] {
    return [...this.objects.keys()].sort();
  }

  write(name: string, { digest, stamp }: Omit<SimulatedObject, 'version' | 'foreign'>): void {
    const before = this.objects.get(name);
    const foreign = before ? before.foreign : stamp === undefined;
    const object = { digest, stamp, foreign };
    this.writes += 1;
    this.objects = new Map(this.objects).set(name, { ...object, version: this.writes });
    // A new stamp alone restarts no pod.
    this.remember(before?.digest === object.digest ? undefined : name);
  }

  remove(name: string): void {
    const objects = new Map(this.objects);
    objects.delete(name);
    this.objects = objects;
    this.remember();
  }

  /** Changes the weather; what waited at a frozen API server is taken up at its thaw. */
  change(weather: Partial<Weather>): void {
    const { cut } = this.weather;
    this.weather = { ...this.weather, ...weather };
    if (cut && this.weather.cut) {
      // Who did not answer anyway has been silent since then.
      this.weather.cut = { ...this.weather.cut, since: cut.since };
    }
    this.remember();
    if (this.weather.cut?.kind !== 'frozen') {
      const parked = this.parked;
      this.parked = [];
      parked.forEach(land => land());
    }
  }

  /** A request reaches the API server, where something still answers. */
  arrive(land: () => void): void {
    const { cut } = this.weather;
    if (!cut) {
      land();
    } else if (cut.kind === 'frozen') {
      this.parked.push(land);
    }
  }

  /** Told of the times at which an observer without delay would see something new. */
  onChange(listener: (times: number[]) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** `restarts`: the object whose pods run something else from now on. */
  private remember(restarts?: string): void {
    const at = this.options.now();
    const { healthyFrom = -Infinity, copyHealthyFrom = -Infinity } = this.history.at(-1) ?? {};
    const ready = at + this.weather.readyAfter;
    const entry = {
      at,
      objects: this.objects,
      healthyFrom: restarts !== undefined && restarts !== COPY ? ready : healthyFrom,
      copyHealthyFrom: restarts === COPY ? ready : copyHealthyFrom,
      weather: this.weather,
    };
    this.history.push(entry);
    const times = [entry.healthyFrom, entry.copyHealthyFrom].filter(time => time > at);
    this.listeners.forEach(listener => listener([at, ...times]));
  }

  /** Of which time an observer knows who looks at that time; undefined: it does not answer. */
  knownAt(glance: number): number | undefined {
    const { cut, statusLag } = this.history[this.indexAt(glance)]?.weather ?? FAIR_WEATHER;
    const isSilent =
      cut?.kind === 'refused' || (cut && glance - cut.since >= SILENCE_SEEN_AFTER_MILLISECONDS);
    return isSilent ? undefined : Math.min(glance, cut?.since ?? glance) - statusLag;
  }

  private indexAt(at: number): number {
    let index = this.history.length - 1;
    while (index >= 0 && this.history[index].at > at) {
      index -= 1;
    }
    return index;
  }

  /** What shows who sees the cluster as it was at that time: lowest stamp of the content's objects, and health. */
  seenAt(at: number, digest: string | undefined, weighted = false): Sight {
    const entry = this.history[this.indexAt(at)];
    const names = digest === undefined ? undefined : objectsOf(digest, weighted);
    return { stamp: lowestStamp(entry, names), health: this.healthOf(entry, at, weighted) };
  }

  readsBadly(version: string): boolean {
    return this.options.now() >= (this.options.sours.get(version) ?? Infinity);
  }

  private healthOf(entry: Snapshot | undefined, at: number, weighted: boolean): Sight['health'] {
    const workload = entry?.objects.get(weighted ? COPY : 'workload');
    if (!entry || !workload || at < healthyFromOf(entry, weighted)) {
      return 'Progressing';
    }
    const crashes = entry.weather.sick || this.options.crashes.has(versionOf(workload.digest));
    return crashes ? 'Failed' : 'Healthy';
  }

  /** What a person reads of what is there. */
  describe(): string {
    return this.objectNames()
      .map(name => `${name}=${this.objects.get(name)?.digest}`)
      .join(' ');
  }

  /** Whether all of this content (or its copy) was there and healthy at some moment of the span. */
  wasHealthyBetween(digest: string, from: number, to: number, weighted = false): boolean {
    for (let index = this.indexAt(to); index >= 0; index--) {
      const entry = this.history[index];
      const until = Math.min(to, (this.history[index + 1]?.at ?? Infinity) - 1);
      if (until < from) {
        return false;
      }
      const at = Math.max(entry.at, healthyFromOf(entry, weighted));
      if (at <= until && this.isProof(entry, at, digest, weighted)) {
        return true;
      }
    }
    return false;
  }

  /** When this content (or its copy) was first healthy here, not before that time; undefined: never. */
  firstHealthyAfter(digest: string, from: number, weighted = false): number | undefined {
    const begin = (entry: Snapshot) => Math.max(entry.at, healthyFromOf(entry, weighted), from);
    const found = this.history.find(
      (entry, index) =>
        begin(entry) < (this.history[index + 1]?.at ?? Infinity) &&
        this.isProof(entry, begin(entry), digest, weighted),
    );
    return found && begin(found);
  }

  private isProof(entry: Snapshot, at: number, digest: string, weighted: boolean): boolean {
    const isThere = objectsOf(digest, weighted).every(
      name => entry.objects.get(name)?.digest === digest,
    );
    return isThere && this.healthOf(entry, at, weighted) === 'Healthy';
  }
}

function healthyFromOf(entry: Snapshot, weighted: boolean): number {
  return weighted ? entry.copyHealthyFrom : entry.healthyFrom;
}

function lowestStamp(
  entry: Snapshot | undefined,
  names: string[] = [...(entry?.objects.keys() ?? [])],
): StampOnCluster | undefined {
  const [first, ...others] = names.map(name => entry?.objects.get(name)?.stamp);
  return others.reduce(
    (low, stamp) => (low && stamp && isNewer(low, stamp) ? stamp : stamp && low),
    first,
  );
}

export function isNewer(a: StampOnCluster, b: StampOnCluster): boolean {
  return a.sequence > b.sequence || (a.sequence === b.sequence && a.ticket > b.ticket);
}
