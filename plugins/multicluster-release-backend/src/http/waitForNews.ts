import type { Timing } from 'backstage-plugin-multicluster-release-node';
import type { ReleaseNews } from './ReleaseNews';

/** How often to look for changes that other replicas made. */
const LOOK_MILLISECONDS = 1_000;

export interface NewsWait {
  news: ReleaseNews;
  timing: Pick<Timing, 'after'>;
  releaseId: string;
  /** Aborted when the caller went away or the backend shuts down. */
  signal: AbortSignal;
}

/** Resolves at the next change of the release, after a second at most, or when the signal is aborted. */
export function waitForNews({ news, timing, releaseId, signal }: NewsWait): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const finish = () => {
      unsubscribe();
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const unsubscribe = news.subscribe(releaseId, finish);
    const cancel = timing.after(LOOK_MILLISECONDS, finish);
    signal.addEventListener('abort', finish);
  });
}
