import type { LoggerService } from '@backstage/backend-plugin-api';
import { listAll } from '../listAll';
import type { Timing } from '../Timing';
import type { Transport } from '../transport/types';
import type { ClusterClient, WatchHandle, WatchHandler, WatchOptions } from '../types';
import { ListWatch } from './ListWatch';
import { openStream } from './openStream';

export interface SharedWatchesOptions {
  cluster: string;
  client: Pick<ClusterClient, 'request'>;
  transport: Transport;
  timing: Timing;
  logger: Pick<LoggerService, 'error'>;
}

interface Shared {
  watch: ListWatch;
  /** Handles that are open; one of them may not have been greeted yet. */
  open: number;
  handlers: Set<WatchHandler>;
}

/** Gives equal watches of a cluster one stream, which ends with its last handle. */
export class SharedWatches {
  private readonly shared = new Map<string, Shared>();

  constructor(private readonly options: SharedWatchesOptions) {}

  subscribe(options: WatchOptions, handler: WatchHandler): WatchHandle {
    const { path, labelSelector, fieldSelector, signal } = options;
    const key = JSON.stringify([path, labelSelector, fieldSelector]);
    const shared = this.shared.get(key) ?? this.open(key, options);
    // A handler of its own for each handle, so that the same one may be given twice.
    const own: WatchHandler = {
      onChanges: changes => handler.onChanges(changes),
      onState: state => handler.onState?.(state),
    };
    shared.open += 1;
    let closed = false;
    const close = () => {
      if (!closed) {
        closed = true;
        signal?.removeEventListener('abort', close);
        shared.handlers.delete(own);
        this.release(key, shared);
      }
    };
    signal?.addEventListener('abort', close, { once: true });
    if (signal?.aborted) {
      close();
    }
    // Later, so that a handler may use the handle that it belongs to.
    queueMicrotask(() => {
      if (!closed) {
        this.greet(shared, own);
      }
    });
    return {
      state: () => shared.watch.currentState(),
      objects: () => shared.watch.objects(),
      close,
    };
  }

  close(): void {
    for (const { watch, handlers } of this.shared.values()) {
      handlers.clear();
      watch.close();
    }
    this.shared.clear();
  }

  private release(key: string, shared: Shared): void {
    shared.open -= 1;
    if (shared.open === 0) {
      shared.watch.close();
      if (this.shared.get(key) === shared) {
        this.shared.delete(key);
      }
    }
  }

  private open(key: string, watched: WatchOptions): Shared {
    const { path, labelSelector, fieldSelector } = watched;
    const { client, timing, logger } = this.options;
    const handlers = new Set<WatchHandler>();
    const watch = new ListWatch(
      {
        list: signal => listAll(client, { path, labelSelector, fieldSelector, signal }),
        stream: (resourceVersion, listener, signal) =>
          openStream(
            this.options,
            { path, labelSelector, fieldSelector },
            resourceVersion,
            listener,
            signal,
          ),
      },
      {
        onChanges: changes => this.each(handlers, handler => handler.onChanges(changes)),
        onState: state => this.each(handlers, handler => handler.onState?.(state)),
      },
      timing,
      logger,
    );
    const shared = { watch, open: 0, handlers };
    this.shared.set(key, shared);
    watch.start();
    return shared;
  }

  /** A handle that comes later is told what is known, before anything that changes afterwards. */
  private greet(shared: Shared, handler: WatchHandler): void {
    shared.handlers.add(handler);
    const state = shared.watch.currentState();
    const objects = shared.watch.objects();
    this.each([handler], own => {
      if (objects.length > 0) {
        own.onChanges(objects.map(object => ({ type: 'added', object })));
      }
      if (state.phase !== 'listing') {
        own.onState?.(state);
      }
    });
  }

  /** One handler that throws must not cost the others their events. */
  private each(handlers: Iterable<WatchHandler>, call: (handler: WatchHandler) => void): void {
    for (const handler of [...handlers]) {
      try {
        call(handler);
      } catch (error) {
        this.options.logger.error(
          `${this.options.cluster}: a handler of a watch failed`,
          error instanceof Error ? error : undefined,
        );
      }
    }
  }
}
