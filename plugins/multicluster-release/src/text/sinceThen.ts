import {
  isFinalRelease,
  targetKey,
  type ReleaseView,
  type ServiceSummary,
  type TargetView,
} from 'backstage-plugin-multicluster-release-common';
import { leftThere } from './leftThere';
import type { Texts } from './Texts';
import { releasedVersion } from './versionName';

/** More clusters than this are counted, not named. */
const MOST_NAMES = 5;

/**
 * Where clusters that an ended release was done with run something else by now;
 * undefined where none does, or that is not known. Clusters that do not answer
 * are left out: of them nothing is known now.
 */
export function sinceThen(
  release: ReleaseView,
  targets: TargetView[],
  summary: ServiceSummary,
  texts: Texts,
): string | undefined {
  if (!isFinalRelease(release.state) || !isReadAfter(summary, release)) {
    return undefined;
  }
  const running = new Map(summary.versions.map(found => [targetKey(found), found]));
  const changed = new Map<string | undefined, string[]>();
  for (const target of targets) {
    const there = running.get(targetKey(target));
    const known = there === undefined || there.clusterState === 'ok';
    const version = releasedVersion(there?.version);
    if (isLeft(target) && known && version !== leftThere(target)?.version) {
      changed.set(version, [...(changed.get(version) ?? []), target.cluster]);
    }
  }
  const count = [...changed.values()].flat().length;
  const what = [...changed].map(([version, clusters]) => changeText(version, clusters, texts));
  return count > 0
    ? texts.text('sentence.sinceThen', { count, what: texts.list(what) })
    : undefined;
}

/** What is on record may be older than the release; then it says nothing of what came after. */
function isReadAfter({ lastRelease }: ServiceSummary, release: ReleaseView): boolean {
  return (
    lastRelease !== undefined &&
    (lastRelease.id === release.id
      ? isFinalRelease(lastRelease.state)
      : lastRelease.createdAt > release.createdAt)
  );
}

/** The release was done there, forward or back. */
function isLeft({ state }: TargetView): boolean {
  return state === 'Done' || state === 'Unchanged' || state === 'RolledBack';
}

function changeText(
  version: string | undefined,
  clusters: string[],
  { text, list }: Texts,
): string {
  const names = clusters.slice(0, MOST_NAMES);
  const rest = clusters.length - names.length;
  const named = rest > 0 ? `${names.join(', ')} +${rest}` : list(names);
  return version === undefined
    ? text('sentence.runsNothing', { clusters: named })
    : text('sentence.runsThere', { version, clusters: named });
}
