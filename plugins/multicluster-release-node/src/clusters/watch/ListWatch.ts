/*
 * One collection, kept as the API server has it. The model:
 *
 *   list ──▶ stream ──▶ (ended) ──▶ list …
 *
 * - Whatever ends a stream, the next step is a list without a resourceVersion:
 *   so a position that is too old cannot loop, and deletions in the gap are seen.
 * - A stream that ended after a good life is followed at once; else the back-off
 *   grows, and the objects are stale while it waits.
 * - A stream that is silent for longer than bookmarks ever are is given up, for
 *   a connection that is half open says nothing either.
 */
import type { LoggerService } from '@backstage/backend-plugin-api';
import type { KubernetesObject } from '../../ports';
import { ClusterError } from '../errors/ClusterError';
import type { Timing } from '../Timing';
import type { ClusterErrorLike, WatchChange, WatchState } from '../types';
import { backOffMilliseconds } from './backOff';
import { ObjectCache } from './ObjectCache';

/** How a stream ended, and how long it had lived. */
export interface StreamEnd {
  /** `closed`: as agreed; `expired`: 410; `silent`: nothing came, not even a bookmark. */
  how: 'closed' | 'expired' | 'silent' | 'failed';
  error?: ClusterErrorLike;
}

/** What ListWatch asks of the API server. */
export interface ListWatchSource {
  /** @throws ClusterError */
  list(signal: AbortSignal): Promise<{ items: KubernetesObject[]; resourceVersion: string }>;
  /** Runs until the stream ends; throws nothing. */
  stream(
    resourceVersion: string,
    listener: {
      onHeard(): void;
      onObject(type: 'put' | 'remove', object: KubernetesObject): void;
    },
    signal: AbortSignal,
  ): Promise<StreamEnd>;
}

export interface ListWatchListener {
  onChanges(changes: WatchChange[]): void;
  onState(state: WatchState): void;
}

/** A stream that lived this long was a good one. */
const GOOD_LIFE_MILLISECONDS = 30_000;
/** All watches of a cluster lose their streams together; they come back spread over this. */
const SPREAD_MILLISECONDS = 1_000;

export class ListWatch {
  private readonly cache = new ObjectCache();
  private readonly ending = new AbortController();
  private state: WatchState = { phase: 'listing' };
  private failures = 0;

  constructor(
    private readonly source: ListWatchSource,
    private readonly listener: ListWatchListener,
    private readonly timing: Timing,
    private readonly logger: Pick<LoggerService, 'error'>,
  ) {}

  start(): void {
    this.run().catch(error => {
      // Only a fault of our own comes here; the objects must not look live for ever.
      this.toStale(this.timing.now(), undefined);
      this.logger.error('a watch ended by a fault of its own', error);
    });
  }

  close(): void {
    this.ending.abort();
  }

  currentState(): WatchState {
    return this.state;
  }

  objects(): KubernetesObject[] {
    return this.cache.all();
  }

  private async run(): Promise<void> {
    while (!this.ending.signal.aborted) {
      const waitMilliseconds = await this.round();
      await this.pause(waitMilliseconds);
    }
  }

  /** One list and the stream after it; answers how long to wait before the next. */
  private async round(): Promise<number> {
    const startedAt = this.timing.now();
    const resourceVersion = await this.list(startedAt);
    if (resourceVersion === undefined) {
      return this.afterFailure();
    }
    const streamedFrom = this.timing.now();
    const end = await this.stream(resourceVersion);
    const endedAt = this.timing.now();
    if (this.ending.signal.aborted) {
      return 0;
    }
    if (endedAt - streamedFrom < GOOD_LIFE_MILLISECONDS) {
      this.toStale(endedAt, end.error);
      return this.afterFailure();
    }
    this.failures = 0;
    if (end.how === 'closed') {
      return 0;
    }
    this.toStale(end.how === 'silent' ? this.state.heardAt ?? endedAt : endedAt, end.error);
    return this.timing.random() * SPREAD_MILLISECONDS;
  }

  private async list(startedAt: number): Promise<string | undefined> {
    try {
      const { items, resourceVersion } = await this.source.list(this.ending.signal);
      if (this.ending.signal.aborted) {
        return undefined;
      }
      this.tell(this.cache.replace(items));
      this.toState({ phase: 'live', heardAt: this.timing.now() });
      return resourceVersion;
    } catch (error) {
      if (!(error instanceof ClusterError)) {
        throw error;
      }
      this.toStale(startedAt, error);
      return undefined;
    }
  }

  private stream(resourceVersion: string): Promise<StreamEnd> {
    return this.source.stream(
      resourceVersion,
      {
        onHeard: () => {
          this.state = { ...this.state, heardAt: this.timing.now() };
        },
        onObject: (type, object) => {
          this.tell(type === 'put' ? this.cache.put(object) : this.cache.remove(object));
        },
      },
      this.ending.signal,
    );
  }

  private afterFailure(): number {
    this.failures += 1;
    return backOffMilliseconds(this.failures, this.timing.random());
  }

  private toStale(since: number, error: ClusterErrorLike | undefined): void {
    this.toState({
      phase: 'stale',
      // Of several failures in a row the first one counts.
      staleSince: this.state.staleSince ?? since,
      heardAt: this.state.heardAt,
      error,
    });
  }

  /** The one place that changes the phase. */
  private toState(next: WatchState): void {
    if (this.ending.signal.aborted) {
      return;
    }
    const before = this.state;
    this.state = next;
    if (before.phase !== next.phase || before.error?.kind !== next.error?.kind) {
      this.listener.onState(next);
    }
  }

  private tell(changes: WatchChange[]): void {
    if (changes.length > 0 && !this.ending.signal.aborted) {
      this.listener.onChanges(changes);
    }
  }

  private pause(milliseconds: number): Promise<void> {
    const { signal } = this.ending;
    if (milliseconds <= 0 || signal.aborted) {
      return Promise.resolve();
    }
    return new Promise(resolve => {
      const cancel = this.timing.after(milliseconds, done);
      function done() {
        cancel();
        signal.removeEventListener('abort', done);
        resolve();
      }
      signal.addEventListener('abort', done);
    });
  }
}
