import { releaseReadPermission } from 'backstage-plugin-multicluster-release-common';
import type { HttpContext } from '../HttpContext';
import type { Viewer } from '../Viewer';
import { orphansOf } from './orphans';

/** Of these services, those whose releases the viewer may see; orphans are for whoever keeps the fleet. */
export async function visibleServices(
  context: HttpContext,
  viewer: Viewer,
  services: string[],
): Promise<Set<string>> {
  const distinct = [...new Set(services)];
  const allowed = await context.authorizer.allowedServices(
    viewer.credentials,
    releaseReadPermission,
    distinct,
  );
  const visible = distinct.filter((_, index) => allowed[index]);
  const hidden = distinct.filter((_, index) => !allowed[index]);
  return new Set([...visible, ...(await orphansOf(context, viewer, hidden))]);
}
