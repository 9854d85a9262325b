import { targetKey, type RunningVersion } from 'backstage-plugin-multicluster-release-common';

/** A cluster or service that only starts passes by itself, and would jump up and down again. */
function isInTrouble({ clusterState, health }: RunningVersion): boolean {
  return clusterState === 'ok' ? health.state === 'Failed' : clusterState !== 'starting';
}

/** Keys of the rows: what cannot be read or fails comes first; the rest keeps its order. */
export function versionOrder(versions: RunningVersion[]): string[] {
  return [...versions]
    .sort((a, b) => Number(isInTrouble(b)) - Number(isInTrouble(a)))
    .map(targetKey);
}
