import type { ClusterSelector } from '../../plan/spec';
import type { Select } from '../placement/PlacementRule';
import { toLabelSelector } from '../primitives/labels';
import type { Override } from '../template/overrides';

/** The conditions of a placement or a group, in the form that selection reads. */
export function toClusterSelector({ labels, ...others }: Select): ClusterSelector {
  return { ...(labels ? toLabelSelector(labels) : {}), ...others };
}

/** The conditions of an override: it names one region. */
export function overrideSelector({ region, ...others }: Override['match']): ClusterSelector {
  return { ...toClusterSelector(others), ...(region === undefined ? {} : { regions: [region] }) };
}
