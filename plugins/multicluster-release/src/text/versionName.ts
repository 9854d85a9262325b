import type { Texts } from './Texts';

/** What the server calls content that was live before the first release, and has no version of ours. */
const BEFORE_ADOPTION = 'before adoption';

/** A version for people: what was live before the first release is told in words. */
export function versionName(version: string, { text }: Pick<Texts, 'text'>): string {
  return releasedVersion(version) ?? text('versions.beforeAdoption');
}

/** A version as it stands on record; undefined: nothing that was released. */
export function releasedVersion(version: string | undefined): string | undefined {
  return version === BEFORE_ADOPTION ? undefined : version;
}
