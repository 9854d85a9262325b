import type { World } from './World';

/** Something goes wrong somewhere, for a while. */
export function drawFault(world: World): void {
  const { random } = world;
  const fault = random.pick([
    outage,
    outage,
    slowPods,
    oldStatus,
    lostReplies,
    moods,
    moods,
    killReplica,
    killReplica,
    sleepyReplica,
    databaseErrors,
  ]);
  fault(world);
}

function forAWhile(world: World, longest: number, end: () => void): void {
  world.time.after(world.random.between(1_000, longest), end);
}

function outage(world: World): void {
  const cluster = world.random.pick([...world.clusters.values()]);
  world.note(`${cluster.name} is unreachable`);
  cluster.weather.reachable = false;
  forAWhile(world, 240_000, () => {
    cluster.weather.reachable = true;
  });
}

function slowPods(world: World): void {
  const cluster = world.random.pick([...world.clusters.values()]);
  cluster.weather.readyAfter = world.random.between(10_000, 400_000);
  forAWhile(world, 120_000, () => {
    cluster.weather.readyAfter = 2_000;
  });
}

function oldStatus(world: World): void {
  const cluster = world.random.pick([...world.clusters.values()]);
  cluster.weather.statusLag = world.random.between(1_000, 15_000);
  forAWhile(world, 120_000, () => {
    cluster.weather.statusLag = 100;
  });
}

function lostReplies(world: World): void {
  const cluster = world.random.pick([...world.clusters.values()]);
  cluster.weather.lostReplies = 0.5;
  forAWhile(world, 60_000, () => {
    cluster.weather.lostReplies = 0;
  });
}

function moods(world: World): void {
  const cluster = world.random.pick([...world.clusters.values()]);
  const mood = world.random.pick(['surprises', 'surprises', 'refusals', 'troubles'] as const);
  cluster.weather[mood] = 0.7;
  forAWhile(world, 120_000, () => {
    cluster.weather[mood] = 0;
  });
}

function killReplica(world: World): void {
  if (world.replicas.length === 0) {
    return;
  }
  const replica = world.random.pick(world.replicas);
  world.note(`${replica.name} is killed`);
  world.kill(replica);
  forAWhile(world, 60_000, () => world.addReplica());
}

/** Sleeps past its lease and wakes in the middle of what it was doing. */
function sleepyReplica(world: World): void {
  if (world.replicas.length === 0) {
    return;
  }
  const replica = world.random.pick(world.replicas);
  world.note(`${replica.name} sleeps`);
  replica.clock.sleep();
  forAWhile(world, 120_000, () => replica.clock.awake());
}

function databaseErrors(world: World): void {
  for (const { store } of world.replicas) {
    store.errors = 0.3;
  }
  forAWhile(world, 30_000, () => {
    for (const { store } of world.replicas) {
      store.errors = 0;
    }
  });
}
