import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import type { Texts } from './Texts';

/** A release that takes a service off a cluster. */
export function isRemoval({ strategy }: Pick<ReleaseView, 'strategy'>): boolean {
  return strategy === 'Removal';
}

/** For example `1.0.0 → 2.0.0`. */
export function versionsWord(release: ReleaseView, { text, list }: Texts): string {
  const from = list(release.fromVersions) || text('header.none');
  const to = isRemoval(release) ? text('header.none') : release.targetVersion;
  return `${from} → ${to}`;
}

/** A rollback release carries the strategy of the one that it sends back, and does not follow it. */
export function strategyWord(release: ReleaseView, { text }: Texts): string {
  if (isRemoval(release)) {
    return text('header.removal');
  }
  return release.rolledBackFrom
    ? text('header.rollback', { version: release.targetVersion })
    : release.strategy;
}
