import type { KubernetesObject } from '../../ports';
import { sumRequests } from './podRequests';
import { summarizeNodes } from './summarizeNodes';

function container(cpu: string | undefined, more: object = {}) {
  return { resources: { requests: cpu === undefined ? {} : { cpu, memory: '1Mi' } }, ...more };
}

function pod(spec: object, phase = 'Running'): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { nodeName: 'node-1', ...spec },
    status: { phase },
  };
}

function node(ready: string, allocatable: object | undefined): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n' },
    status: { allocatable, conditions: [{ type: 'Ready', status: ready }] },
  };
}

const sidecar = { restartPolicy: 'Always' };

describe('sumRequests', () => {
  it.each([
    ['containers add up', { containers: [container('300m'), container('200m')] }, 0.5],
    ['nothing asked for', { containers: [container(undefined)] }, 0],
    [
      'a large init container counts alone',
      { containers: [container('300m')], initContainers: [container('500m')] },
      0.5,
    ],
    [
      'a small init container does not count',
      { containers: [container('300m')], initContainers: [container('100m')] },
      0.3,
    ],
    [
      'an init container runs beside the sidecars before it',
      {
        containers: [container('300m')],
        initContainers: [container('100m', sidecar), container('500m')],
      },
      0.6,
    ],
    [
      'a sidecar after the init container runs beside the app only',
      {
        containers: [container('300m')],
        initContainers: [container('500m'), container('100m', sidecar)],
      },
      0.5,
    ],
    ['overhead is added', { containers: [container('300m')], overhead: { cpu: '50m' } }, 0.35],
    [
      'what the pod asks for as a whole counts',
      { containers: [container('300m')], resources: { requests: { cpu: '2' } } },
      2,
    ],
  ])('%s', (_, spec, cpu) => {
    expect(sumRequests([pod(spec)]).cpu).toBeCloseTo(cpu, 9);
  });

  it('counts only pods that hold a place on a node', () => {
    const spec = { containers: [container('1')] };
    const pods = [
      pod(spec),
      pod(spec, 'Pending'),
      pod({ ...spec, nodeName: undefined }, 'Pending'),
      pod(spec, 'Succeeded'),
      pod(spec, 'Failed'),
    ];
    expect(sumRequests(pods)).toEqual({ cpu: 2, memory: 2 * 2 ** 20, pods: 2 });
  });
});

describe('summarizeNodes', () => {
  const amounts = { cpu: '3500m', memory: '8Gi', pods: '110' };

  it('counts the ready ones and adds up what all can hold', () => {
    expect(summarizeNodes([node('True', amounts), node('Unknown', amounts)])).toEqual({
      nodes: { ready: 1, total: 2 },
      capacity: { cpu: 7, memory: 16 * 2 ** 30, pods: 220 },
    });
  });

  it('does not make the sum smaller by a node that does not tell', () => {
    expect(summarizeNodes([node('True', amounts), node('True', undefined)])).toEqual({
      nodes: { ready: 2, total: 2 },
      capacity: undefined,
    });
  });

  it('takes a cluster without nodes as one that can hold nothing', () => {
    expect(summarizeNodes([])).toEqual({
      nodes: { ready: 0, total: 0 },
      capacity: { cpu: 0, memory: 0, pods: 0 },
    });
  });
});
