import {
  isFinalRelease,
  reselect,
  targetKey,
  type ReleaseSpec,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import type { LookUpFleet } from '../controls';
import type { CurrentRecord, Decision, HoldRequest, ReleaseRun, RunEvent } from '../decide';
import type { Orders } from '../engine/ports';
import { currentRecords } from '../store/currentRecords';
import { runningChange } from '../store/rows/runningRow';
import { leadsForward } from '../store/operations/releases/runTurn';
import type {
  HoldRecord,
  HoldsToLift,
  Lease,
  NewRelease,
  RunChange,
  RunningRecord,
  StartContext,
} from '../store/types';
import type { SimulatedFleet } from './SimulatedFleet';
import { SimulatedControls } from './SimulatedControls';
import { freezeDeep, plainClone, samePlain } from './plainClone';

export interface Row {
  run: ReleaseRun;
  revision: number;
  holder?: string;
  ticket: number;
  until: number;
  events: RunEvent[];
  rolledBackBy?: string;
  spec: ReleaseSpec;
  strategy: string;
}

/** What the simulation keeps of a new release. */
export type SimulatedRelease = Pick<
  NewRelease,
  'begin' | 'rolledBackFrom' | 'hold' | 'spec' | 'strategy'
>;

/** What a replica sees of the fleet. */
export interface FleetSight {
  fleet: SimulatedFleet;
  lookUp: LookUpFleet;
}

const REMOVAL = 'Removal';

/** Work that a final release may still have; a newer one that writes there takes it away. */
const PENDING = new Set([
  'Pending',
  'Blocked',
  'Offline',
  'Applying',
  'Verifying',
  'Soaking',
  'RollingBack',
  'RollbackPending',
]);

/**
 * One database for all replicas, with one service in it: what the operations of
 * the store keep, without SQL. Commits are atomic; only answers may be lost.
 */
export class SimulatedDatabase {
  readonly rows = new Map<string, Row>();
  readonly holds = new Map<string, HoldRecord>();
  readonly running = new Map<TargetKey, RunningRecord>();
  readonly controls = new SimulatedControls();
  lastSequence = 1;
  private created = 0;
  /** Called after every commit, for the checkers. */
  onCommit: (before: ReleaseRun, row: Row, by: 'turn' | 'order' | 'other') => void = () => {};

  /** Called after a release is made. */
  onCreate: (run: ReleaseRun) => void = () => {};

  constructor(readonly now: () => number) {}

  row(id: string): Row {
    const row = this.rows.get(id);
    if (!row) {
      throw new Error(`no release ${id}`);
    }
    return row;
  }

  /** The id of the next release. */
  nextId(): string {
    return `r${this.created + 1}`;
  }

  /** As createRelease: takes a sequence, and queues behind the last active release. */
  create({ begin, rolledBackFrom, hold, spec, strategy }: SimulatedRelease): Row {
    const sequence = this.lastSequence + 1;
    const queuedBehind = this.lastInQueue();
    const { run, events, liftHolds } = begin(this.startContext(sequence, queuedBehind));
    this.lastSequence = sequence;
    this.created += 1;
    this.supersedeActive(run);
    const row = this.keep({ ...run, queuedBehind }, spec, strategy);
    row.events.push(...events);
    this.recordRunning({ ...run, targets: [] }, row.run);
    if (rolledBackFrom !== undefined) {
      this.row(rolledBackFrom).rolledBackBy = run.id;
    }
    this.liftHolds(liftHolds);
    this.placeHold(hold, rolledBackFrom ?? run.id);
    this.onCreate(row.run);
    return row;
  }

  private startContext(sequence: number, queuedBehind: string | undefined): StartContext {
    return {
      sequence,
      queuedBehind,
      running: plainClone([...this.running.values()]),
      leaving: this.leaving(),
      holds: [...this.holds.values()],
    };
  }

  /** As findLeaving: where releases that have not ended are taking the service away. */
  leaving(): TargetKey[] {
    return this.active()
      .filter(({ strategy }) => strategy === REMOVAL)
      .flatMap(({ run }) => run.targets.map(({ key }) => key));
  }

  private keep(run: ReleaseRun, spec: ReleaseSpec, strategy: string = spec.strategy.type): Row {
    const row: Row = {
      ...{ run: stored(run), spec, strategy },
      revision: 1,
      ticket: 0,
      until: 0,
      events: [],
    };
    this.rows.set(run.id, row);
    return row;
  }

  /** As changeRun: a person's order. */
  change<R>(
    row: Row,
    change: (run: ReleaseRun, holds: HoldRecord[]) => RunChange<R>,
  ): 'changed' | 'unchanged' | { refusal: R } {
    const changed = change(this.load(row), [...this.holds.values()]);
    if ('refusal' in changed) {
      return changed;
    }
    const written = this.write(row, { ...changed, hold: undefined }, 'order');
    this.liftHolds(changed.liftHolds);
    return written ? 'changed' : 'unchanged';
  }

  active(): Row[] {
    return [...this.rows.values()].filter(({ run }) => !isFinalRelease(run.state));
  }

  lastInQueue(): string | undefined {
    const active = this.active();
    const awaited = new Set(active.map(({ run }) => run.queuedBehind));
    return active.filter(({ run }) => !awaited.has(run.id)).at(-1)?.run.id;
  }

  /** As listVersionTargets: what the newest releases, back to the last of another version, made of their clusters. */
  versionTargets(version: string): ReleaseRun['targets'] {
    const runs = [...this.rows.values()].map(({ run }) => run);
    const other = runs.findLastIndex(({ targetVersion }) => targetVersion !== version);
    return runs.slice(other + 1).flatMap(({ targets }) => targets);
  }

  holdsLease(row: Row, lease: Lease): boolean {
    return row.holder === lease.holder && row.ticket === lease.ticket && row.until > this.now();
  }

  load(row: Row): ReleaseRun {
    return { ...plainClone(row.run), lastSequence: this.lastSequence };
  }

  /** What a turn of the release reads beside it. */
  ordersFor(row: Row, sight: FleetSight): Orders {
    const { left } = sight.lookUp(row.run.targets.map(({ cluster }) => cluster));
    return {
      queue: this.queueOf(row, sight),
      controls: this.controls.reaching(
        row.run.targets.map(({ cluster }) => cluster),
        left,
      ),
    };
  }

  /** As runTurn's queue: whether the one ahead has ended, and what runs and is selected by then. */
  private queueOf({ run, spec, strategy }: Row, sight: FleetSight): Orders['queue'] {
    if (run.queuedBehind === undefined) {
      return undefined;
    }
    const ahead = this.rows.get(run.queuedBehind);
    if (ahead && !isFinalRelease(ahead.run.state)) {
      return { aheadEnded: false, current: new Map<TargetKey, CurrentRecord>() };
    }
    return {
      aheadEnded: true,
      current: currentRecords([...plainClone([...this.running.values()])]),
      reselected: leadsForward(run) ? reselected(spec, run, sight) : undefined,
      removal: strategy === REMOVAL,
      hold: this.holds.get(run.targetVersion)?.reason,
    };
  }

  /** As writeRun; true where anything was written. */
  write(
    row: Row,
    { run, events, hold }: Pick<Decision, 'run' | 'events' | 'hold'>,
    by: 'turn' | 'order',
  ): boolean {
    const before = row.run;
    const same = samePlain({ ...before, lastSequence: 0 }, { ...run, lastSequence: 0 });
    if (same && run.lastSequence === this.lastSequence && events.length === 0 && !hold) {
      return false;
    }
    row.run = stored(run);
    row.revision += 1;
    row.events.push(...plainClone(events));
    this.lastSequence = run.lastSequence;
    this.recordRunning(before, row.run);
    this.placeHold(hold, run.id);
    this.supersede(before, row.run);
    this.settleQueue(before, row.run);
    this.onCommit(before, row, by);
    return true;
  }

  /** Releases under way make room for one whose policy says so; what goes back is left to its end. */
  private supersedeActive(newer: ReleaseRun): void {
    const [{ kind, rules }] = newer.plans;
    for (const row of kind === 'forward' && rules.onNewer === 'Supersede' ? this.active() : []) {
      const { plans, rollback, aborted, superseded } = row.run;
      const stops = rollback ?? aborted ?? superseded;
      if (plans[0].kind === 'forward' && stops === undefined) {
        const by = newer.startedBy ?? 'system';
        const run = { ...this.load(row), superseded: { by, since: this.now() }, needsWork: true };
        this.write(row, { run, events: [], hold: undefined }, 'order');
      }
    }
  }

  private placeHold(hold: HoldRequest | undefined, releaseId: string): void {
    if (hold && !this.holds.has(hold.version)) {
      const id = `${hold.version} ${this.now()}`;
      const { service } = this.row(releaseId).run;
      this.holds.set(hold.version, { ...hold, id, service, releaseId, since: this.now() });
    }
  }

  private liftHolds(lifted: HoldsToLift | undefined): void {
    lifted?.versions.forEach(version => this.holds.delete(version));
  }

  private recordRunning(before: ReleaseRun, run: ReleaseRun): void {
    for (const target of run.targets) {
      const previous = before.targets.find(({ key }) => key === target.key);
      const change = runningChange(run, target);
      if (!change || (previous && samePlain(runningChange(before, previous), change))) {
        continue;
      }
      if (change === 'removed') {
        this.running.delete(target.key);
      } else {
        this.mergeRunning(target.key, change.row);
      }
    }
  }

  private mergeRunning(
    key: TargetKey,
    row: Extract<ReturnType<typeof runningChange>, { row: unknown }>['row'],
  ): void {
    const old = this.running.get(key);
    const moved = row.digest !== null && row.digest !== old?.digest;
    this.running.set(key, {
      service: row.service,
      cluster: row.cluster,
      namespace: row.namespace,
      version: row.version ?? old?.version,
      digest: row.digest ?? old?.digest,
      wantedSequence: row.wanted_sequence ?? old?.wantedSequence,
      observedSequence: row.observed_sequence ?? old?.observedSequence,
      since: moved ? this.now() : old?.since,
      releaseId: row.release_id,
      inventory: row.wanted_sequence === null && old ? old.inventory : JSON.parse(row.inventory),
    });
  }

  private supersede(before: ReleaseRun, run: ReleaseRun): void {
    const touchedBefore = new Set(before.targets.filter(t => t.touched).map(({ key }) => key));
    const owned = new Set(
      run.targets.filter(t => t.touched && !touchedBefore.has(t.key)).map(({ key }) => key),
    );
    for (const row of owned.size > 0 ? this.rows.values() : []) {
      const older = row.run;
      if (older.id !== run.id && older.needsWork && isFinalRelease(older.state)) {
        this.dropPending(row, owned, run.id);
      }
    }
  }

  private dropPending(row: Row, owned: ReadonlySet<TargetKey>, by: string): void {
    const before = row.run;
    const drops = (target: ReleaseRun['targets'][number]) =>
      owned.has(target.key) && PENDING.has(target.state);
    if (!before.targets.some(drops)) {
      return;
    }
    const targets = before.targets.map(target =>
      drops(target)
        ? { ...target, state: 'Skipped' as const, message: `superseded by release ${by}` }
        : target,
    );
    row.run = { ...before, targets };
    row.revision += 1;
    this.onCommit(before, row, 'other');
  }

  private settleQueue(before: ReleaseRun, run: ReleaseRun): void {
    if (!isFinalRelease(run.state) || isFinalRelease(before.state)) {
      return;
    }
    for (const row of this.rows.values()) {
      if (row.rolledBackBy === run.id && (run.state === 'Failed' || run.state === 'Aborted')) {
        row.rolledBackBy = undefined;
      }
      if (row.run.queuedBehind === run.id) {
        // Who waited for this one has its turn, or waits for whom this one had waited for.
        const queuedBehind = run.queuedBehind ?? run.id;
        row.run = { ...row.run, queuedBehind, needsWork: true };
        row.revision += run.queuedBehind === undefined ? 0 : 1;
      }
    }
  }

  /** What the record says when the simulation starts: a release that has ended, and what it left. */
  remember(run: ReleaseRun, spec: ReleaseSpec, records: RunningRecord[]): void {
    this.keep(run, spec);
    records.forEach(record => this.running.set(targetKey(record), record));
  }
}

/** As reselectFleet, without rules of tenancy. */
function reselected(
  spec: ReleaseSpec,
  { plans }: ReleaseRun,
  { fleet, lookUp }: FleetSight,
): NonNullable<Orders['queue']>['reselected'] {
  if (!fleet.isTrusted()) {
    return { untrusted: 'the list of clusters could not be read' };
  }
  const left = new Set(lookUp(plans[0].targets.map(({ cluster }) => cluster)).left);
  const { selection, contents } = reselect(spec, plans[0], { clusters: fleet.clusters(), left });
  return { spec, selection, contents };
}

function stored(run: ReleaseRun): ReleaseRun {
  return { ...plainClone(run), plans: run.plans.map(plan => freezeDeep(plainClone(plan))) };
}
