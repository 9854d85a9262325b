export interface SimulatedObject {
  digest: string;
  stamp: { sequence: number; ticket: number };
  writtenAt: number;
}

/** How a cluster misbehaves now; a person or the fault plan changes it. */
export interface Weather {
  reachable: boolean;
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
}

export const FAIR_WEATHER: Weather = {
  reachable: true,
  latency: 20,
  readyAfter: 2_000,
  statusLag: 100,
  lostReplies: 0,
  surprises: 0,
  refusals: 0,
  troubles: 0,
};

/** What the checkers need to know of every write: who sent it, under which claim, for which release. */
export interface WriteRecord {
  at: number;
  cluster: string;
  releaseId: string;
  holder: string;
  ticket: number;
  sequence: number;
  digest: string | undefined;
}

type Snapshot = {
  at: number;
  digest: string | undefined;
  stamp: Stamp | undefined;
  healthyFrom: number;
};
type Stamp = SimulatedObject['stamp'];

/** One cluster with two objects of the service, so that half an apply can be seen. */
export class SimulatedCluster {
  readonly objects = new Map<string, SimulatedObject>();
  weather: Weather = { ...FAIR_WEATHER };
  private history: Snapshot[] = [];

  constructor(readonly name: string, private readonly badDigests: ReadonlySet<string>) {}

  static readonly OBJECT_NAMES = ['config', 'workload'];

  write(objectName: string, object: SimulatedObject): void {
    this.objects.set(objectName, object);
    this.remember(object.writtenAt);
  }

  remove(objectName: string, at: number): void {
    this.objects.delete(objectName);
    this.remember(at);
  }

  private remember(at: number): void {
    const digest = this.digest();
    const previous = this.history.at(-1);
    // A new stamp alone restarts no pod.
    const healthyFrom =
      previous && previous.digest === digest ? previous.healthyFrom : at + this.weather.readyAfter;
    this.history.push({ at, digest, stamp: this.lowestStamp(), healthyFrom });
  }

  /** What an observer reads that sees the cluster as it was at that time: content, stamp and health together. */
  seenAt(at: number): { stamp: Stamp | undefined; health: 'Healthy' | 'Progressing' | 'Failed' } {
    const entry = this.entryAt(at);
    return { stamp: entry?.stamp, health: this.healthOf(entry, at) };
  }

  private entryAt(at: number): Snapshot | undefined {
    return this.history.filter(({ at: since }) => since <= at).at(-1);
  }

  private healthOf(entry: Snapshot | undefined, at: number): 'Healthy' | 'Progressing' | 'Failed' {
    if (!entry?.digest || at < entry.healthyFrom) {
      return 'Progressing';
    }
    return this.badDigests.has(entry.digest) ? 'Failed' : 'Healthy';
  }

  /** The content of which all objects are there; undefined where they are mixed or missing. */
  digest(): string | undefined {
    const digests = new Set(
      SimulatedCluster.OBJECT_NAMES.map(name => this.objects.get(name)?.digest),
    );
    return digests.size === 1 ? [...digests][0] : undefined;
  }

  private lowestStamp(): Stamp | undefined {
    const stamps = SimulatedCluster.OBJECT_NAMES.map(name => this.objects.get(name)?.stamp);
    if (stamps.some(stamp => stamp === undefined)) {
      return undefined;
    }
    return (stamps as Stamp[]).reduce((low, stamp) => (isLower(stamp, low) ? stamp : low));
  }

  /** Whether the pods were healthy for exactly this content at some moment of the span: the truth, which no observer sees at once. */
  wasHealthyBetween(digest: string, from: number, to: number): boolean {
    const moments = [from, to, ...this.history.flatMap(entry => [entry.at, entry.healthyFrom])];
    return moments.some(at => {
      const entry = at >= from && at <= to ? this.entryAt(at) : undefined;
      return entry?.digest === digest && this.healthOf(entry, at) === 'Healthy';
    });
  }
}

function isLower(a: Stamp, b: Stamp): boolean {
  return a.sequence < b.sequence || (a.sequence === b.sequence && a.ticket < b.ticket);
}
