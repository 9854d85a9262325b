import type { ConfiguredCluster } from './ClustersConfig';
import { describeCluster } from './describeCluster';
import type { ClusterDefinition } from './types';

/**
 * One definition per name: earlier sources win, and what app-config says of a
 * cluster (labels, region, position, title) is laid over it. A cluster that is
 * described and listed nowhere is refused by name rather than missing; while a
 * source has never answered, it may still list it.
 *
 * @param isComplete - whether every source has answered at least once
 */
export function mergeDefinitions(
  configured: ConfiguredCluster[],
  sources: ClusterDefinition[][],
  isComplete: boolean,
): ClusterDefinition[] {
  const merged = new Map<string, ClusterDefinition>();
  for (const definition of sources.flat()) {
    if (!merged.has(definition.info.name)) {
      merged.set(definition.info.name, definition);
    }
  }
  for (const cluster of configured) {
    merged.set(cluster.name, describe(cluster, merged.get(cluster.name), isComplete));
  }
  return [...merged.values()].map(markRefused).sort((a, b) => (a.info.name < b.info.name ? -1 : 1));
}

function describe(
  cluster: ConfiguredCluster,
  found: ClusterDefinition | undefined,
  isComplete: boolean,
): ClusterDefinition {
  if (!found && !isComplete) {
    return {
      info: describeCluster(cluster, 'configuration'),
      access: { type: 'unlisted' },
    };
  }
  if (!found) {
    return {
      info: describeCluster(cluster, 'configuration'),
      access: {
        type: 'refused',
        why: `multiclusterRelease.clusters.${cluster.name} has no access, and no other source lists this cluster; give it an access or correct its name`,
      },
    };
  }
  const own = describeCluster(cluster, found.info.source);
  return { ...found, info: { ...own, title: own.title ?? found.info.title } };
}

function markRefused(definition: ClusterDefinition): ClusterDefinition {
  const { info, access } = definition;
  return access.type === 'refused'
    ? { access, info: { ...info, refused: access.why } }
    : definition;
}
