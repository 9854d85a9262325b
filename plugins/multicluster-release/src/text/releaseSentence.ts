import {
  isFinalRelease,
  type ReleaseState,
  type ReleaseView,
  type RunningVersion,
  type ServiceSummary,
} from 'backstage-plugin-multicluster-release-common';
import { stageName } from './stageName';
import { isRemoval, isRollback } from './strategyWord';
import type { Texts } from './Texts';
import { waitingSentence } from './waitingText';

/** More causes than this are counted, not told. */
const MOST_CAUSES = 3;

/** The texts of their causes begin with the state. */
const SAID_BY_CAUSE: ReadonlySet<ReleaseState> = new Set(['Waiting', 'Paused']);

export interface Sentence {
  /** State – why – since – what ends it – who. */
  main: string;
  /** Further causes. */
  also: string[];
  /** How many causes are not told. */
  more: number;
}

/**
 * What a release waits for, or what it did until it ended; never empty. Of one that
 * has ended nothing is said of now: others may have come after it.
 */
export function releaseSentence(release: ReleaseView, texts: Texts, now: number): Sentence {
  const final = isFinalRelease(release.state);
  const causes = [...release.waiting].sort((a, b) => Number(b.blocking) - Number(a.blocking));
  const told = causes.slice(0, MOST_CAUSES).map(cause => waitingSentence(cause, texts, now));
  const more = Math.max(0, causes.length - MOST_CAUSES);
  if (final) {
    return { main: finalSentence(release, texts, now), also: told, more };
  }
  if (told.length === 0) {
    return { main: progressSentence(release, texts), also: [], more };
  }
  const [blocking, ...also] = told;
  if (SAID_BY_CAUSE.has(release.state)) {
    return { main: blocking, also, more };
  }
  const state = texts.text(`releaseState.${release.state}`);
  return { main: `${state} – ${blocking}`, also, more };
}

function progressSentence(release: ReleaseView, texts: Texts): string {
  const { counts, state, stage } = release;
  if (state === 'Pending') {
    return texts.text('sentence.pending');
  }
  if (state === 'RollingBack') {
    const versions = texts.list(release.fromVersions);
    return versions
      ? texts.text('sentence.rollingBack', { versions })
      : texts.text('sentence.rollingBackUnknown');
  }
  const word = texts.text(`releaseState.${state}`);
  return stage
    ? texts.text('sentence.stage', {
        state: word,
        number: stage.index + 1,
        total: stage.total,
        stage: stageName(stage, texts),
      })
    : texts.text('sentence.noStage', {
        state: word,
        version: release.targetVersion,
        count: counts.total,
      });
}

function finalSentence(release: ReleaseView, texts: Texts, now: number): string {
  const { state, counts } = release;
  const parts = [endText(release, texts)];
  // Of the others it says so itself, or another release took over.
  if (state === 'Aborted' && counts.rolledBack > 0) {
    parts.push(texts.text('sentence.putBack', { count: counts.rolledBack }));
  }
  if (release.finishedAt !== undefined) {
    parts.push(texts.text('sentence.ended', { time: texts.time(release.finishedAt, now) }));
  }
  return parts.join(texts.text('sentence.separator'));
}

function endText(release: ReleaseView, texts: Texts): string {
  const { state, counts, targetVersion: version } = release;
  const { done, total, failed, rolledBack } = counts;
  switch (state) {
    case 'Succeeded':
      return broughtText(release, texts);
    case 'CompletedWithPending':
      return done === total
        ? broughtText(release, texts)
        : texts.text('sentence.CompletedWithPending', { count: done, total });
    case 'RolledBack':
      return texts.text('sentence.RolledBack', { version, count: rolledBack });
    case 'Aborted':
      return texts.text('sentence.Aborted', { count: done, total });
    case 'Failed':
      return texts.text('sentence.Failed', { count: failed });
    case 'Superseded':
      return texts.text('sentence.Superseded');
    case 'NothingSelected':
      return texts.text('sentence.NothingSelected');
    default:
      return texts.text(`releaseState.${state}`);
  }
}

/** What it brought, and to how many: clusters that were skipped or sent back alone do not count. */
function broughtText(release: ReleaseView, { text }: Texts): string {
  const { targetVersion: version, counts } = release;
  const { done, total } = counts;
  if (isRemoval(release)) {
    return text('sentence.Removed', { version, count: done });
  }
  const key = isRollback(release) ? 'sentence.WentBack' : 'sentence.Succeeded';
  return done > 0 && done < total
    ? text(`${key}Partly`, { version, done, total })
    : text(key, { version, count: done });
}

/** What a service is at while nothing is released. */
export function idleSentence(summary: ServiceSummary, texts: Texts): string {
  const versions = runningVersions(summary.versions);
  if (versions.length === 0) {
    return texts.text('sentence.idle');
  }
  if (versions.length > 1) {
    return texts.text('sentence.idleMixed', { count: versions.length });
  }
  const count = summary.versions.filter(running => running.version === versions[0]).length;
  return texts.text('sentence.idleVersion', { version: versions[0], count });
}

/** The different versions that are known to run. */
export function runningVersions(running: RunningVersion[]): string[] {
  return [...new Set(running.flatMap(({ version }) => version ?? []))];
}
