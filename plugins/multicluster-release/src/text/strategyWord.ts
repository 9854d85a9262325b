import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import type { Texts } from './Texts';

/** A rollback release carries the strategy of the one that it sends back, and does not follow it. */
export function strategyWord(release: ReleaseView, { text }: Texts): string {
  return release.rolledBackFrom
    ? text('header.rollback', { version: release.targetVersion })
    : release.strategy;
}
