import { isFinalRelease } from 'backstage-plugin-multicluster-release-common';
import { createRun, type ReleaseRun } from '../decide';
import { Engine } from '../engine';
import { checkCommit, checkEnd, checkWrite } from './checkers';
import { drawFault } from './faults';
import { helpfulPerson, drawOrder } from './people';
import { Random } from './random';
import { contentOf, drawScenario, keyOf, type Scenario } from './scenario';
import { FAIR_WEATHER, SimulatedCluster } from './SimulatedCluster';
import { SimulatedHands } from './SimulatedHands';
import { SimulatedDatabase, SimulatedStore } from './SimulatedStore';
import { ReplicaClock, SimulatedTime } from './SimulatedTime';

const LEASE_MILLISECONDS = 30_000;
const FRESH_MILLISECONDS = 20_000;
const FAULTS_LAST_MILLISECONDS = 15 * 60_000;
const MUST_END_WITHIN_MILLISECONDS = 12 * 3_600_000;
const RELEASE_ID = 'r1';
const SEQUENCE = 10;

export interface Replica {
  name: string;
  clock: ReplicaClock;
  store: SimulatedStore;
  engine: Engine;
}

/** One seeded world: clusters, a database, replicas that die and sleep, people who press buttons. */
export class World {
  readonly time = new SimulatedTime();
  readonly random: Random;
  readonly clusters: Map<string, SimulatedCluster>;
  readonly database: SimulatedDatabase;
  readonly replicas: Replica[] = [];
  readonly log: string[] = [];
  private readonly scenario: Scenario;
  private violation: unknown;
  private born = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.scenario = drawScenario(this.random);
    this.database = new SimulatedDatabase(this.time);
    this.clusters = new Map(
      this.scenario.clusterNames.map(name => [name, this.buildCluster(name)]),
    );
    this.database.onCommit = (before, after) => this.watchCommit(before, after);
    this.database.insert(this.firstRun());
    this.addReplica();
    if (this.random.chance(0.5)) {
      this.addReplica();
    }
  }

  /** First safety under faults; then the faults stop and everything must end. */
  async run(): Promise<ReleaseRun> {
    const faultsEnd = this.time.now() + FAULTS_LAST_MILLISECONDS;
    this.scheduleTrouble(faultsEnd);
    await this.runUntil(faultsEnd, () => false);
    this.clearSky();
    const end = this.time.now() + MUST_END_WITHIN_MILLISECONDS;
    this.scheduleHelp(end);
    await this.runUntil(end, () => !this.current().needsWork);
    checkEnd(this.current(), this.clusters);
    return this.current();
  }

  current(): ReleaseRun {
    return this.database.row(RELEASE_ID).run;
  }

  order(change: (run: ReleaseRun) => void): void {
    this.guard(() => this.database.change(RELEASE_ID, change));
    this.replicas.forEach(({ engine }) => engine.wake(RELEASE_ID));
  }

  note(text: string): void {
    this.log.push(`${new Date(this.time.now()).toISOString().slice(11, 19)} ${text}`);
  }

  addReplica(): void {
    this.born += 1;
    const name = `replica-${this.born}`;
    const clock = new ReplicaClock(this.time);
    const store = new SimulatedStore(this.database, clock, this.random);
    const hands = new SimulatedHands({
      holder: name,
      clock,
      clusters: this.clusters,
      random: this.random,
      releaseOf: () => RELEASE_ID,
      onWrite: write => this.guard(() => checkWrite(write, this.database)),
    });
    const engine = new Engine({
      store,
      hands,
      clock,
      holder: name,
      leaseMilliseconds: LEASE_MILLISECONDS,
      pollMilliseconds: 5_000,
      maxReleases: 10,
      timeScale: 1,
      freshMilliseconds: FRESH_MILLISECONDS,
      onChange: () => {},
      onError: (_, error) => this.surprise(error),
    });
    this.replicas.push({ name, clock, store, engine });
    engine.start();
  }

  kill(replica: Replica): void {
    replica.clock.kill();
    this.replicas.splice(this.replicas.indexOf(replica), 1);
  }

  /** Errors of the simulated network are expected; anything else is a fault of ours. */
  private surprise(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (!/was reset|was lost/.test(message)) {
      this.violation ??= error;
    }
  }

  private guard(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.violation ??= error;
    }
  }

  private watchCommit(before: ReleaseRun, after: ReleaseRun): void {
    const states = after.targets.map(({ cluster, state }) => `${cluster}:${state}`).join(' ');
    this.note(`${after.state} stage ${after.stage} ${states}`);
    this.guard(() =>
      checkCommit(before, after, this.clusters, this.time.now(), FRESH_MILLISECONDS),
    );
  }

  private async runUntil(until: number, over: () => boolean): Promise<void> {
    while (!over() && (await this.time.step(until))) {
      if (this.violation) {
        throw this.violation;
      }
    }
    if (this.violation) {
      throw this.violation;
    }
  }

  private scheduleTrouble(until: number): void {
    this.time.after(this.random.between(1_000, 60_000), () => {
      if (this.time.now() < until) {
        if (this.random.chance(0.8)) {
          drawFault(this);
        } else {
          drawOrder(this);
        }
        this.scheduleTrouble(until);
      }
    });
  }

  private scheduleHelp(until: number): void {
    this.time.after(30_000, () => {
      if (this.time.now() < until && !isFinalRelease(this.current().state)) {
        helpfulPerson(this);
        this.scheduleHelp(until);
      }
    });
  }

  private clearSky(): void {
    this.note('faults stop');
    this.clusters.forEach(cluster => {
      cluster.weather = { ...FAIR_WEATHER };
    });
    this.replicas.forEach(({ clock, store }) => {
      store.errors = 0;
      clock.awake();
    });
    if (this.replicas.length === 0) {
      this.addReplica();
    }
  }

  private buildCluster(name: string): SimulatedCluster {
    const cluster = new SimulatedCluster(name, this.scenario.bad.get(name) ?? new Set());
    const { digest } = contentOf(name, '1.0.0');
    for (const object of SimulatedCluster.OBJECT_NAMES) {
      cluster.write(object, {
        digest,
        stamp: { sequence: 1, ticket: 1 },
        writtenAt: this.time.now() - 3_600_000,
      });
    }
    return cluster;
  }

  private firstRun(): ReleaseRun {
    const current = new Map(
      this.scenario.clusterNames.map(name => [
        keyOf(name),
        { content: contentOf(name, '1.0.0'), sequence: 1, inventory: [] },
      ]),
    );
    return createRun({
      id: RELEASE_ID,
      plan: this.scenario.plan,
      sequence: SEQUENCE,
      current,
      acceptedRisks: new Map(),
      now: this.time.now(),
    });
  }
}
