import { fleetWritePermission } from 'backstage-plugin-multicluster-release-common';
import type { HttpContext } from '../HttpContext';
import type { Viewer } from '../Viewer';

/**
 * Of these services, those whose entity is gone from the catalog: renamed or
 * deleted while something of them runs. Nobody owns them any more, so whoever
 * keeps the fleet acts for them; nobody else sees them.
 */
export async function orphansOf(
  { authorizer, auth, catalog }: HttpContext,
  { credentials }: Viewer,
  services: string[],
): Promise<Set<string>> {
  if (services.length === 0 || !(await authorizer.isAllowed(credentials, fleetWritePermission))) {
    return new Set();
  }
  // With our own credentials: what the viewer may not see is not gone.
  const own = await auth.getOwnServiceCredentials();
  const { items } = await catalog.getEntitiesByRefs(
    { entityRefs: services, fields: ['kind', 'metadata.name', 'metadata.namespace'] },
    { credentials: own },
  );
  return new Set(services.filter((_, index) => !items[index]));
}
