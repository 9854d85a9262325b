import type { KubernetesObject } from '../../ports';
import { assessHealth } from './assessHealth';
import { rollUp } from './rollUp';

const APPLIED_AT = Date.parse('2026-11-30T10:00:00Z');
const NOW = APPLIED_AT + 11 * 60_000;

function assess(live: KubernetesObject, more: object = {}) {
  return assessHealth(live, {
    writtenAt: APPLIED_AT,
    now: NOW,
    pods: [],
    replicaSets: [],
    ...more,
  });
}

function object(
  apiVersion: string,
  kind: string,
  members: object,
  metadata: object = {},
): KubernetesObject {
  return {
    apiVersion,
    kind,
    metadata: { name: 'x', namespace: 'shop', uid: 'own', ...metadata },
    ...members,
  };
}

describe('health of a Deployment (field case C04)', () => {
  const deadline = (lastUpdateTime: string) => ({
    type: 'Progressing',
    status: 'False',
    reason: 'ProgressDeadlineExceeded',
    lastUpdateTime,
  });
  it.each([
    [
      'controller-has-not-looked-yet',
      12,
      { replicas: 3 },
      {
        observedGeneration: 11,
        replicas: 3,
        updatedReplicas: 3,
        readyReplicas: 3,
        availableReplicas: 3,
      },
      'Progressing',
    ],
    [
      'old-pod-still-serving-new-pod-not-ready',
      12,
      { replicas: 1, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
      {
        observedGeneration: 12,
        replicas: 2,
        updatedReplicas: 1,
        readyReplicas: 1,
        availableReplicas: 1,
        unavailableReplicas: 1,
      },
      'Progressing',
    ],
    [
      'old-pods-not-yet-gone',
      12,
      { replicas: 3 },
      {
        observedGeneration: 12,
        replicas: 4,
        updatedReplicas: 3,
        readyReplicas: 4,
        availableReplicas: 4,
      },
      'Progressing',
    ],
    [
      'leftover-deadline-condition-from-the-previous-attempt',
      13,
      { replicas: 3, progressDeadlineSeconds: 600 },
      {
        observedGeneration: 13,
        replicas: 3,
        updatedReplicas: 0,
        availableReplicas: 3,
        conditions: [deadline('2026-11-30T09:12:00Z')],
      },
      'Progressing',
    ],
    [
      'real-deadline',
      13,
      { replicas: 3, progressDeadlineSeconds: 600 },
      {
        observedGeneration: 13,
        replicas: 4,
        updatedReplicas: 1,
        availableReplicas: 3,
        unavailableReplicas: 1,
        conditions: [deadline('2026-11-30T10:10:04Z')],
      },
      'Failed',
    ],
    [
      'finished',
      13,
      { replicas: 3 },
      {
        observedGeneration: 13,
        replicas: 3,
        updatedReplicas: 3,
        readyReplicas: 3,
        availableReplicas: 3,
        conditions: [
          {
            type: 'Progressing',
            status: 'True',
            reason: 'NewReplicaSetAvailable',
            lastUpdateTime: '2026-11-30T10:01:40Z',
          },
        ],
      },
      'Healthy',
    ],
    [
      'no replicas wanted, no status fields',
      1,
      { replicas: 0 },
      { observedGeneration: 1 },
      'Healthy',
    ],
    ['replicas left out means one', 1, {}, { observedGeneration: 1 }, 'Progressing'],
    ['no status at all', 1, { replicas: 0 }, undefined, 'Progressing'],
    [
      'paused before its pods were updated',
      2,
      { replicas: 2, paused: true },
      { observedGeneration: 2, replicas: 2, updatedReplicas: 0, availableReplicas: 2 },
      'Progressing',
    ],
    [
      'paused when all was done',
      2,
      { replicas: 2, paused: true },
      { observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas: 2 },
      'Healthy',
    ],
    [
      'quota reached after our write',
      2,
      { replicas: 2 },
      {
        observedGeneration: 2,
        replicas: 2,
        updatedReplicas: 0,
        availableReplicas: 2,
        conditions: [
          {
            type: 'ReplicaFailure',
            status: 'True',
            reason: 'FailedCreate',
            lastUpdateTime: '2026-11-30T10:00:01Z',
          },
        ],
      },
      'Failed',
    ],
    [
      'quota reached in the second of our write, which may be before it',
      2,
      { replicas: 2 },
      {
        observedGeneration: 2,
        replicas: 2,
        updatedReplicas: 0,
        availableReplicas: 2,
        conditions: [
          {
            type: 'ReplicaFailure',
            status: 'True',
            reason: 'FailedCreate',
            lastUpdateTime: '2026-11-30T10:00:00Z',
          },
        ],
      },
      'Progressing',
    ],
  ])('%s', (_name, generation, spec, status, verdict) => {
    expect(assess(object('apps/v1', 'Deployment', { spec, status }, { generation })).state).toBe(
      verdict,
    );
  });

  it('shows a quota at once, and takes it for a failure once it lasts', () => {
    const conditions = [
      {
        type: 'ReplicaFailure',
        status: 'True',
        reason: 'FailedCreate',
        message: 'exceeded quota: pods',
        lastUpdateTime: '2026-11-30T10:00:01Z',
      },
    ];
    const status = { observedGeneration: 2, replicas: 2, updatedReplicas: 0, conditions };
    const deployment = object(
      'apps/v1',
      'Deployment',
      { spec: { replicas: 2 }, status },
      { generation: 2 },
    );
    const after = (seconds: number) =>
      assess(deployment, { now: APPLIED_AT + 1_000 * (1 + seconds) });
    expect(after(19)).toMatchObject({ state: 'Progressing', message: 'exceeded quota: pods' });
    expect(after(20)).toMatchObject({ state: 'Failed', message: 'exceeded quota: pods' });
    // A later try that changed nothing: what it finds is still that of the one before.
    const tried = (seconds: number) =>
      assess(deployment, { askedAt: NOW, now: NOW + 1_000 * seconds });
    expect(tried(19).state).toBe('Progressing');
    expect(tried(20).state).toBe('Failed');
  });

  it('says that it is paused', () => {
    const paused = object(
      'apps/v1',
      'Deployment',
      { spec: { replicas: 1, paused: true }, status: { observedGeneration: 1, replicas: 1 } },
      { generation: 1 },
    );
    expect(assess(paused).message).toContain('is paused');
  });
});

describe('health of the pods of a new revision', () => {
  const REVISION = 'deployment.kubernetes.io/revision';
  const deployment = object(
    'apps/v1',
    'Deployment',
    {
      spec: { replicas: 2 },
      status: { observedGeneration: 2, replicas: 3, updatedReplicas: 1, availableReplicas: 2 },
    },
    { generation: 2, annotations: { [REVISION]: '2' } },
  );
  const owned = (uid: string) => [{ uid, controller: true }];
  const replicaSet = (uid: string, revision: string, more: object = {}) =>
    object('apps/v1', 'ReplicaSet', more, {
      uid,
      annotations: { [REVISION]: revision },
      ownerReferences: owned('own'),
      creationTimestamp: '2026-11-30T10:00:00Z',
    });
  const replicaSets = [replicaSet('old', '1'), replicaSet('new', '2')];
  const pod = (owner: string, state: object, restartCount = 0, more: object = {}) =>
    object(
      'v1',
      'Pod',
      { status: { containerStatuses: [{ name: 'web', restartCount, state, ...more }] } },
      { name: `pod-of-${owner}`, uid: `pod-${owner}`, ownerReferences: owned(owner) },
    );
  const waiting = (reason: string) => ({ waiting: { reason } });
  const since = (milliseconds: number) => new Map([['pod-new', NOW - milliseconds]]);

  it.each([
    [
      'CrashLoopBackOff for 20 s',
      pod('new', waiting('CrashLoopBackOff'), 1),
      since(20_000),
      'Failed',
    ],
    [
      'CrashLoopBackOff for less',
      pod('new', waiting('CrashLoopBackOff'), 1),
      since(19_999),
      'Progressing',
    ],
    [
      'CrashLoopBackOff after 3 restarts',
      pod('new', waiting('CrashLoopBackOff'), 3),
      since(0),
      'Failed',
    ],
    ['ImagePullBackOff for 20 s', pod('new', waiting('ImagePullBackOff')), since(20_000), 'Failed'],
    ['ErrImagePull for 20 s', pod('new', waiting('ErrImagePull')), since(20_000), 'Failed'],
    [
      'CreateContainerConfigError for 20 s',
      pod('new', waiting('CreateContainerConfigError')),
      since(20_000),
      'Failed',
    ],
    [
      'ContainerCreating for long',
      pod('new', waiting('ContainerCreating')),
      since(600_000),
      'Progressing',
    ],
    ['a single restart', pod('new', { running: {} }, 1), new Map(), 'Progressing'],
    [
      'the same in a pod of the old revision',
      pod('old', waiting('CrashLoopBackOff'), 9),
      new Map([['pod-old', 0]]),
      'Progressing',
    ],
    [
      'a crash that the pod itself dates',
      pod('new', waiting('CrashLoopBackOff'), 1, {
        lastState: { terminated: { finishedAt: new Date(NOW - 30_000).toISOString() } },
      }),
      new Map(),
      'Failed',
    ],
  ])('%s', (_name, failing, failingSince, verdict) => {
    expect(assess(deployment, { pods: [failing], replicaSets, failingSince }).state).toBe(verdict);
  });

  it('names pod, container and cause, and counts', () => {
    expect(
      assess(deployment, {
        pods: [pod('new', waiting('ImagePullBackOff'))],
        replicaSets,
        failingSince: since(20_000),
      }),
    ).toEqual({
      state: 'Failed',
      reason: 'ImagePullBackOff',
      message: 'pod pod-of-new: container web: ImagePullBackOff',
      ready: 0,
      total: 2,
    });
  });

  it('only says so where no node takes a pod', () => {
    const conditions = [
      {
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        message: '0/2 nodes are available',
      },
    ];
    const unscheduled = object(
      'v1',
      'Pod',
      { status: { conditions } },
      { name: 'p', uid: 'pod-new', ownerReferences: owned('new') },
    );
    expect(assess(deployment, { pods: [unscheduled], replicaSets })).toMatchObject({
      state: 'Progressing',
      reason: 'Unschedulable',
      message: expect.stringContaining('0/2 nodes are available'),
    });
  });

  it('believes the failure of a ReplicaSet that our write made, also within its second', () => {
    const conditions = [
      {
        type: 'ReplicaFailure',
        status: 'True',
        reason: 'FailedCreate',
        lastTransitionTime: '2026-11-30T10:00:00Z',
      },
    ];
    const failing = replicaSet('new', '2', { status: { conditions } });
    expect(assess(deployment, { replicaSets: [failing] })).toMatchObject({
      state: 'Failed',
      reason: 'FailedCreate',
    });
  });

  it('finds those of a StatefulSet and a DaemonSet by their own revision', () => {
    const crashed = (labels: object) => {
      const found = pod('own', waiting('CrashLoopBackOff'), 3);
      return {
        ...found,
        metadata: { ...found.metadata, labels: labels as Record<string, string> },
      };
    };
    const set = object(
      'apps/v1',
      'StatefulSet',
      { spec: { replicas: 1 }, status: { observedGeneration: 1, updateRevision: 'b' } },
      { generation: 1 },
    );
    expect(assess(set, { pods: [crashed({ 'controller-revision-hash': 'b' })] }).state).toBe(
      'Failed',
    );
    expect(assess(set, { pods: [crashed({ 'controller-revision-hash': 'a' })] }).state).toBe(
      'Progressing',
    );
    const daemons = object(
      'apps/v1',
      'DaemonSet',
      { status: { observedGeneration: 1, desiredNumberScheduled: 1 } },
      { generation: 1, annotations: { 'deprecated.daemonset.template.generation': '2' } },
    );
    expect(assess(daemons, { pods: [crashed({ 'pod-template-generation': '2' })] }).state).toBe(
      'Failed',
    );
    expect(assess(daemons, { pods: [crashed({ 'pod-template-generation': '1' })] }).state).toBe(
      'Progressing',
    );
  });
});

describe('health of other kinds', () => {
  const old = '2026-11-30T09:00:00Z';
  const recent = '2026-11-30T10:00:05Z';
  const tank = (members: object, generation: number) =>
    object('acc.example.org/v1', 'Tank', members, { generation });
  const ready = (more: object = {}) => ({ type: 'Ready', status: 'True', ...more });
  const statefulSet = (spec: object, status: object) =>
    object(
      'apps/v1',
      'StatefulSet',
      { spec, status: { observedGeneration: 1, ...status } },
      { generation: 1 },
    );
  const daemonSet = (status: object) =>
    object('apps/v1', 'DaemonSet', { status }, { generation: 1 });
  const job = (conditions: object[], spec: object = {}) =>
    object('batch/v1', 'Job', { spec, status: { conditions } });
  it.each([
    [
      'StatefulSet, all updated and ready',
      statefulSet({ replicas: 2 }, { readyReplicas: 2, updatedReplicas: 2 }),
      'Healthy',
    ],
    [
      'StatefulSet, one to go',
      statefulSet({ replicas: 2 }, { readyReplicas: 2, updatedReplicas: 1 }),
      'Progressing',
    ],
    [
      'StatefulSet with a partition',
      statefulSet(
        { replicas: 3, updateStrategy: { rollingUpdate: { partition: 2 } } },
        { readyReplicas: 3, updatedReplicas: 1 },
      ),
      'Healthy',
    ],
    [
      'StatefulSet, status of an older spec',
      statefulSet({ replicas: 0 }, { observedGeneration: 0 }),
      'Progressing',
    ],
    [
      'DaemonSet, all updated',
      daemonSet({
        observedGeneration: 1,
        desiredNumberScheduled: 2,
        updatedNumberScheduled: 2,
        numberAvailable: 2,
      }),
      'Healthy',
    ],
    [
      'DaemonSet, one to go',
      daemonSet({
        observedGeneration: 1,
        desiredNumberScheduled: 2,
        updatedNumberScheduled: 1,
        numberAvailable: 2,
      }),
      'Progressing',
    ],
    [
      'DaemonSet on no node',
      daemonSet({ observedGeneration: 1, desiredNumberScheduled: 0 }),
      'Healthy',
    ],
    [
      'Job, complete',
      job([{ type: 'Complete', status: 'True', lastTransitionTime: old }]),
      'Healthy',
    ],
    [
      'Job, failed after our write',
      job([{ type: 'Failed', status: 'True', lastTransitionTime: recent }]),
      'Failed',
    ],
    [
      'Job, failed long before',
      job([{ type: 'Failed', status: 'True', lastTransitionTime: old }]),
      'Progressing',
    ],
    ['Job, running', job([]), 'Progressing'],
    ['Job, suspended', job([], { suspend: true }), 'Healthy'],
    ['Pod, ready', object('v1', 'Pod', { status: { conditions: [ready()] } }), 'Healthy'],
    ['Pod, failed', object('v1', 'Pod', { status: { phase: 'Failed' } }), 'Failed'],
    [
      'PersistentVolumeClaim, bound',
      object('v1', 'PersistentVolumeClaim', { status: { phase: 'Bound' } }),
      'Healthy',
    ],
    [
      'PersistentVolumeClaim, pending',
      object('v1', 'PersistentVolumeClaim', { status: { phase: 'Pending' } }),
      'Progressing',
    ],
    [
      'PersistentVolumeClaim, lost',
      object('v1', 'PersistentVolumeClaim', { status: { phase: 'Lost' } }),
      'Failed',
    ],
    [
      'CustomResourceDefinition, established',
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
        status: { conditions: [{ type: 'Established', status: 'True' }] },
      }),
      'Healthy',
    ],
    [
      'CustomResourceDefinition, new',
      object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {}),
      'Progressing',
    ],
    [
      'Service without a load balancer yet',
      object('v1', 'Service', { spec: { type: 'LoadBalancer' }, status: { loadBalancer: {} } }),
      'Healthy',
    ],
    ['ConfigMap', object('v1', 'ConfigMap', {}), 'Healthy'],
    ['Role', object('rbac.authorization.k8s.io/v1', 'Role', {}), 'Healthy'],
    [
      'anything that is being deleted',
      object('v1', 'ConfigMap', {}, { deletionTimestamp: old }),
      'Progressing',
    ],
    ['C26 controller-not-started', tank({}, 1), 'Progressing'],
    [
      'C26 ready-but-for-older-generation',
      tank({ status: { observedGeneration: 1, conditions: [ready()] } }, 2),
      'Progressing',
    ],
    [
      'C26 condition-carries-its-own-generation',
      tank({ status: { conditions: [ready({ observedGeneration: 1 })] } }, 2),
      'Progressing',
    ],
    [
      'custom resource, ready',
      tank({ status: { observedGeneration: 2, conditions: [ready()] } }, 2),
      'Healthy',
    ],
    [
      'custom resource, not ready',
      tank({ status: { conditions: [{ type: 'Ready', status: 'False' }] } }, 1),
      'Progressing',
    ],
    [
      'custom resource, stalled',
      tank(
        {
          status: { conditions: [{ type: 'Stalled', status: 'True', lastTransitionTime: recent }] },
        },
        1,
      ),
      'Failed',
    ],
    [
      'custom resource whose status says nothing we know',
      tank({ status: { phase: 'Fine' } }, 1),
      'Unknown',
    ],
  ])('%s', (_name, live, verdict) => {
    expect(assess(live).state).toBe(verdict);
  });

  it('C26 kind-that-never-reports', () => {
    expect(assess(tank({}, 1), { awaited: false })).toMatchObject({
      state: 'Unknown',
      reason: 'NeverReports',
    });
  });
});

describe('rollUp', () => {
  const id = (name: string) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: 'shop',
    name,
  });

  it('takes the worst, names it, and adds up pods', () => {
    const health = rollUp([
      { id: id('a'), verdict: { state: 'Healthy', ready: 2, total: 2 } },
      {
        id: id('b'),
        verdict: {
          state: 'Failed',
          reason: 'CrashLoopBackOff',
          message: 'pod b-1: crashes',
          ready: 0,
          total: 3,
        },
      },
      { id: id('c'), verdict: { state: 'Progressing', message: 'is going on' } },
    ]);
    expect(health).toEqual({
      state: 'Failed',
      reason: 'CrashLoopBackOff',
      message: 'Deployment/shop/b: pod b-1: crashes',
      ready: 2,
      total: 5,
    });
  });

  it('does not call nothing healthy (field case C01)', () => {
    expect(rollUp([]).state).toBe('Unknown');
  });
});
