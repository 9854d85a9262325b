import type {
  Effect,
  Observer,
  Outcome,
  Reading,
} from 'backstage-plugin-multicluster-release-node';
import { decide, type Decision, type Inputs, type ReleaseRun } from '../decide';
import type { Measured, MeasureRequest } from '../decide/types';
import type { Lease, LoadedRun } from '../store/types';
import { haltable, LeaseFence } from './fence';
import type { EngineOptions, Orders } from './ports';

/** Orders and news are brought by polls and observers; this is for what neither tells, such as a cluster that leaves the fleet. */
const LONGEST_SLEEP_MILLISECONDS = 30_000;

interface InFlight {
  id: string;
  /** Ends this effect alone: nothing more may be written there. */
  halt: AbortController;
  ended: Promise<void>;
}

type Ended = Inputs['outcomes'][number];

/*
 * Drives one claimed release. Modes: `idle` (nothing to do until woken),
 * `turning` (a turn is in the database), `stopped` (for good). wake() while
 * turning makes another turn follow; there are never two turns at once. Effects
 * of a turn start only after it was written down, and run beside later turns.
 */
export class ReleaseDriver {
  readonly releaseId: string;
  private lease: Lease;
  private readonly fence: LeaseFence;
  private readonly observer: Observer;
  private readonly inFlight = new Map<string, InFlight>();
  private ended: Ended[] = [];
  /** Readings that are being taken, by their id. */
  private readonly measuring = new Map<string, AbortController>();
  private measured: Measured[] = [];
  private mode: 'idle' | 'turning' | 'stopped' = 'idle';
  private again = false;
  private cancelTimer: () => void = () => {};
  private failures = 0;
  /** After the last turn. */
  private revision: number | undefined;

  constructor(
    lease: Lease,
    private readonly options: EngineOptions,
    private readonly onStopped: () => void,
  ) {
    this.lease = lease;
    this.releaseId = lease.releaseId;
    this.fence = new LeaseFence(lease, options.clock);
    this.observer = options.hands.observer(() => this.wake());
  }

  currentLease(): Lease {
    return this.lease;
  }

  renewed(lease: Lease): void {
    this.lease = lease;
    this.fence.extend(lease.until);
  }

  /** False while it waits for people, for time or for clusters. */
  isWorking(): boolean {
    return this.mode === 'turning' || this.inFlight.size > 0;
  }

  /** What the engine's poll found; a release that only waits costs no turn. */
  noticed(revision: number | undefined): void {
    if (revision !== this.revision) {
      this.wake();
    }
  }

  wake(): void {
    if (this.mode === 'turning') {
      this.again = true;
    } else if (this.mode === 'idle') {
      void this.turn();
    }
  }

  /** Ends all work of this claim; resolves when no effect runs any more. */
  async stop(): Promise<void> {
    if (this.mode !== 'stopped') {
      this.mode = 'stopped';
      this.cancelTimer();
      this.fence.close();
      this.observer.close();
      this.measuring.forEach(reading => reading.abort());
    }
    await Promise.all([...this.inFlight.values()].map(effect => effect.ended));
  }

  private async turn(): Promise<void> {
    this.mode = 'turning';
    this.cancelTimer();
    do {
      this.again = false;
      await this.turnOnce();
    } while (this.again && this.isTurning());
    if (this.isTurning()) {
      this.mode = 'idle';
    }
  }

  private isTurning(): boolean {
    return this.mode === 'turning';
  }

  private async turnOnce(): Promise<void> {
    let taken = { ended: 0, measured: 0 };
    try {
      const settled = await this.options.store.turn(this.lease, (loaded, orders) => {
        // Taken at the same moment as what is in flight: an effect that is in neither would be performed twice.
        taken = { ended: this.ended.length, measured: this.measured.length };
        return this.decideOn(loaded, orders);
      });
      this.revision = settled.revision ?? this.revision;
      this.failures = 0;
      if (settled.result === 'claimLost' || !settled.decision) {
        await this.lost();
        return;
      }
      // Only what was written down is behind us; after a failed transaction the same ends are told again.
      this.ended = this.ended.slice(taken.ended);
      this.measured = this.measured.slice(taken.measured);
      this.follow(settled.decision, settled.result === 'settled' ? settled.revision : undefined);
    } catch (error) {
      this.options.onError(this.releaseId, error);
      this.failures += 1;
      this.wakeAfter(Math.min(30_000, 500 * 2 ** Math.min(this.failures, 6)));
    }
  }

  private decideOn(loaded: LoadedRun, orders: Orders): Decision {
    const { clock, timeScale, freshMilliseconds } = this.options;
    const inputs: Inputs = {
      observations: this.observer.latest(),
      outcomes: [...this.ended],
      measured: [...this.measured],
      measuring: new Set(this.measuring.keys()),
      inFlight: new Map([...this.inFlight].map(([key, { id }]) => [key, id])),
      ticket: this.lease.ticket,
      ...orders,
    };
    return decide(loaded.run, inputs, clock.now(), { timeScale, freshMilliseconds });
  }

  private follow(decision: Decision, revision: number | undefined): void {
    if (!this.isTurning()) {
      return;
    }
    const { run } = decision;
    if (revision !== undefined) {
      this.options.onChange({ releaseId: run.id, service: run.service, revision, run });
    }
    this.observer.watch(decision.observe);
    decision.halt.forEach(key => this.inFlight.get(key)?.halt.abort());
    decision.effects.forEach(effect => this.perform(effect));
    decision.measure.forEach(request => this.measure(request));
    this.scheduleNext(run, decision.wakeAt);
  }

  private scheduleNext(run: ReleaseRun, wakeAt: number | undefined): void {
    if (!run.needsWork && this.inFlight.size === 0) {
      void this.lost();
      return;
    }
    const ahead = (wakeAt ?? Number.POSITIVE_INFINITY) - this.options.clock.now();
    this.wakeAfter(Math.min(LONGEST_SLEEP_MILLISECONDS, Math.max(0, ahead)));
  }

  private wakeAfter(milliseconds: number): void {
    this.cancelTimer();
    this.cancelTimer = this.options.clock.after(milliseconds, () => this.wake());
  }

  /** Only reads: it needs no fence, and ends with the claim. */
  private measure(request: MeasureRequest): void {
    const { id, since } = request;
    if (this.measuring.has(id)) {
      return;
    }
    const halt = new AbortController();
    this.measuring.set(id, halt);
    void this.readingOf(request, halt.signal).then(reading => {
      this.measuring.delete(id);
      this.measured.push({ id, since, at: this.options.clock.now(), reading });
      this.wake();
    });
  }

  private async readingOf(request: MeasureRequest, signal: AbortSignal): Promise<Reading> {
    try {
      return await this.options.measurer.measure(request, signal);
    } catch (error) {
      this.options.onError(this.releaseId, error);
      const message = error instanceof Error ? error.message : String(error);
      return { result: 'error', message, query: '' };
    }
  }

  private perform(effect: Effect): void {
    if (this.inFlight.has(effect.key)) {
      return;
    }
    const halt = new AbortController();
    const ended = this.outcomeOf(effect, halt.signal).then(outcome => {
      this.inFlight.delete(effect.key);
      this.ended.push({ effect, outcome, at: this.options.clock.now() });
      this.wake();
    });
    this.inFlight.set(effect.key, { id: effect.id, halt, ended });
  }

  /** A surprise is not an end: it is told, and the effect is tried again. */
  private async outcomeOf(effect: Effect, halt: AbortSignal): Promise<Outcome> {
    try {
      return await this.options.hands.perform(effect, haltable(this.fence, halt));
    } catch (error) {
      this.options.onError(this.releaseId, error);
      return { result: 'retry', message: error instanceof Error ? error.message : String(error) };
    }
  }

  private async lost(): Promise<void> {
    const stopped = this.stop();
    this.onStopped();
    await stopped;
  }
}
