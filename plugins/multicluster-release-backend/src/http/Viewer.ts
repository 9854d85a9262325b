import type { BackstageCredentials } from '@backstage/backend-plugin-api';
import { InputError, NotFoundError } from '@backstage/errors';
import {
  getCompoundEntityRef,
  parseEntityRef,
  stringifyEntityRef,
  type Entity,
} from '@backstage/catalog-model';
import { fleetWritePermission } from 'backstage-plugin-multicluster-release-common';
import type { Request } from 'express';
import type { ApprovingViewer } from '../commands/actions/approving';
import type { Actor, ServiceEntity } from '../commands/CommandContext';
import type { ServicePermission } from '../permissions/Authorizer';
import type { HttpContext } from './HttpContext';

/** Who calls, as the framework authenticated it. */
export interface Viewer {
  credentials: BackstageCredentials;
  /** User entity ref, or the subject of a service. */
  ref: string;
  isService: boolean;
}

export async function readViewer(
  { httpAuth, auth }: HttpContext,
  request: Request,
): Promise<Viewer> {
  const credentials = await httpAuth.credentials(request, { allow: ['user', 'service'] });
  return auth.isPrincipal(credentials, 'user')
    ? { credentials, ref: credentials.principal.userEntityRef, isService: false }
    : {
        credentials,
        ref: credentials.principal.type === 'service' ? credentials.principal.subject : 'unknown',
        isService: true,
      };
}

/** The caller with the groups that it stands for; a service stands for itself alone. */
export async function readApprover(
  { userInfo, authorizer }: HttpContext,
  { credentials, ref, isService }: Viewer,
): Promise<ApprovingViewer> {
  const isPlatform = await authorizer.isAllowed(credentials, fleetWritePermission);
  if (isService) {
    return { ref, memberOf: [], isService, isPlatform };
  }
  const { ownershipEntityRefs } = await userInfo.getUserInfo(credentials);
  return { ref, memberOf: ownershipEntityRefs, isPlatform };
}

/**
 * Whose order it is. Only a service may name another user.
 *
 * @throws InputError
 */
export function readActor(viewer: Viewer, onBehalfOf: string | undefined): Actor {
  if (onBehalfOf === undefined) {
    return { ref: viewer.ref };
  }
  if (!viewer.isService) {
    throw new InputError('onBehalfOf is for services that call for a user; leave it out.');
  }
  return { ref: viewer.ref, onBehalfOf: normalRef(onBehalfOf, 'onBehalfOf') };
}

/** `component:default/checkout`, whatever was left out or written in capitals. @throws InputError */
export function normalRef(ref: string, name: string): string {
  try {
    return stringifyEntityRef(
      parseEntityRef(ref, { defaultKind: 'component', defaultNamespace: 'default' }),
    );
  } catch {
    throw new InputError(
      `${name} is ${JSON.stringify(ref)}; write an entity ref such as component:default/checkout.`,
    );
  }
}

/**
 * The service's entity, where the caller may see it in the catalog and has the permission.
 *
 * @throws NotFoundError for an entity that is not there or not visible; NotAllowedError
 */
export async function requireService(
  context: HttpContext,
  viewer: Viewer,
  service: string,
  permission: ServicePermission,
): Promise<ServiceEntity> {
  const ref = normalRef(service, 'service');
  const entity = await context.catalog.getEntityByRef(ref, { credentials: viewer.credentials });
  if (!entity) {
    throw new NotFoundError(`${ref} is not in the catalog, or you may not see it.`);
  }
  await context.authorizer.requireForService(viewer.credentials, permission, ref);
  return serviceEntity(entity);
}

export function serviceEntity(entity: Entity): ServiceEntity {
  const annotations = entity.metadata.annotations ?? {};
  const owner = entity.relations?.find(({ type }) => type === 'ownedBy')?.targetRef;
  return {
    ref: stringifyEntityRef(getCompoundEntityRef(entity)),
    owner,
    location: annotations['multicluster-release.io/location'],
    managedBy: annotations['backstage.io/managed-by-location'],
  };
}
