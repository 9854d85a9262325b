import type { RunningVersion, StatusKey } from 'backstage-plugin-multicluster-release-common';
import { versionName, type Texts } from '../../text';

export interface VersionWords {
  /** Set where there is no plain version to show. */
  status?: StatusKey;
  words: string;
  detail?: string;
}

/** The version of one target in words; unknown is never shown as a version or a number. */
export function versionWords(running: RunningVersion, texts: Texts): VersionWords {
  const { text } = texts;
  const { version, clusterState, message } = running;
  if (clusterState === 'starting') {
    return { status: 'running', words: text('clusterState.starting'), detail: message };
  }
  if (clusterState !== 'ok') {
    const why = message ?? text(`clusterState.${clusterState}`);
    return {
      status: 'unknown',
      words: text('versions.unknown'),
      detail: version === undefined ? why : `${why} (${versionName(version, texts)}?)`,
    };
  }
  if (version === undefined) {
    return { words: text('versions.notManaged'), detail: message };
  }
  return { words: versionName(version, texts), detail: detailOf(running, text) };
}

function detailOf(
  { configVersion, offset }: RunningVersion,
  text: Texts['text'],
): string | undefined {
  const parts: string[] = [];
  if (configVersion) {
    parts.push(text('versions.template', { version: configVersion }));
  }
  if (offset !== undefined && offset > 0) {
    parts.push(text('versions.behind', { count: offset }));
  }
  return parts.join(' · ') || undefined;
}
