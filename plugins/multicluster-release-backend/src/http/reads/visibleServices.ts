import { releaseReadPermission } from 'backstage-plugin-multicluster-release-common';
import type { HttpContext } from '../HttpContext';
import type { Viewer } from '../Viewer';

/** Of these services, those whose releases the viewer may see. */
export async function visibleServices(
  { authorizer }: HttpContext,
  viewer: Viewer,
  services: string[],
): Promise<Set<string>> {
  const distinct = [...new Set(services)];
  const allowed = await authorizer.allowedServices(
    viewer.credentials,
    releaseReadPermission,
    distinct,
  );
  return new Set(distinct.filter((_, index) => allowed[index]));
}
