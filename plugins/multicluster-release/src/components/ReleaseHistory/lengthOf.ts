import type {
  ReleaseView,
  Waiting,
  WaitingCode,
} from 'backstage-plugin-multicluster-release-common';
import type { Texts } from '../../text';

/** Causes of a release that others of its service are ahead of, or whose turn has only come. */
const QUEUES: ReadonlySet<WaitingCode> = new Set(['queue', 'clusters']);

/** How long a release took, has run, or has stood in the queue of its service. */
export function lengthOf(release: ReleaseView, texts: Texts, now: number): string {
  const { state, waiting, createdAt, finishedAt } = release;
  if (finishedAt !== undefined) {
    return texts.duration(finishedAt - createdAt);
  }
  const duration = texts.duration(now - createdAt);
  // It may be paused there, too.
  if (waiting.some(isQueued)) {
    return texts.text('history.queued', { duration });
  }
  return state === 'Pending'
    ? texts.text('releaseState.Pending')
    : texts.text('history.running', { duration });
}

function isQueued({ code }: Waiting): boolean {
  return QUEUES.has(code);
}
