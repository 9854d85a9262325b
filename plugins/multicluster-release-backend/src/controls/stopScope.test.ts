import type { StopScope } from 'backstage-plugin-multicluster-release-common';
import { stopNamesCluster, stopReaches } from './stopScope';

const SERVICE = 'component:default/checkout';
const EAST = { name: 'cluster-a', region: 'cn-east-1', groups: ['payments'] };
const BARE = { name: 'cluster-b', groups: [] };

describe('what an emergency stop reaches', () => {
  it.each<[string, StopScope, boolean, boolean]>([
    ['everything', { all: true }, true, true],
    ['a region', { regions: ['eu-west-1', 'cn-east-1'] }, true, false],
    ['another region', { regions: ['eu-west-1'] }, false, false],
    ['a group', { groups: ['payments'] }, true, false],
    ['clusters', { clusters: ['cluster-b'] }, false, true],
    ['the service', { services: [SERVICE] }, true, true],
    ['another service', { services: ['component:default/other'] }, false, false],
    ['nothing', { regions: [] }, false, false],
  ])('%s', (_name, scope, east, bare) => {
    expect([EAST, BARE].map(cluster => stopReaches(scope, SERVICE, cluster))).toEqual([east, bare]);
  });

  it('a stop of services is not one of a cluster', () => {
    expect(stopNamesCluster({ services: [SERVICE] }, EAST)).toBe(false);
  });
});
