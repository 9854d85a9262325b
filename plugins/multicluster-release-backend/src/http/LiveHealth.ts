import { targetKey, type TargetKey } from 'backstage-plugin-multicluster-release-common';
import type {
  Hands,
  Observer,
  ObserveRequest,
  TargetObservation,
  Timing,
} from 'backstage-plugin-multicluster-release-node';
import type { RunningRecord } from '../store';

/** A service that nobody has looked at for so long is not watched any more. */
const FORGET_MILLISECONDS = 2 * 60_000;
const LOOK_MILLISECONDS = 30_000;

/**
 * Health of what runs, for services that somebody looks at. The engine watches
 * only while a release works; a page wants to know afterwards, too. The first
 * look opens the watches, so it may find nothing yet.
 */
export class LiveHealth {
  private readonly watched = new Map<string, { observer: Observer; seenAt: number }>();
  private cancel: () => void = () => {};

  constructor(private readonly hands: Pick<Hands, 'observer'>, private readonly timing: Timing) {}

  /** Newest observation of each target of one service. */
  latest(service: string, records: RunningRecord[]): Map<TargetKey, TargetObservation> {
    const observer = this.watched.get(service)?.observer ?? this.hands.observer(() => {});
    if (this.watched.size === 0) {
      this.forgetLater();
    }
    this.watched.set(service, { observer, seenAt: this.timing.now() });
    observer.watch(records.filter(({ digest }) => digest !== undefined).map(observeRequest));
    return new Map(observer.latest().map(observation => [observation.key, observation]));
  }

  close(): void {
    this.cancel();
    this.watched.forEach(({ observer }) => observer.close());
    this.watched.clear();
  }

  private forgetLater(): void {
    this.cancel = this.timing.after(LOOK_MILLISECONDS, () => {
      for (const [service, { observer, seenAt }] of this.watched) {
        if (this.timing.now() - seenAt > FORGET_MILLISECONDS) {
          observer.close();
          this.watched.delete(service);
        }
      }
      if (this.watched.size > 0) {
        this.forgetLater();
      }
    });
  }
}

function observeRequest({ service, cluster, namespace, digest }: RunningRecord): ObserveRequest {
  const target = { cluster, namespace };
  return { target, key: targetKey(target), service, digest };
}
