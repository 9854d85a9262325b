import type { Config } from '@backstage/config';
import { InputError } from '@backstage/errors';
import { readTenancy, type TenancyRule } from './tenancy';

/** What commands and HTTP read of `multiclusterRelease`; clusters and encryption keys are read where they are used. */
export interface Settings {
  tenancy: TenancyRule[];
  /** Multiplies pauses and cool-downs, never time-outs (development only). */
  timeScale: number;
  /** Documents and manifests may be read from this machine's files. */
  allowFileSources: boolean;
  leaseSeconds: number;
  /** Evidence older than this decides nothing. */
  freshSeconds: number;
  /** One cluster's dry run at preview. */
  previewTimeoutSeconds: number;
  /** Releases of one service that are kept, beside all that a cluster still runs. */
  keepReleases: number;
}

const ROOT = 'multiclusterRelease';

/**
 * Reads `multiclusterRelease` of app-config.
 *
 * @throws InputError that names the key and what it takes
 */
export function readSettings(config: Config): Settings {
  const root = config.getOptionalConfig(ROOT);
  const number = (key: string, fallback: number, range: Range) =>
    readNumber(root, key, fallback, range);
  return {
    tenancy: readTenancy(root?.getOptionalConfigArray('tenancy')),
    timeScale: number('development.timeScale', 1, { above: 0, atMost: 100 }),
    allowFileSources: root?.getOptionalBoolean('development.allowFileSources') ?? false,
    leaseSeconds: number('leaseSeconds', 60, { above: 14, atMost: 600 }),
    freshSeconds: number('freshSeconds', 30, { above: 4, atMost: 300 }),
    previewTimeoutSeconds: number('previewTimeoutSeconds', 30, { above: 0, atMost: 300 }),
    keepReleases: number('keepReleases', 50, { above: 0, atMost: 10_000 }),
  };
}

interface Range {
  above: number;
  atMost: number;
}

function readNumber(
  root: Config | undefined,
  key: string,
  fallback: number,
  { above, atMost }: Range,
): number {
  const value = root?.getOptionalNumber(key) ?? fallback;
  if (!(value > above && value <= atMost)) {
    throw new InputError(
      `app-config ${ROOT}.${key} is ${value}; it must be more than ${above} and at most ${atMost}. Correct it, or leave it out for ${fallback}.`,
    );
  }
  return value;
}
