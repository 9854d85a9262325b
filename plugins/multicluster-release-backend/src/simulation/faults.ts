import { contentOf, FIRST_VERSION, objectsOf } from './contents';
import type { FaultName, Move } from './script';
import { FAIR_WEATHER, type SimulatedCluster, type Weather } from './SimulatedCluster';
import type { Replica, World } from './World';

export type FaultMove = Extract<Move, { do: 'fault' }>;

/** Something goes wrong somewhere, for a while. */
export function strike(world: World, move: FaultMove): void {
  const names = [...world.clusters.keys()];
  const cluster = world.clusters.get(names[move.on % names.length]);
  const replica = world.replicas[move.on % Math.max(1, world.replicas.length)];
  const onCluster = ON_CLUSTERS[move.fault];
  if (onCluster && cluster) {
    world.note(`${cluster.name}: ${move.fault}`);
    onCluster(world, move, cluster);
  }
  const onReplica = ON_REPLICAS[move.fault];
  if (onReplica && replica) {
    world.note(`${replica.name}: ${move.fault}`);
    onReplica(world, move, replica);
  }
}

type OnCluster = (world: World, move: FaultMove, cluster: SimulatedCluster) => void;
type OnReplica = (world: World, move: FaultMove, replica: Replica) => void;

/** Bad weather until its time is over; the later of two of a kind ends both. */
function weather(change: (value: number, now: number) => Partial<Weather>): OnCluster {
  return (world, { value, lasts }, cluster) => {
    const changed = change(value, world.time.now());
    cluster.change(changed);
    world.time.after(lasts, () => cluster.change(fair(changed)));
  };
}

function fair(changed: Partial<Weather>): Partial<Weather> {
  return Object.fromEntries(
    Object.keys(changed).map(key => [key, FAIR_WEATHER[key as keyof Weather]]),
  );
}

function between(from: number, to: number, value: number): number {
  return Math.round(from + value * (to - from));
}

const ON_CLUSTERS: Partial<Record<FaultName, OnCluster>> = {
  outage: weather((_, since) => ({ cut: { kind: 'refused', since } })),
  freeze: weather((_, since) => ({ cut: { kind: 'frozen', since } })),
  flapping: flap,
  slowPods: weather(value => ({ readyAfter: between(10_000, 400_000, value) })),
  slowRequests: weather(value => ({ latency: between(500, 12_000, value) })),
  oldStatus: weather(value => ({ statusLag: between(1_000, 60_000, value) })),
  lostReplies: weather(() => ({ lostReplies: 0.5 })),
  sickPods: weather(() => ({ sick: true })),
  silence: weather(() => ({ unmeasured: true })),
  surprises: weather(() => ({ surprises: 0.7 })),
  refusals: weather(() => ({ refusals: 0.7 })),
  troubles: weather(() => ({ troubles: 0.7 })),
  oldWriter: intrude,
};

const ON_REPLICAS: Partial<Record<FaultName, OnReplica>> = {
  killReplica(world, { value, lasts }, replica) {
    if (value < 0.5) {
      // In the middle of its work: right after it has sent a write.
      replica.killAfterWrite = true;
    } else {
      world.kill(replica);
    }
    world.time.after(lasts, () => world.addReplica());
  },
  /** Sleeps past its lease and wakes in the middle of what it was doing. */
  sleepyReplica(world, { lasts }, replica) {
    replica.clock.sleep();
    world.time.after(lasts, () => replica.clock.awake());
  },
  databaseErrors(world, { value, lasts }) {
    troubleDatabase(world, lasts / 4);
    world.stores().forEach(store => {
      store.errors = 0.1 + 0.4 * value;
    });
    world.time.after(lasts / 4, () =>
      world.stores().forEach(store => {
        store.errors = 0;
      }),
    );
  },
  slowDatabase(world, { value, lasts }) {
    troubleDatabase(world, lasts);
    world.stores().forEach(store => {
      store.slowness = between(500, 20_000, value);
    });
    world.time.after(lasts, () =>
      world.stores().forEach(store => {
        store.slowness = 10;
      }),
    );
  },
};

function troubleDatabase(world: World, lasts: number): void {
  const until = world.time.now() + lasts;
  world.databaseTroubledUntil = Math.max(world.databaseTroubledUntil, until);
}

/** Answers and does not, in turn. */
function flap(world: World, { value, lasts }: FaultMove, cluster: SimulatedCluster): void {
  const period = between(500, 8_000, value);
  const until = world.time.now() + lasts;
  const next = (isCut: boolean) => {
    const since = world.time.now();
    cluster.change({ cut: isCut ? { kind: 'refused', since } : undefined });
    if (since < until || isCut) {
      world.time.after(period, () => next(!isCut));
    }
  };
  next(true);
}

/** Somebody brings back an old object, with its old stamp, where a release works now. */
function intrude(world: World, _: FaultMove, cluster: SimulatedCluster): void {
  const guards = world.database
    .active()
    .some(({ run }) =>
      run.targets.some(
        target =>
          target.cluster === cluster.name &&
          ['Verifying', 'Soaking', 'Done'].includes(target.state) &&
          target.touched,
      ),
    );
  const { digest } = contentOf(FIRST_VERSION);
  if (guards) {
    world.facts.intrusions.set(cluster.name, world.time.now());
    objectsOf(digest)
      .filter(name => cluster.object(name))
      .forEach(name => cluster.write(name, { digest, stamp: { sequence: 1, ticket: 1 } }));
  }
}
