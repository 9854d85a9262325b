import { parse, validRange } from 'semver';
import { z } from 'zod';
import { isAlphanumeric, isDigit } from './characters';

const MAX_RANGE_LENGTH = 256;

/** A SemVer without a leading `v`. */
export function isSemver(text: string): boolean {
  return isDigit(text.charAt(0)) && parse(text) !== null;
}

/** What an image tag can be, and `+` for the build part of a SemVer. */
export function isTargetVersion(text: string): boolean {
  return (
    text.length > 0 &&
    text.length <= 128 &&
    (isAlphanumeric(text[0]) || text[0] === '_') &&
    [...text].every(character => isAlphanumeric(character) || '-_.+'.includes(character))
  );
}

/** A version without its leading `v`; a tag such as `vanilla` keeps it. */
export function stripLeadingV(version: string): string {
  return version.startsWith('v') && isDigit(version.charAt(1)) ? version.slice(1) : version;
}

function hasKnownVariablesOnly(text: string): boolean {
  return text.split('${version}').every(part => !part.includes('${'));
}

export const configVersionSchema = z.string().refine(isSemver, 'must be a SemVer such as 1.4.0');

export const targetVersionSchema = z
  .string()
  .refine(
    isTargetVersion,
    'must be a version or tag such as 2.1.0: at most 128 letters, digits, ., -, _ and +, beginning with a letter or digit',
  );

export const versionRangeSchema = z
  .string()
  .refine(
    text => text.trim() !== '' && text.length <= MAX_RANGE_LENGTH && validRange(text) !== null,
    'must be a range of versions such as ">=1.30" or "1.30 - 1.33"',
  );

/** A text in which `${version}` stands for the version without a leading `v`. */
export const versionedTextSchema = z
  .string()
  .refine(text => text.trim() !== '', 'must not be empty')
  .refine(hasKnownVariablesOnly, 'knows only the variable ${version}');
