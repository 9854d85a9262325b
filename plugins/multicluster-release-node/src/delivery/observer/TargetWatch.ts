import { NotFoundError } from '@backstage/errors';
import { ClusterError, clusterStateOfError } from '../../clusters/errors/ClusterError';
import type { ClusterClient, ClusterErrorLike } from '../../clusters/types';
import type { KubernetesObject, ObserveRequest, TargetObservation } from '../../ports';
import type { DeliveryDependencies } from '../DeliveryDependencies';
import { isPodReady, podTrouble } from '../health/podTrouble';
import { FAILING_MILLISECONDS } from '../health/newPodFailure';
import { missingCluster } from '../missingCluster';
import { expectedAtWeight } from '../weights/expectedAtWeight';
import { CollectionView } from './CollectionView';
import { collectionsOf } from './collections';
import { observeTarget } from './observeTarget';

/** A quiet watch is checked by a list this often. */
const POLL_MILLISECONDS = 10_000;
/** How soon what could not be set up is tried again. */
const SETUP_RETRY_MILLISECONDS = 3_000;
/** Events that come together cost one look. */
const COALESCE_MILLISECONDS = 20;

/**
 * One target: starting → watching → closed. While starting it says nothing,
 * unless its cluster does not answer; from then on every event leads to a look
 * at everything that is known.
 */
export class TargetWatch {
  private content: KubernetesObject[] = [];
  private views: CollectionView[] = [];
  /** Whose the views are; undefined: the cluster is not listed. */
  private client: ClusterClient | undefined;
  /** Counts set-ups: only the newest may settle. */
  private setUps = 0;
  private failure: ClusterErrorLike | { message: string } | undefined;
  private failedAt = 0;
  private readonly failingSince = new Map<string, number>();
  private readonly ending = new AbortController();
  private readonly timers = new Map<string, () => void>();
  private last = '';

  constructor(
    private readonly dependencies: DeliveryDependencies,
    private request: ObserveRequest,
    private readonly onChange: () => void,
  ) {
    this.setUp();
    this.schedulePoll();
  }

  /** True where the other request watches the same objects. */
  fits({ target, service, digest, weighted }: ObserveRequest): boolean {
    const own = this.request;
    return (
      own.target.cluster === target.cluster &&
      own.target.namespace === target.namespace &&
      own.service === service &&
      own.digest === digest &&
      own.weighted === weighted
    );
  }

  update(request: ObserveRequest): void {
    this.request = request;
  }

  /**
   * A cluster that is off the list has no client any more, and another one when it
   * is back: what was opened by the old one never hears of it again.
   */
  clustersChanged(): void {
    if (this.currentClient() !== this.client) {
      this.setUp();
    }
  }

  /** undefined while nothing is known yet. */
  observation(): TargetObservation | undefined {
    const { key } = this.request;
    if (this.failure) {
      return this.unreachable(this.failure, this.failedAt);
    }
    const states = this.views.map(view => view.state());
    const broken = states.find(({ error }) => error !== undefined);
    const known = states.map(({ at }) => at);
    if (broken?.error) {
      return this.unreachable(broken.error, broken.at ?? this.dependencies.timing.now());
    }
    if (states.length === 0 || known.includes(undefined)) {
      return undefined;
    }
    const live = states.flatMap(({ objects }) => objects);
    const seen = observeTarget({ ...this.evidence(), content: this.expected(live), live });
    return {
      key,
      at: Math.min(...known.filter(at => at !== undefined)),
      reachable: true,
      clusterState: 'ok',
      ...seen,
    };
  }

  close(): void {
    this.ending.abort();
    this.timers.forEach(cancel => cancel());
    this.timers.clear();
    this.views.forEach(view => view.close());
    this.views = [];
  }

  private setUp(): void {
    this.setUps += 1;
    const own = this.setUps;
    const isNewest = () => own === this.setUps;
    this.client = this.currentClient();
    this.start(this.client, isNewest).then(
      incomplete => isNewest() && this.settled(undefined, incomplete),
      error => isNewest() && this.settled(error, true),
    );
  }

  private currentClient(): ClusterClient | undefined {
    try {
      return this.dependencies.clusters.get(this.request.target.cluster);
    } catch {
      return undefined;
    }
  }

  /** Answers whether a kind is still missing. */
  private async start(
    client: ClusterClient | undefined,
    isNewest: () => boolean,
  ): Promise<boolean> {
    const { contents, timing } = this.dependencies;
    const { target, service, digest } = this.request;
    if (!client) {
      throw new NotFoundError(missingCluster(target.cluster));
    }
    this.content = digest === undefined ? [] : (await contents.get(digest)).objects;
    const { collections, incomplete } = await collectionsOf(client, this.content, {
      namespace: target.namespace,
      service,
    });
    if (this.ending.signal.aborted || !isNewest()) {
      return false;
    }
    const views = collections.map(
      collection =>
        new CollectionView(
          client,
          collection,
          timing,
          () => this.scheduleLook(),
          this.ending.signal,
        ),
    );
    // Opened before the old ones close, so that streams which stay are not torn down.
    this.views.forEach(view => view.close());
    this.views = views;
    return incomplete;
  }

  private settled(error: unknown, again: boolean): void {
    this.failure = error === undefined ? undefined : asFailure(error);
    this.failedAt = this.dependencies.timing.now();
    if (again) {
      this.after('setUp', SETUP_RETRY_MILLISECONDS, () => this.setUp());
    }
    this.scheduleLook();
  }

  private schedulePoll(): void {
    this.after('poll', POLL_MILLISECONDS, () => {
      this.views.forEach(view => view.pollWhenOlder(POLL_MILLISECONDS));
      this.schedulePoll();
    });
  }

  private scheduleLook(): void {
    if (!this.timers.has('look')) {
      this.after('look', COALESCE_MILLISECONDS, () => this.look());
    }
  }

  private look(): void {
    this.noteFailingPods();
    const { at: _at, ...seen } = this.observation() ?? { at: 0 };
    const text = JSON.stringify(seen);
    if (text !== this.last) {
      this.last = text;
      this.onChange();
    }
  }

  /** Keeps since when pods fail, and looks again when the first of them has failed for too long. */
  private noteFailingPods(): void {
    const { timing } = this.dependencies;
    const pods = this.views
      .flatMap(view => view.state().objects)
      .filter(({ kind }) => kind === 'Pod');
    const uids = new Set(pods.map(({ metadata }) => metadata.uid ?? ''));
    [...this.failingSince.keys()]
      .filter(uid => !uids.has(uid))
      .forEach(uid => this.failingSince.delete(uid));
    for (const pod of pods) {
      const uid = pod.metadata.uid ?? '';
      if (isPodReady(pod)) {
        this.failingSince.delete(uid);
      } else if (podTrouble(pod) && !this.failingSince.has(uid)) {
        this.failingSince.set(uid, timing.now());
      }
    }
    const ends = [...this.failingSince.values()]
      .map(since => since + FAILING_MILLISECONDS)
      .filter(end => end > timing.now());
    if (ends.length > 0) {
      this.after('failing', Math.min(...ends) - timing.now(), () => this.look());
    }
  }

  private expected(live: KubernetesObject[]): KubernetesObject[] {
    const { digest, weighted } = this.request;
    return weighted && digest !== undefined
      ? expectedAtWeight(digest, this.content, live)
      : this.content;
  }

  private evidence() {
    const { service, writtenAt } = this.request;
    const { failingSince } = this;
    return {
      service,
      writtenAt,
      failingSince,
      now: this.dependencies.timing.now(),
    };
  }

  private unreachable(
    error: ClusterErrorLike | { message: string },
    at: number,
  ): TargetObservation {
    const clusterState =
      error instanceof ClusterError ? clusterStateOfError(error.kind) : 'unreachable';
    return {
      key: this.request.key,
      at,
      reachable: false,
      // A refusal is an answer, but nothing is known about the target all the same.
      clusterState: clusterState === 'ok' ? 'refused' : clusterState,
      health: { state: 'Unknown', message: error.message },
    };
  }

  /** One timer for each purpose; a new one replaces the old. */
  private after(purpose: string, milliseconds: number, callback: () => void): void {
    this.timers.get(purpose)?.();
    if (this.ending.signal.aborted) {
      return;
    }
    const cancel = this.dependencies.timing.after(milliseconds, () => {
      this.timers.delete(purpose);
      callback();
    });
    this.timers.set(purpose, cancel);
  }
}

function asFailure(error: unknown): ClusterErrorLike | { message: string } {
  if (error instanceof Error) {
    return error;
  }
  return { message: String(error) };
}
