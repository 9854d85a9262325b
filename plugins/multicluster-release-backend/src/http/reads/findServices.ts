import { isEntityRef } from 'backstage-plugin-multicluster-release-common';
import type { FindServices } from '../../commands/fleet/checkNames';
import type { HttpContext } from '../HttpContext';
import type { Viewer } from '../Viewer';

/** Looks services up in the catalog, as the viewer may see it. */
export function findServices({ catalog }: HttpContext, { credentials }: Viewer): FindServices {
  return async services => {
    const refs = services.filter(isEntityRef);
    const found = await Promise.all(refs.map(ref => catalog.getEntityByRef(ref, { credentials })));
    return refs.filter((_, index) => found[index] !== undefined);
  };
}
