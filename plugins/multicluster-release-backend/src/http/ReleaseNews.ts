/** Something that a viewer sees has changed. `service` and `revision` are all that may travel in signals. */
export interface ReleaseChange {
  releaseId: string;
  service: string;
  revision: number;
}

type Listener = (change: ReleaseChange) => void;

/**
 * Tells those who wait in this process that a release changed. Changes made by
 * other replicas do not come through here: who waits must look by itself as well.
 */
export class ReleaseNews {
  private readonly listeners = new Map<string, Set<Listener>>();

  publish(change: ReleaseChange): void {
    this.listeners.get(change.releaseId)?.forEach(listener => listener(change));
  }

  /** Answers the way to stop. */
  subscribe(releaseId: string, listener: Listener): () => void {
    const own = this.listeners.get(releaseId) ?? new Set();
    this.listeners.set(releaseId, own.add(listener));
    return () => {
      own.delete(listener);
      if (own.size === 0 && this.listeners.get(releaseId) === own) {
        this.listeners.delete(releaseId);
      }
    };
  }
}
