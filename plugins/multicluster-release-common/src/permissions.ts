import { createPermission } from '@backstage/plugin-permission-common';

/** The permissioned resource is the catalog entity of the service that is released. */
const RESOURCE_TYPE = 'catalog-entity';

/** See releases, versions, events and previews of a service. @public */
export const releaseReadPermission = createPermission({
  name: 'multicluster-release.release.read',
  attributes: { action: 'read' },
  resourceType: RESOURCE_TYPE,
});

/** Start a release of a service. @public */
export const releaseCreatePermission = createPermission({
  name: 'multicluster-release.release.create',
  attributes: { action: 'create' },
  resourceType: RESOURCE_TYPE,
});

/** Promote, retry, and accept a changed plan. @public */
export const releasePromotePermission = createPermission({
  name: 'multicluster-release.release.promote',
  attributes: { action: 'update' },
  resourceType: RESOURCE_TYPE,
});

/** Approve and reject; whom a release asks is in its policy. @public */
export const releaseApprovePermission = createPermission({
  name: 'multicluster-release.release.approve',
  attributes: { action: 'update' },
  resourceType: RESOURCE_TYPE,
});

/** Pause, resume, stop and skip. @public */
export const releaseControlPermission = createPermission({
  name: 'multicluster-release.release.control',
  attributes: { action: 'update' },
  resourceType: RESOURCE_TYPE,
});

/** Send a service back to an earlier version. @public */
export const releaseRollbackPermission = createPermission({
  name: 'multicluster-release.release.rollback',
  attributes: { action: 'update' },
  resourceType: RESOURCE_TYPE,
});

/** Take a service off a cluster. @public */
export const releaseRemovePermission = createPermission({
  name: 'multicluster-release.release.remove',
  attributes: { action: 'delete' },
  resourceType: RESOURCE_TYPE,
});

/** Release the hold on a version that was rolled back. @public */
export const holdReleasePermission = createPermission({
  name: 'multicluster-release.hold.release',
  attributes: { action: 'update' },
  resourceType: RESOURCE_TYPE,
});

/** Store new revisions of a service's documents. @public */
export const definitionWritePermission = createPermission({
  name: 'multicluster-release.definition.write',
  attributes: { action: 'update' },
  resourceType: RESOURCE_TYPE,
});

/** Write objects outside of namespaces (CRDs, namespaces). @public */
export const clusterScopedWritePermission = createPermission({
  name: 'multicluster-release.cluster-scoped.write',
  attributes: { action: 'update' },
});

/** See the fleet: clusters, capacity, shared policies and placements. @public */
export const fleetReadPermission = createPermission({
  name: 'multicluster-release.fleet.read',
  attributes: { action: 'read' },
});

/** Change shared policies and placements. @public */
export const fleetWritePermission = createPermission({
  name: 'multicluster-release.fleet.write',
  attributes: { action: 'update' },
});

/** Order and lift emergency stops. @public */
export const stopWritePermission = createPermission({
  name: 'multicluster-release.stop.write',
  attributes: { action: 'update' },
});

/** Add and remove release windows of the platform. @public */
export const windowWritePermission = createPermission({
  name: 'multicluster-release.window.write',
  attributes: { action: 'update' },
});

/** Take a cluster out, and let it take releases again. @public */
export const clusterWritePermission = createPermission({
  name: 'multicluster-release.cluster.write',
  attributes: { action: 'update' },
});

export const multiclusterReleasePermissions = [
  releaseReadPermission,
  releaseCreatePermission,
  releasePromotePermission,
  releaseApprovePermission,
  releaseControlPermission,
  releaseRollbackPermission,
  releaseRemovePermission,
  holdReleasePermission,
  definitionWritePermission,
  clusterScopedWritePermission,
  fleetReadPermission,
  fleetWritePermission,
  stopWritePermission,
  windowWritePermission,
  clusterWritePermission,
];
