import { parseCount } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from 'backstage-plugin-multicluster-release-node';
import { setRolloutBounds, type RolloutBounds } from './rolloutBounds';

function workload(kind: string, strategy?: object): KubernetesObject {
  const field = kind === 'Deployment' ? 'strategy' : 'updateStrategy';
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web' },
    spec: { replicas: 3, ...(strategy && { [field]: strategy }) },
  };
}

function bounds(maxSurge?: number | string, maxUnavailable?: number | string): RolloutBounds {
  return {
    ...(maxSurge !== undefined && { maxSurge: parseCount(maxSurge) }),
    ...(maxUnavailable !== undefined && { maxUnavailable: parseCount(maxUnavailable) }),
  };
}

const rolling = (rollingUpdate: object) => ({ type: 'RollingUpdate', rollingUpdate });

describe('setRolloutBounds', () => {
  // prettier-ignore
  it.each<[string, KubernetesObject, RolloutBounds, object | undefined, string]>([
    ['Deployment: both', workload('Deployment'), bounds('25%', 0), rolling({ maxSurge: '25%', maxUnavailable: 0 }), 'Deployment web is updated with maxSurge 25%, maxUnavailable 0 of the strategy.'],
    ['Deployment: one, the other stays', workload('Deployment', rolling({ maxSurge: 1, maxUnavailable: 2 })), bounds(3), rolling({ maxSurge: 3, maxUnavailable: 2 }), 'Deployment web is updated with maxSurge 3, maxUnavailable 2 of the strategy.'],
    ['Deployment: both zero (C29)', workload('Deployment'), bounds(0, '0%'), rolling({ maxSurge: 0, maxUnavailable: 1 }), 'Deployment web is updated with maxSurge 0, maxUnavailable 1 of the strategy; both are zero, so that nothing could move: one pod may be unavailable.'],
    ['Deployment: zero beside the zero of the manifest', workload('Deployment', rolling({ maxUnavailable: 0 })), bounds(0), rolling({ maxSurge: 0, maxUnavailable: 1 }), 'Deployment web is updated with maxSurge 0, maxUnavailable 1 of the strategy; both are zero, so that nothing could move: one pod may be unavailable.'],
    ['Deployment: Recreate', workload('Deployment', { type: 'Recreate' }), bounds('25%'), { type: 'Recreate' }, 'Deployment web keeps its own way of being updated: its manifest says Recreate, which knows no such bound. Take the bounds out, or change the manifest.'],
    ['DaemonSet: surge', workload('DaemonSet'), bounds('25%', 0), rolling({ maxSurge: '25%', maxUnavailable: 0 }), 'DaemonSet web is updated with maxSurge 25%, maxUnavailable 0 of the strategy.'],
    ['DaemonSet: surge alone', workload('DaemonSet'), bounds(1), rolling({ maxSurge: 1, maxUnavailable: 0 }), 'DaemonSet web is updated with maxSurge 1, maxUnavailable 0 of the strategy.'],
    ['DaemonSet: takes one of the two', workload('DaemonSet'), bounds(1, 2), rolling({ maxSurge: 0, maxUnavailable: 2 }), 'DaemonSet web is updated with maxSurge 0, maxUnavailable 2 of the strategy; a DaemonSet takes one of the two, so it has no surge.'],
    ['DaemonSet: both zero', workload('DaemonSet'), bounds(undefined, 0), rolling({ maxSurge: 0, maxUnavailable: 1 }), 'DaemonSet web is updated with maxSurge 0, maxUnavailable 1 of the strategy; both are zero, so that nothing could move: one pod may be unavailable.'],
    ['StatefulSet: unavailable', workload('StatefulSet', rolling({ partition: 1 })), bounds('25%', 2), rolling({ partition: 1, maxUnavailable: 2 }), 'StatefulSet web is updated with maxSurge as it is, maxUnavailable 2 of the strategy.'],
    ['StatefulSet: no surge', workload('StatefulSet'), bounds('25%', 0), undefined, 'StatefulSet web keeps its own way of being updated: a StatefulSet has no surge and takes its pods one at a time. Take the bounds out, or change the manifest.'],
    ['StatefulSet: OnDelete', workload('StatefulSet', { type: 'OnDelete' }), bounds(0, 1), { type: 'OnDelete' }, 'StatefulSet web keeps its own way of being updated: its manifest says OnDelete, which knows no such bound. Take the bounds out, or change the manifest.'],
  ])('%s', (_name, object, given, strategy, message) => {
    const findings = setRolloutBounds([object], given);
    const spec = object.spec as { strategy?: object; updateStrategy?: object };
    expect(spec.strategy ?? spec.updateStrategy).toEqual(strategy);
    expect(findings.map(finding => finding.message)).toEqual([message]);
  });

  it('leaves everything else alone', () => {
    const others = [
      { ...workload('Deployment'), apiVersion: 'acme.io/v1' },
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web' } },
    ];
    const before = structuredClone(others);
    expect(setRolloutBounds(others, bounds(1, 1))).toEqual([]);
    expect(others).toEqual(before);
    const plain = workload('Deployment');
    expect(setRolloutBounds([plain], {})).toEqual([]);
    expect(plain).toEqual(workload('Deployment'));
  });
});
