import type { FleetCluster } from 'backstage-plugin-multicluster-release-common';
import type { CommandContext } from '../CommandContext';
import { ClusterListUntrustedError, RefusedError } from '../errors';

/**
 * The clusters to plan on. An error is never an empty list (field case C07):
 * while the listing fails, is partial or is suddenly empty, nothing is planned.
 *
 * @throws ClusterListUntrustedError while it cannot be read
 * @throws RefusedError `ClusterListSuddenlyEmpty` until a person confirms it
 */
export function trustedFleet({
  registry,
  prober,
}: Pick<CommandContext, 'registry' | 'prober'>): FleetCluster[] {
  const { clusters, stale, problem, message } = registry.list();
  if (problem === 'suddenly-empty') {
    throw new RefusedError({
      code: 'ClusterListSuddenlyEmpty',
      message: `${
        message ?? 'The list of clusters is suddenly empty.'
      } If that is right, a person has to confirm it.`,
      params: { clusters: clusters.length },
    });
  }
  if (stale || problem) {
    throw new ClusterListUntrustedError(message ?? 'it could not be read');
  }
  return clusters.map(({ name, labels, region }) => ({
    name,
    labels,
    region,
    kubernetesVersion: prober.status(name)?.kubernetesVersion,
  }));
}
