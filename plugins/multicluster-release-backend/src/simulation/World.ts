import { isFinalRelease } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../decide';
import { forwardPlan } from '../decide/turn';
import { lookUpFleet } from '../controls/lookUpFleet';
import { Engine } from '../engine';
import { checkCommit } from './checkers/checkCommit';
import { checkEnd, type ClusterBefore } from './checkers/checkEnd';
import { checkWrite } from './checkers/checkWrite';
import type { Facts } from './checkers/facts';
import { keyOf, startRelease } from './commands';
import { contentOf, COPY, FIRST_VERSION, objectsOf, VERSION_BEFORE } from './contents';
import { giveControl } from './controls';
import { rememberFirstRelease } from './firstRelease';
import { strike } from './faults';
import { catchUp, changeMembers, joinFleet } from './members';
import { answerAll, pressButton } from './people';
import { orderRemoval } from './removals';
import { Random } from './random';
import { ReplicaClock } from './ReplicaClock';
import { FAULTS_LAST_MILLISECONDS, type ClusterDraft, type Move, type Script } from './script';
import { FAIR_WEATHER, SimulatedCluster } from './SimulatedCluster';
import { SimulatedFleet } from './SimulatedFleet';
import { SimulatedDatabase, type Row } from './SimulatedDatabase';
import { REQUEST_TIMEOUT_MILLISECONDS, SimulatedHands, type WriteRecord } from './SimulatedHands';
import { SimulatedMeasurer } from './SimulatedMeasurer';
import { NETWORK_ERRORS, SimulatedStore } from './SimulatedStore';
import { SimulatedTime } from './SimulatedTime';

const LEASE_MILLISECONDS = 30_000;
const FRESH_MILLISECONDS = 20_000;
const POLL_MILLISECONDS = 5_000;
const MUST_END_WITHIN_MILLISECONDS = 6 * 3_600_000;
const CATCH_UP_EVERY_MILLISECONDS = 60_000;
const ANSWER_EVERY_MILLISECONDS = 30_000;
/** So often a helpful person lets failed clusters try again before giving up. */
const TRIES = 2;

export interface Replica {
  name: string;
  clock: ReplicaClock;
  store: SimulatedStore;
  engine: Engine;
  killAfterWrite: boolean;
}

/** One world, played from its script: clusters, a database, replicas that die and sleep, people who press buttons. */
export class World {
  readonly time = new SimulatedTime();
  readonly clusters: Map<string, SimulatedCluster>;
  readonly fleet: SimulatedFleet;
  readonly database = new SimulatedDatabase(() => this.time.now());
  readonly replicas: Replica[] = [];
  readonly facts: Facts;
  private readonly before: ClusterBefore[];
  private readonly tries = new Map<string, number>();
  private readonly noted = new Map<string, string>();
  private readonly begin = this.time.now();
  /** Set by faults of the database. */
  databaseTroubledUntil = 0;
  /** The service has its entity in the catalog. */
  hasEntity = true;
  private violation: unknown;
  private born = 0;

  constructor(private readonly script: Script, private readonly log: string[] = []) {
    this.clusters = new Map(
      script.clusters.map(draft => [draft.name, this.buildCluster(draft)] as const),
    );
    this.fleet = new SimulatedFleet([...this.clusters.keys()], () => this.time.now());
    script.clusters.filter(({ late }) => late).forEach(({ name }) => this.fleet.leave(name));
    this.before = script.clusters.map(clusterBefore);
    this.facts = {
      now: () => this.time.now(),
      freshMilliseconds: FRESH_MILLISECONDS,
      clusters: this.clusters,
      database: this.database,
      fleet: this.fleet,
      hadRecord: new Set(),
      hasEntity: () => this.hasEntity,
      approved: new Set(),
      promoted: new Set(),
      votes: new Map(),
      skipped: new Map(),
      wanted: new Map(),
      removals: new Map(),
      accepted: new Set(),
      foreign: new Map(this.before.map(({ name, foreign }) => [name, foreign])),
      noticedAfter: (holder, at) => this.noticedAfter(holder, at),
      before: new Map(),
      intrusions: new Map(),
      taken: new Map(),
      readings: [],
    };
    rememberFirstRelease(
      this.database,
      script.clusters.flatMap(({ name, before }) => (before === 'managed' ? name : [])),
    );
    this.database.onCreate = run => run.queuedBehind === undefined && this.recordBefore(run);
    this.database.onCommit = (before, row, by) => this.watchCommit(before, row, by);
    Array.from({ length: script.replicas }, () => this.addReplica());
  }

  /** First safety under faults; then the faults stop and everything must end. */
  async run(): Promise<void> {
    for (const move of this.script.moves) {
      this.time.after(move.at, () => this.play(move));
    }
    this.catchUpLater();
    await this.runUntil(this.begin + FAULTS_LAST_MILLISECONDS, () => false);
    this.clearSky();
    const end = this.time.now() + MUST_END_WITHIN_MILLISECONDS;
    this.answerLater(end);
    await this.runUntil(end, () => this.isOver());
    this.guard(() => checkEnd(this.facts, this.before));
    this.throwViolation();
  }

  private catchUpLater(): void {
    this.time.after(CATCH_UP_EVERY_MILLISECONDS, () => {
      this.catchUp();
      this.catchUpLater();
    });
  }

  private catchUp(): void {
    this.facts.hadRecord = new Set(this.database.running.keys());
    catchUp(this);
  }

  private play(move: Move): void {
    switch (move.do) {
      case 'start':
        this.start(move);
        break;
      case 'remove':
        orderRemoval(this, move);
        break;
      case 'entity':
        this.hasEntity = move.change === 'back';
        this.note(`the entity of the service is ${move.change}`);
        break;
      case 'member':
        changeMembers(this, move);
        break;
      case 'order':
        pressButton(this, move);
        break;
      case 'control':
        giveControl(this, move);
        break;
      default:
        strike(this, move);
    }
  }

  private start(move: Extract<Move, { do: 'start' }>): void {
    const row = this.hasEntity ? startRelease(this.database, this.fleet, move) : 'refused';
    if (row === 'refused') {
      this.note(`${move.version} cannot be started`);
    } else {
      this.note(`${row.run.id} brings ${move.version}`);
      this.facts.approved.add(row.run.plans[0].hash);
      this.wakeAll();
    }
  }

  wakeAll(releaseId?: string): void {
    this.replicas
      .filter(({ clock }) => clock.isRunning())
      .forEach(({ engine }) => engine.wake(releaseId));
  }

  note(text: string): void {
    const seconds = (this.time.now() - this.begin) / 1000;
    this.log.push(`${seconds.toFixed(3)} s  ${text}`);
  }

  /** What is as it was is no line. */
  private noteOnce(subject: string, text: string): void {
    if (this.noted.get(subject) !== text) {
      this.noted.set(subject, text);
      this.note(text);
    }
  }

  stores(): SimulatedStore[] {
    return this.replicas.map(({ store }) => store);
  }

  /** Whether the helpful person lets the failed ones of this release try once more. */
  triesAgain(releaseId: string): boolean {
    const tries = this.tries.get(releaseId) ?? 0;
    this.tries.set(releaseId, tries + 1);
    return tries < TRIES;
  }

  addReplica(): void {
    this.born += 1;
    const name = `replica-${this.born}`;
    const clock = new ReplicaClock(this.time);
    const random = Random.named(this.script.seed, name);
    const lookUp = lookUpFleet(this.fleet, () => clock.now());
    const store = new SimulatedStore(this.database, clock, random, { fleet: this.fleet, lookUp });
    const hands = new SimulatedHands({
      holder: name,
      time: this.time,
      clock,
      clusters: this.clusters,
      fleet: this.fleet,
      random: Random.named(this.script.seed, `hands of ${name}`),
      onSend: write => this.watchWrite(write),
    });
    const measurer = new SimulatedMeasurer({
      clock,
      clusters: this.clusters,
      random: Random.named(this.script.seed, `measurements of ${name}`),
      onRead: reading => this.facts.readings.push(reading),
    });
    const engine = new Engine({
      store,
      hands,
      measurer,
      clock,
      holder: name,
      leaseMilliseconds: LEASE_MILLISECONDS,
      pollMilliseconds: POLL_MILLISECONDS,
      maxReleases: 10,
      timeScale: 1,
      freshMilliseconds: FRESH_MILLISECONDS,
      onChange: () => {},
      onError: (_, error) => this.surprise(error),
    });
    this.replicas.push({ name, clock, store, engine, killAfterWrite: false });
    engine.start();
  }

  kill(replica: Replica): void {
    this.note(`${replica.name} is killed`);
    replica.clock.kill();
    this.replicas.splice(this.replicas.indexOf(replica), 1);
  }

  /** Errors of the simulated network are expected; anything else is a fault of ours. */
  private surprise(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (!NETWORK_ERRORS.includes(message)) {
      this.violation ??= error;
    }
  }

  guard(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.violation ??= error;
    }
  }

  /**
   * One poll, the turn that it leads to, and the request that may be on its way;
   * while the database fails, as long as the lease lasts.
   */
  private noticedAfter(holder: string, orderedAt: number): number {
    const replica = this.replicas.find(({ name }) => name === holder);
    const awake = Math.max(orderedAt, replica?.clock.awakeSince() ?? 0);
    const isTroubled = this.databaseTroubledUntil > orderedAt;
    const calm = isTroubled
      ? Math.max(awake, this.databaseTroubledUntil) + LEASE_MILLISECONDS
      : awake;
    return calm + POLL_MILLISECONDS + REQUEST_TIMEOUT_MILLISECONDS;
  }

  private watchWrite(write: WriteRecord): void {
    this.note(
      `${write.holder} ${write.kind}s ${write.object} on ${write.cluster}: ${write.digest} ${write.sequence}.${write.ticket}`,
    );
    this.guard(() => checkWrite(write, this.facts));
    const replica = this.replicas.find(({ name }) => name === write.holder);
    if (replica?.killAfterWrite) {
      this.kill(replica);
    }
  }

  private watchCommit(before: ReleaseRun, { run }: Row, by: 'turn' | 'order' | 'other'): void {
    const states = run.targets.map(({ cluster, state }) => `${cluster}:${state}`).join(' ');
    this.noteOnce(run.id, `${by}: ${run.id} ${run.state} stage ${run.stage} ${states}`);
    if (run.queuedBehind === undefined && before.queuedBehind !== undefined) {
      this.recordBefore(run);
    }
    if (by === 'turn') {
      this.guard(() => checkCommit(before, run, this.facts));
    }
  }

  /** What the record says when a release is made, or has its turn, is what it must come back to. */
  private recordBefore(run: ReleaseRun): void {
    const isWayBack = forwardPlan(run).kind === 'rollback';
    for (const { key, cluster: name, from } of run.targets) {
      const record = this.database.running.get(key)?.digest;
      const cluster = this.clusters.get(name);
      const isOurs = cluster
        ?.objectNames()
        .some(object => object !== COPY && cluster.object(object)?.stamp);
      const adopted = this.before.find(before => before.name === name)?.adopted;
      // A way back from the first content of all comes from what is on no record as proven.
      const unproven = isWayBack ? from?.digest : undefined;
      this.facts.before.set(`${run.id}/${key}`, record ?? (isOurs ? unproven : adopted));
    }
  }

  private async runUntil(until: number, over: () => boolean): Promise<void> {
    while (!over() && (await this.time.step(until))) {
      this.throwViolation();
    }
    this.throwViolation();
  }

  private throwViolation(): void {
    if (this.violation) {
      throw this.violation;
    }
  }

  /** Everything has ended, and nobody catches up with it. */
  private isOver(): boolean {
    const isOver = this.hasEnded();
    if (isOver) {
      this.catchUp();
    }
    return isOver && this.hasEnded();
  }

  private hasEnded(): boolean {
    return [...this.database.rows.values()].every(
      ({ run }) => isFinalRelease(run.state) && !run.needsWork,
    );
  }

  private answerLater(until: number): void {
    this.time.after(ANSWER_EVERY_MILLISECONDS, () => {
      if (this.time.now() < until && !this.isOver()) {
        answerAll(this);
        this.answerLater(until);
      }
    });
  }

  private clearSky(): void {
    this.note('faults stop');
    this.clusters.forEach(cluster => cluster.change({ ...FAIR_WEATHER }));
    this.database.controls.endAll([...this.clusters.keys()]);
    this.fleet.mend();
    this.clusters.forEach((_, name) => joinFleet(this, name));
    this.replicas.forEach(replica => {
      replica.killAfterWrite = false;
      replica.store.errors = 0;
      replica.store.slowness = 10;
      replica.clock.awake();
    });
    if (this.replicas.length === 0) {
      this.addReplica();
    }
  }

  private buildCluster({ name, before, crashes, sours }: ClusterDraft): SimulatedCluster {
    const now = () => this.time.now();
    const cluster = new SimulatedCluster({
      ...{ name, now },
      crashes: new Set(crashes),
      sours: new Map(sours?.map(({ version, after }) => [version, this.begin + after])),
    });
    if (before === 'nothing') {
      return cluster;
    }
    const { digest } = contentOf(before === 'managed' ? FIRST_VERSION : VERSION_BEFORE);
    const stamp = before === 'managed' ? { sequence: 1, ticket: 1 } : undefined;
    objectsOf(digest).forEach(object => cluster.write(object, { digest, stamp }));
    return cluster;
  }
}

function clusterBefore({ name, before }: ClusterDraft): ClusterBefore {
  const managed = contentOf(FIRST_VERSION).digest;
  const adopted = contentOf(VERSION_BEFORE).digest;
  return {
    name,
    key: keyOf(name),
    adopted: before === 'adopted' ? adopted : undefined,
    digest: { managed, adopted, nothing: undefined }[before],
    foreign: before === 'adopted' ? objectsOf(adopted) : [],
  };
}
