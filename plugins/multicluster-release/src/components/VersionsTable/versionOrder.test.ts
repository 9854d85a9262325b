import type { RunningVersion } from 'backstage-plugin-multicluster-release-common';
import { exampleRunning } from '../../testing';
import { versionOrder } from './versionOrder';

function orderWith(changes: Partial<RunningVersion>): string[] {
  const versions = [
    exampleRunning('cluster-a'),
    exampleRunning('cluster-b', changes),
    exampleRunning('cluster-c'),
  ];
  return versionOrder(versions).map(key => key.split('/')[0]);
}

describe('versionOrder', () => {
  it.each<[name: string, changes: Partial<RunningVersion>]>([
    ['is well', {}],
    ['starts its pods', { health: { state: 'Progressing' } }],
    ['was not looked at yet', { health: { state: 'Unknown' } }],
    ['starts itself', { clusterState: 'starting', health: { state: 'Unknown' } }],
  ])('leaves a cluster in its place that %s', (_name, changes) => {
    expect(orderWith(changes)).toEqual(['cluster-a', 'cluster-b', 'cluster-c']);
  });

  it.each<[name: string, changes: Partial<RunningVersion>]>([
    ['fails', { health: { state: 'Failed' } }],
    ['does not answer', { clusterState: 'unreachable' }],
    ['refuses us', { clusterState: 'unauthorized' }],
  ])('puts a cluster first that %s', (_name, changes) => {
    expect(orderWith(changes)).toEqual(['cluster-b', 'cluster-a', 'cluster-c']);
  });
});
