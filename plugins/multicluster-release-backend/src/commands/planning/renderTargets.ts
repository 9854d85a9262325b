import {
  matchingOverrides,
  renderKey,
  type Finding,
  type SelectedTarget,
  type StrategySpec,
} from 'backstage-plugin-multicluster-release-common';
import { renderContent, type KubernetesObject } from 'backstage-plugin-multicluster-release-node';
import type { ReleaseToRun } from '../documents/DocumentModel';
import { setRolloutBounds, type RolloutBounds } from './rolloutBounds';

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
  const matches = template.overrides.map(({ match }) => match);
  const made = new Map<string, KubernetesObject[]>();
  const findings: Finding[] = [];
  const rendered = targets.map(target => {
    const key = renderKey(target.namespace, matchingOverrides(matches, target.fleet));
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
      objects = content.objects;
      findings.push(...content.findings, ...setRolloutBounds(objects, boundsOf(spec.strategy)));
      made.set(key, objects);
    }
    return { target, objects };
  });
  return { rendered, findings };
}

function boundsOf(strategy: StrategySpec): RolloutBounds {
  return strategy.type === 'RollingUpdate' ? strategy : {};
}
