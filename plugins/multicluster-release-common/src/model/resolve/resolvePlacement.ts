import type { PlacementSpec } from '../../plan/spec';
import type { PlacementRule } from '../placement/PlacementRule';
import { toClusterSelector } from './toClusterSelector';

export function resolvePlacement({ metadata, spec }: PlacementRule): PlacementSpec {
  return {
    kind: 'rule',
    name: metadata.name,
    select: toClusterSelector(spec.select),
    namespace: spec.namespace,
    groups: (spec.groups ?? []).map(({ name, match }) => ({
      name,
      match: toClusterSelector(match),
    })),
    ungrouped: spec.ungrouped ?? 'refuse',
  };
}
