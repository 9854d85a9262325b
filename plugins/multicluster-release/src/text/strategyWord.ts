import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import type { Texts } from './Texts';
import { versionName } from './versionName';

/** A release that takes a service off a cluster. */
export function isRemoval({ strategy }: Pick<ReleaseView, 'strategy'>): boolean {
  return strategy === 'Removal';
}

/** A release that puts clusters back: all of another release, or some of it. */
export function isRollback({
  strategy,
  rolledBackFrom,
}: Pick<ReleaseView, 'strategy' | 'rolledBackFrom'>): boolean {
  return strategy === 'Rollback' || rolledBackFrom !== undefined;
}

/** For example `1.0.0 → 2.0.0`. */
export function versionsWord(release: ReleaseView, texts: Texts): string {
  const { text, list } = texts;
  const from =
    list(release.fromVersions.map(version => versionName(version, texts))) ||
    text('versions.nothingReleased');
  const to = isRemoval(release)
    ? text('versions.nothing')
    : versionName(release.targetVersion, texts);
  return `${from} → ${to}`;
}

/** The strategy; of a release that goes back or takes away, that it does so. */
export function strategyWord(release: ReleaseView, texts: Texts): string {
  const { text } = texts;
  if (isRemoval(release)) {
    return text('header.removal');
  }
  return isRollback(release)
    ? text('header.rollback', { version: versionName(release.targetVersion, texts) })
    : release.strategy;
}
