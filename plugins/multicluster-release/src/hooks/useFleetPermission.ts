import { usePermission } from '@backstage/plugin-permission-react';
import type { stopWritePermission } from 'backstage-plugin-multicluster-release-common';

/** One that does not depend on a service. */
export type FleetPermission = typeof stopWritePermission;

/** Whether the viewer may give an order for the whole fleet; undefined until the server has said. */
export function useFleetPermission(permission: FleetPermission): boolean | undefined {
  const { allowed, loading } = usePermission({ permission });
  return loading && !allowed ? undefined : allowed;
}
