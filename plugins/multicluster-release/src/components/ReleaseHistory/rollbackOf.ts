import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { isRemoval } from '../../text';

export interface Rollback {
  /** The release that is sent back. */
  releaseId: string;
  /** Undefined: to what each cluster ran before it. */
  toVersion?: string;
}

/**
 * What a row of the history offers. The newest release that has left something is
 * the one to send back: a newer one that was rolled back has not. Its own row undoes
 * it, the row of an earlier one leads back to that version. `releases`: newest first.
 */
export function rollbackOf(release: ReleaseView, releases: ReleaseView[]): Rollback | undefined {
  const last = releases.findIndex(({ actions }) => actions.rollback.allowed);
  const position = releases.findIndex(({ id }) => id === release.id);
  const runs = releases.some(({ finishedAt }) => finishedAt === undefined);
  if (runs || last === -1 || position < last) {
    return undefined;
  }
  const { id: releaseId, targetVersion } = releases[last];
  if (position === last) {
    return { releaseId };
  }
  const arrived = release.state === 'Succeeded' || release.state === 'CompletedWithPending';
  return arrived && !isRemoval(release) && release.targetVersion !== targetVersion
    ? { releaseId, toVersion: release.targetVersion }
    : undefined;
}
