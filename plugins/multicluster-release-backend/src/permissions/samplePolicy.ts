/*
 * A policy to start from, and to read: everybody may look, the owners of a
 * service may release it, and the platform's groups may do everything. It
 * decides only about this plugin's permissions and allows all others, so put it
 * in place only where no other policy is, or call `decideOnRelease` from yours.
 */
import { createBackendModule, coreServices } from '@backstage/backend-plugin-api';
import {
  AuthorizeResult,
  isResourcePermission,
  type Permission,
  type PolicyDecision,
} from '@backstage/plugin-permission-common';
import type {
  PermissionPolicy,
  PolicyQuery,
  PolicyQueryUser,
} from '@backstage/plugin-permission-node';
import { policyExtensionPoint } from '@backstage/plugin-permission-node/alpha';
import {
  multiclusterReleasePermissions,
  releaseApprovePermission,
} from 'backstage-plugin-multicluster-release-common';

const OURS = new Set(multiclusterReleasePermissions.map(({ name }) => name));

/**
 * What the sample policy says of one of this plugin's permissions.
 *
 * @param owns - entity refs by which the user owns things: own ref and groups
 * @param platformGroups - entity refs of groups that may do everything
 * @returns undefined where the permission is not of this plugin
 * @public
 */
export function decideOnRelease(
  permission: Permission,
  owns: string[],
  platformGroups: string[],
): PolicyDecision | undefined {
  if (!OURS.has(permission.name)) {
    return undefined;
  }
  if (permission.name === releaseApprovePermission.name && owns.length > 0) {
    // Who is asked stands in the release itself, and may well own another service.
    return { result: AuthorizeResult.ALLOW };
  }
  if (permission.attributes.action === 'read' || owns.some(ref => platformGroups.includes(ref))) {
    return { result: AuthorizeResult.ALLOW };
  }
  if (!isResourcePermission(permission, 'catalog-entity') || owns.length === 0) {
    return { result: AuthorizeResult.DENY };
  }
  return {
    result: AuthorizeResult.CONDITIONAL,
    pluginId: 'catalog',
    resourceType: 'catalog-entity',
    conditions: {
      rule: 'IS_ENTITY_OWNER',
      resourceType: 'catalog-entity',
      params: { claims: owns },
    },
  };
}

class SamplePolicy implements PermissionPolicy {
  constructor(private readonly platformGroups: string[]) {}

  async handle({ permission }: PolicyQuery, user?: PolicyQueryUser): Promise<PolicyDecision> {
    const owns = user?.info.ownershipEntityRefs ?? [];
    return (
      decideOnRelease(permission, owns, this.platformGroups) ?? { result: AuthorizeResult.ALLOW }
    );
  }
}

/**
 * Backend module with the sample policy. `multiclusterRelease.samplePolicy.platformGroups`
 * names the groups that may do everything.
 *
 * @public
 */
export const multiclusterReleaseSamplePolicy = createBackendModule({
  pluginId: 'permission',
  moduleId: 'multicluster-release-sample-policy',
  register(registration) {
    registration.registerInit({
      deps: { policy: policyExtensionPoint, config: coreServices.rootConfig },
      async init({ policy, config }) {
        const groups = config.getOptionalStringArray(
          'multiclusterRelease.samplePolicy.platformGroups',
        );
        policy.setPolicy(new SamplePolicy(groups ?? []));
      },
    });
  },
});
