import type { EventView } from 'backstage-plugin-multicluster-release-common';
import { plainWords } from './names';

/** Codes of the events that tell why a release goes back. */
const TELLS_WHY: ReadonlySet<string> = new Set([
  'RollbackStarted',
  'RollbackRequested',
  'RollbackCreated',
]);

/** Why a release was sent back, in the server's words, from its events; undefined where none tells. */
export function rollbackReason(events: EventView[]): string | undefined {
  const reasons = events.filter(({ code }) => TELLS_WHY.has(code)).map(({ reason }) => reason);
  const last = reasons.filter(reason => reason !== undefined).at(-1);
  return last && plainWords(last);
}
