import type { BackstageCredentials, PermissionsService } from '@backstage/backend-plugin-api';
import { NotAllowedError } from '@backstage/errors';
import {
  AuthorizeResult,
  type BasicPermission,
  type ResourcePermission,
} from '@backstage/plugin-permission-common';

/** Permissions whose resource is the catalog entity of the service. */
export type ServicePermission = ResourcePermission<'catalog-entity'>;

/**
 * Asks Backstage's permission framework. Each question names its resource, so a
 * policy's condition is decided by the catalog before the answer comes back;
 * whatever is not a plain ALLOW counts as no.
 */
export class Authorizer {
  constructor(private readonly permissions: Pick<PermissionsService, 'authorize'>) {}

  /** One answer for each service, in their order. */
  async allowedServices(
    credentials: BackstageCredentials,
    permission: ServicePermission,
    services: string[],
  ): Promise<boolean[]> {
    if (services.length === 0) {
      return [];
    }
    const requests = services.map(resourceRef => ({ permission, resourceRef }));
    const decisions = await this.permissions.authorize(requests, { credentials });
    return decisions.map(({ result }) => result === AuthorizeResult.ALLOW);
  }

  /** One answer for each permission, in their order. */
  async allowedPermissions(
    credentials: BackstageCredentials,
    permissions: ServicePermission[],
    service: string,
  ): Promise<boolean[]> {
    const requests = permissions.map(permission => ({ permission, resourceRef: service }));
    const decisions = await this.permissions.authorize(requests, { credentials });
    return decisions.map(({ result }) => result === AuthorizeResult.ALLOW);
  }

  /** @throws NotAllowedError that names the permission and the service */
  async requireForService(
    credentials: BackstageCredentials,
    permission: ServicePermission,
    service: string,
  ): Promise<void> {
    const [allowed] = await this.allowedServices(credentials, permission, [service]);
    if (!allowed) {
      throw denied(permission.name, ` on ${service}`);
    }
  }

  async isAllowed(
    credentials: BackstageCredentials,
    permission: BasicPermission,
  ): Promise<boolean> {
    const [{ result }] = await this.permissions.authorize([{ permission }], { credentials });
    return result === AuthorizeResult.ALLOW;
  }

  /** @throws NotAllowedError that names the permission */
  async require(credentials: BackstageCredentials, permission: BasicPermission): Promise<void> {
    if (!(await this.isAllowed(credentials, permission))) {
      throw denied(permission.name, '');
    }
  }
}

function denied(permission: string, where: string): NotAllowedError {
  return new NotAllowedError(
    `This needs the permission ${permission}${where}. Ask whoever keeps Backstage's permission policy.`,
  );
}
