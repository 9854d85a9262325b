import type { Finding } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from '../../ports';
import { containersOf } from '../podTemplate';
import { substituteVersion, tagOf } from './substituteVersion';

export interface ImageRule {
  /** Without tag and digest, for example `ghcr.io/acme/checkout`. */
  name: string;
  /** May hold `${version}`; default: the version. */
  tag?: string;
}

/** Sets tags in place, by image name, in every pod spec of the known kinds. A rule without a match is a warning. */
export function setImages(
  objects: KubernetesObject[],
  rules: ImageRule[],
  version: string,
): Finding[] {
  const containers = objects.flatMap(containersOf);
  return rules.flatMap(({ name, tag }, index) => {
    const matching = containers.filter(
      ({ image }) => typeof image === 'string' && imageName(image) === name,
    );
    const wanted = tagOf(substituteVersion(tag ?? '${version}', version));
    for (const container of matching) {
      container.image = `${name}:${wanted}`;
    }
    return matching.length > 0 ? [] : [unmatched(name, index)];
  });
}

/** `registry:5000/shop/web:1.0@sha256:…` → `registry:5000/shop/web`. */
function imageName(image: string): string {
  const withoutDigest = image.split('@')[0];
  const colon = withoutDigest.lastIndexOf(':');
  return colon > withoutDigest.lastIndexOf('/') ? withoutDigest.slice(0, colon) : withoutDigest;
}

function unmatched(name: string, index: number): Finding {
  return {
    severity: 'warning',
    code: 'ImageRuleUnmatched',
    params: { image: name },
    message: `No container uses image ${name}, so the version does not reach it. Correct the name, or remove the rule.`,
    path: `spec.images[${index}].name`,
  };
}
