import { AuthorizeResult, createPermission } from '@backstage/plugin-permission-common';
import {
  clusterScopedWritePermission,
  clusterWritePermission,
  fleetReadPermission,
  fleetWritePermission,
  releaseCreatePermission,
  releaseReadPermission,
  releaseRollbackPermission,
  stopWritePermission,
  windowWritePermission,
} from 'backstage-plugin-multicluster-release-common';
import { decideOnRelease } from './samplePolicy';

const ADA = ['user:default/ada', 'group:default/shop'];
const PLATFORM = ['group:default/platform'];

describe('the sample policy', () => {
  it.each([stopWritePermission, windowWritePermission, clusterWritePermission])(
    'leaves $name to the platform',
    permission => {
      expect(decideOnRelease(permission, ADA, PLATFORM)).toEqual({ result: AuthorizeResult.DENY });
      expect(decideOnRelease(permission, PLATFORM, PLATFORM)).toEqual({
        result: AuthorizeResult.ALLOW,
      });
    },
  );

  it.each([
    ['everybody may look', releaseReadPermission, [], AuthorizeResult.ALLOW],
    ['everybody may see the fleet', fleetReadPermission, [], AuthorizeResult.ALLOW],
    ['who owns nothing may not release', releaseCreatePermission, [], AuthorizeResult.DENY],
    ['owners may not change the fleet', fleetWritePermission, ADA, AuthorizeResult.DENY],
    [
      'owners may not write outside of namespaces',
      clusterScopedWritePermission,
      ADA,
      AuthorizeResult.DENY,
    ],
    [
      'the platform may',
      clusterScopedWritePermission,
      [...ADA, ...PLATFORM],
      AuthorizeResult.ALLOW,
    ],
    [
      'the platform may release everything',
      releaseCreatePermission,
      PLATFORM,
      AuthorizeResult.ALLOW,
    ],
  ])('%s', (_name, permission, owns, result) => {
    expect(decideOnRelease(permission, owns, PLATFORM)).toEqual({ result });
  });

  it('lets owners release what they own: the catalog decides', () => {
    expect(decideOnRelease(releaseRollbackPermission, ADA, PLATFORM)).toEqual({
      result: AuthorizeResult.CONDITIONAL,
      pluginId: 'catalog',
      resourceType: 'catalog-entity',
      conditions: {
        rule: 'IS_ENTITY_OWNER',
        resourceType: 'catalog-entity',
        params: { claims: ADA },
      },
    });
  });

  it('says nothing of permissions of others', () => {
    expect(
      decideOnRelease(
        createPermission({ name: 'catalog.entity.read', attributes: {} }),
        ADA,
        PLATFORM,
      ),
    ).toBeUndefined();
  });
});
