import {
  exclusionRule,
  type Finding,
  type SelectedTarget,
} from 'backstage-plugin-multicluster-release-common';
import { renderContent, type KubernetesObject } from 'backstage-plugin-multicluster-release-node';
import type { ReleaseToRun } from '../documents/DocumentModel';

export interface RenderedTarget {
  target: SelectedTarget;
  /** Equal for targets whose content is the same object. */
  objects: KubernetesObject[];
}

export interface RenderedTargets {
  rendered: RenderedTarget[];
  findings: Finding[];
}

/** Renders once for each distinct input: namespace and the overrides that match. Pure. */
export function renderTargets(
  release: ReleaseToRun,
  manifests: unknown[],
  targets: SelectedTarget[],
): RenderedTargets {
  const { spec, template } = release;
  const made = new Map<string, KubernetesObject[]>();
  const findings: Finding[] = [];
  const rendered = targets.map(target => {
    const key = renderKey(release, target);
    let objects = made.get(key);
    if (!objects) {
      const content = renderContent({
        service: spec.service,
        objects: manifests,
        version: spec.targetVersion,
        images: template.images,
        overrides: template.overrides,
        cluster: target.fleet,
        namespace: target.namespace,
      });
      findings.push(...content.findings);
      objects = content.objects;
      made.set(key, objects);
    }
    return { target, objects };
  });
  return { rendered, findings };
}

function renderKey({ template }: ReleaseToRun, { fleet, namespace }: SelectedTarget): string {
  const matching = template.overrides.map((override, index) =>
    exclusionRule(override.match, fleet) === undefined ? index : '',
  );
  return JSON.stringify([namespace, matching]);
}
