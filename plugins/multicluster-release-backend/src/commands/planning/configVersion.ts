import {
  canonicalJson,
  type Finding,
  type ReleaseSpec,
} from 'backstage-plugin-multicluster-release-common';
import { inc } from 'semver';
import { sha256 } from '../../decide/sha256';
import type { TemplateSpec } from '../documents/DocumentModel';

/** The template that a release was made of, with the name of its configuration. */
export type NamedTemplate = NonNullable<ReleaseSpec['template']>;

const FIRST = '1.0.0';

/**
 * The template before `${version}` and overrides: manifests as they were read,
 * and the rules by which versions enter them.
 */
export function templateDigest({ images }: TemplateSpec, manifests: unknown[]): string {
  return sha256(canonicalJson({ manifests, images }));
}

/**
 * Which configVersion a template has (format.md): the one that it says, refused
 * only where another template was released under it; else the newest one, with
 * the patch number counted up where the template has changed.
 *
 * @param history - templates of earlier releases, newest first
 */
export function nameTemplate(
  { name, configVersion: declared }: TemplateSpec,
  digest: string,
  history: NamedTemplate[],
): { template: NamedTemplate; findings: Finding[] } {
  const own = history.filter(earlier => earlier.name === name);
  if (declared === undefined) {
    return { template: { name, digest, configVersion: countUp(digest, own) }, findings: [] };
  }
  const other = own.find(
    earlier => earlier.configVersion === declared && earlier.digest !== digest,
  );
  return {
    template: { name, digest, configVersion: declared },
    findings: other ? [reused(name, declared)] : [],
  };
}

function countUp(digest: string, own: NamedTemplate[]): string {
  const [newest] = own;
  if (!newest) {
    return FIRST;
  }
  if (newest.digest === digest) {
    return newest.configVersion;
  }
  const taken = new Set(own.map(({ configVersion }) => configVersion));
  let next = inc(newest.configVersion, 'patch') ?? FIRST;
  while (taken.has(next)) {
    next = inc(next, 'patch') ?? FIRST;
  }
  return next;
}

function reused(name: string, configVersion: string): Finding {
  return {
    severity: 'error',
    code: 'ConfigVersionReused',
    params: { template: name, configVersion },
    message: `ResourceTemplate ${name}: another template was released as ${configVersion}. Count configVersion up, or leave it out: then it counts by itself.`,
    path: 'spec.configVersion',
  };
}
