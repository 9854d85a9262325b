import { ClusterError } from '../../clusters/errors/ClusterError';
import { listAll } from '../../clusters/listAll';
import type { Timing } from '../../clusters/Timing';
import type { ClusterClient, ClusterErrorLike, WatchHandle } from '../../clusters/types';
import type { KubernetesObject } from '../../ports';
import type { Collection } from './collections';

/** What is known of one collection. */
export interface CollectionState {
  objects: KubernetesObject[];
  /** When that was true; undefined: never known. */
  at?: number;
  /** Set while neither the watch nor a poll gets through. */
  error?: ClusterErrorLike;
}

/**
 * One collection, by watch, with a poll beside it: whichever heard last is
 * believed. A watch that is stale is not yet an outage (streams end in the best
 * of times); it is one when the poll after it fails too.
 */
export class CollectionView {
  private readonly handle: WatchHandle;
  private polled: { objects: KubernetesObject[]; at: number } | undefined;
  private pollError: { error: ClusterErrorLike; at: number } | undefined;
  private polling = false;

  constructor(
    private readonly client: ClusterClient,
    private readonly collection: Collection,
    private readonly timing: Timing,
    private readonly onChange: () => void,
    private readonly signal: AbortSignal,
  ) {
    this.handle = client.watch(collection, {
      onChanges: () => onChange(),
      onState: ({ phase }) => {
        if (phase === 'stale') {
          this.poll();
        }
        onChange();
      },
    });
  }

  state(): CollectionState {
    const { phase, heardAt, error } = this.handle.state();
    const watchedAt = phase === 'listing' ? undefined : heardAt;
    const { polled } = this;
    const known = Math.max(watchedAt ?? 0, polled?.at ?? 0);
    const fromPoll = polled !== undefined && polled.at === known;
    const failed =
      this.pollError !== undefined && this.pollError.at > known ? this.pollError.error : undefined;
    return {
      objects: fromPoll ? polled.objects : this.handle.objects(),
      at: known > 0 ? known : undefined,
      error: phase === 'live' ? undefined : failed ?? (known > 0 ? undefined : error),
    };
  }

  /** Lists now, unless something was heard within this time. */
  pollWhenOlder(milliseconds: number): void {
    const { at } = this.state();
    if (at === undefined || this.timing.now() - at >= milliseconds) {
      this.poll();
    }
  }

  close(): void {
    this.handle.close();
  }

  /** A surprise is no reason to know nothing of it: it is shown like an answer that makes no sense. */
  private asClusterError(error: unknown): ClusterError {
    if (error instanceof ClusterError) {
      return error;
    }
    const { name } = this.client;
    const what = error instanceof Error ? error.message : String(error);
    const message = `${name}: ${this.collection.path} could not be listed: ${what}`;
    return new ClusterError({ cluster: name, kind: 'server', message });
  }

  private poll(): void {
    if (this.polling) {
      return;
    }
    this.polling = true;
    // What the list shows is at least as new as its request.
    const at = this.timing.now();
    listAll(this.client, { ...this.collection, signal: this.signal })
      .then(({ items }) => {
        this.polled = { objects: items, at };
      })
      .catch((error: unknown) => {
        this.pollError = { error: this.asClusterError(error), at: this.timing.now() };
      })
      .finally(() => {
        this.polling = false;
        this.onChange();
      });
  }
}
