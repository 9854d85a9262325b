import {
  ACTIONS,
  type ActionName,
  type ActionState,
  type ClusterView,
  type EventView,
  type HoldView,
  type MeasurementView,
  type MetricRule,
  type OpenApproval,
  type Plan,
  type PreviewView,
  type ReleaseView,
  type RunningVersion,
  type ServiceSummary,
  type StageView,
  type StopView,
  type TargetView,
  type WindowView,
} from 'backstage-plugin-multicluster-release-common';
import type { ReleaseDocument } from '../api';

/** 2026-11-30 13:02:00 UTC, the "now" of all examples. */
export const NOW = Date.UTC(2026, 10, 30, 13, 2);
export const SERVICE = 'component:default/checkout';

const MINUTE = 60_000;

export function exampleActions(
  allowed: ActionName[],
  denied: ActionState = { allowed: false, reasonCode: 'Final', message: 'The release has ended.' },
): Record<ActionName, ActionState> {
  const states = ACTIONS.map(name => [name, allowed.includes(name) ? { allowed: true } : denied]);
  return Object.fromEntries(states);
}

export function exampleRelease(changes: Partial<ReleaseView> = {}): ReleaseView {
  return {
    id: 'r-2',
    service: SERVICE,
    strategy: 'Canary',
    targetVersion: '2.0.0',
    fromVersions: ['1.0.0'],
    state: 'Waiting',
    health: 'Healthy',
    waiting: [
      {
        code: 'promote',
        params: { stage: 'production' },
        message: 'Waiting for someone to promote to production',
        since: NOW - 3 * MINUTE,
        blocking: true,
      },
    ],
    stage: { index: 0, name: 'canary', kind: 'step', total: 2 },
    counts: { total: 3, done: 1, running: 0, failed: 0, pending: 2, rolledBack: 0 },
    plan: { hash: 'sha256:abcdef0123456789', number: 1 },
    startedBy: 'user:default/guest',
    createdAt: NOW - 5 * MINUTE,
    revision: 7,
    actions: {
      ...exampleActions(['pause', 'abort', 'rollback']),
      promote: { allowed: true, expectedStage: 0 },
    },
    ...changes,
  };
}

export function exampleFinalRelease(changes: Partial<ReleaseView> = {}): ReleaseView {
  return exampleRelease({
    id: 'r-1',
    targetVersion: '1.0.0',
    fromVersions: [],
    state: 'Succeeded',
    waiting: [],
    stage: undefined,
    counts: { total: 3, done: 3, running: 0, failed: 0, pending: 0, rolledBack: 0 },
    createdAt: NOW - 60 * MINUTE,
    finishedAt: NOW - 50 * MINUTE,
    actions: exampleActions(['rollback']),
    ...changes,
  });
}

export function exampleStages(): StageView[] {
  return [
    {
      index: 0,
      name: 'canary',
      kind: 'step',
      clusters: ['cluster-a'],
      state: 'waiting',
      done: 1,
      total: 1,
      failed: 0,
      gates: exampleRelease().waiting,
      startedAt: NOW - 5 * MINUTE,
      untilPromoted: true,
    },
    {
      index: 1,
      name: 'production',
      kind: 'step',
      clusters: ['cluster-b', 'cluster-c'],
      state: 'pending',
      done: 0,
      total: 2,
      failed: 0,
      gates: [],
      pauseMilliseconds: 5 * MINUTE,
    },
  ];
}

/** States that a cluster is in only once it was written to. */
const CHANGED = new Set<TargetView['state']>(['Verifying', 'Soaking', 'Done', 'Failed']);

export function exampleTarget(cluster: string, changes: Partial<TargetView> = {}): TargetView {
  return {
    cluster,
    namespace: 'production',
    group: 'production',
    stage: 1,
    region: 'cn-east-1',
    labels: { env: 'prod' },
    state: 'Pending',
    health: { state: 'Healthy', ready: 2, total: 2 },
    from: { version: '1.0.0', digest: 'sha256:1' },
    to: { version: '2.0.0', digest: 'sha256:2' },
    weight: { wanted: 0 },
    configVersion: {},
    phases: [],
    reportedAt: NOW - 4_000,
    canGoBack: CHANGED.has(changes.state ?? 'Pending'),
    ...changes,
  };
}

export function exampleTargets(): TargetView[] {
  return [
    exampleTarget('cluster-a', {
      group: 'canary',
      stage: 0,
      state: 'Done',
      phases: [
        { name: 'apply', from: NOW - 5 * MINUTE, to: NOW - 4.5 * MINUTE },
        { name: 'ready', from: NOW - 4.5 * MINUTE, to: NOW - 3 * MINUTE },
      ],
    }),
    exampleTarget('cluster-b'),
    exampleTarget('cluster-c'),
  ];
}

export function exampleRunning(
  cluster: string,
  changes: Partial<RunningVersion> = {},
): RunningVersion {
  return {
    service: SERVICE,
    cluster,
    namespace: 'production',
    version: '1.0.0',
    health: { state: 'Healthy', ready: 2, total: 2 },
    clusterState: 'ok',
    since: NOW - 60 * MINUTE,
    reportedAt: NOW - 4_000,
    ...changes,
  };
}

export function exampleSummary(changes: Partial<ServiceSummary> = {}): ServiceSummary {
  return {
    service: SERVICE,
    versions: ['cluster-a', 'cluster-b', 'cluster-c'].map(cluster => exampleRunning(cluster)),
    holds: [],
    definition: {
      revision: '1',
      templates: ['checkout'],
      policies: [],
      placements: ['checkout'],
      releases: ['rollout'],
    },
    clustersAnswered: { answered: 3, total: 3 },
    ...changes,
  };
}

export function exampleDocument(): ReleaseDocument {
  return {
    apiVersion: 'multicluster-release.io/v1',
    kind: 'ClusterRelease',
    metadata: { name: 'rollout' },
    spec: { targetVersion: '1.0.0', strategy: { type: 'Canary' }, placement: 'checkout' },
  };
}

export function examplePlan(changes: Partial<Plan> = {}): Plan {
  const targets = exampleTargets();
  return {
    format: 1,
    number: 1,
    hash: 'sha256:abcdef0123456789',
    kind: 'forward',
    service: SERVICE,
    targetVersion: '2.0.0',
    targets: targets.map(({ cluster, namespace, group }) => ({
      cluster,
      namespace,
      group,
      key: `${cluster}/${namespace}`,
      from: { digest: 'sha256:1', version: '1.0.0' },
      to: { digest: 'sha256:2', version: '2.0.0' },
      unchanged: false,
    })),
    stages: [
      {
        index: 0,
        name: 'canary',
        kind: 'step',
        targets: ['cluster-a/production'],
        concurrency: 1,
        timeoutMilliseconds: 10 * MINUTE,
        steps: [{ id: '0.3', instruction: 'wait', scope: 'stage', wait: { for: 'promotion' } }],
      },
      {
        index: 1,
        name: 'production',
        kind: 'step',
        targets: ['cluster-b/production', 'cluster-c/production'],
        concurrency: 1,
        timeoutMilliseconds: 10 * MINUTE,
        steps: [
          {
            id: '1.3',
            instruction: 'wait',
            scope: 'target',
            wait: { for: 'soak', milliseconds: 5 * MINUTE },
          },
        ],
      },
    ],
    rules: {
      maxFailures: 0,
      onFailure: 'RollbackTouched',
      retries: 0,
      rollbackOn: ['HealthFailed'],
      offline: { policy: 'Wait', afterMilliseconds: 10 * MINUTE },
      prune: true,
      pruneAlso: [],
      onNewer: 'Queue',
    },
    ...changes,
  };
}

export function examplePreview(changes: Partial<PreviewView> = {}): PreviewView {
  const targets = exampleTargets();
  return {
    plan: examplePlan(),
    findings: [
      {
        severity: 'warning',
        code: 'RestartOnAdoption',
        params: {},
        message: 'Deployment production/checkout restarts once, because it gets our label.',
      },
    ],
    diff: [
      {
        targets: targets.map(({ cluster, namespace }) => ({ cluster, namespace })),
        changes: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            namespace: 'production',
            name: 'checkout',
            change: 'configured',
            fields: [
              {
                pointer: '/spec/template/spec/containers/0/image',
                kind: 'changed',
                before: 'checkout:1.0.0',
                after: 'checkout:2.0.0',
              },
            ],
          },
          {
            apiVersion: 'v1',
            kind: 'Secret',
            namespace: 'production',
            name: 'checkout',
            change: 'configured',
            fields: [
              {
                pointer: '/data/password',
                kind: 'changed',
                before: 'value changed',
                after: 'value changed',
              },
            ],
          },
        ],
      },
    ],
    excluded: [{ cluster: 'cluster-green', rule: 'select.exclude names it' }],
    ...changes,
  };
}

/** At most 1 %, every 30 s; with a pause of 5 minutes, nine readings. */
export function exampleRule(changes: Partial<MetricRule> = {}): MetricRule {
  return {
    name: 'error_rate',
    provider: { kind: 'prometheus', query: 'errors{cluster="{{cluster}}"}' },
    unit: '%',
    limit: { max: 1 },
    intervalMilliseconds: 30_000,
    windowMilliseconds: MINUTE,
    initialDelayMilliseconds: MINUTE,
    failureLimit: 0,
    consecutiveErrorLimit: 4,
    noData: 'hold',
    ...changes,
  };
}

/** The first stage observes its clusters for 5 minutes, and measures meanwhile. */
export function exampleMeasuredPlan(rules: MetricRule[], clusters: string[] = ['cluster-a']): Plan {
  const { stages, targets, ...others } = examplePlan();
  const [canary, production] = stages;
  const added = clusters.map(cluster => ({
    ...targets[0],
    cluster,
    key: `${cluster}/production`,
  }));
  const names = new Set(clusters);
  return {
    ...others,
    targets: [...added, ...targets.filter(({ cluster }) => !names.has(cluster))],
    stages: [
      {
        ...canary,
        targets: added.map(({ key }) => key),
        steps: [
          {
            id: '0.3',
            instruction: 'wait',
            scope: 'stage',
            wait: { for: 'soak', milliseconds: 5 * MINUTE },
          },
          { id: '0.4', instruction: 'analyse', scope: 'stage', metrics: rules },
        ],
      },
      production,
    ],
  };
}

export function exampleMeasurement(changes: Partial<MeasurementView> = {}): MeasurementView {
  const { id = 1, cluster = 'cluster-a' } = changes;
  return {
    id,
    stage: 0,
    gate: '0.4',
    cluster,
    namespace: 'production',
    metric: 'error_rate',
    at: NOW - 2 * MINUTE + id * 30_000,
    result: 'good',
    value: 0.25,
    query: `errors{cluster="${cluster}"}`,
    ...changes,
  };
}

export function exampleEvent(changes: Partial<EventView> = {}): EventView {
  return {
    id: 1,
    at: NOW - MINUTE,
    releaseId: 'r-2',
    kind: 'release',
    code: 'Paused',
    params: {},
    message: 'user:default/guest paused the release',
    actor: 'user:default/guest',
    ...changes,
  };
}

export function exampleHold(changes: Partial<HoldView> = {}): HoldView {
  return {
    id: 'h-1',
    service: SERVICE,
    version: '3.0.0',
    reason: 'it crashed',
    releaseId: 'r-0',
    since: NOW,
    ...changes,
  };
}

export function exampleApproval(changes: Partial<OpenApproval> = {}): OpenApproval {
  return {
    gate: '0.2',
    when: 'after',
    required: 1,
    from: ['group:default/sre'],
    selfApproval: false,
    askedAt: NOW - MINUTE,
    votes: [],
    releaseId: 'r-2',
    service: SERVICE,
    targetVersion: '2.0.0',
    stage: { index: 0, name: 'canary', kind: 'step' },
    planHash: 'sha256:abcdef0123456789',
    mine: false,
    ...changes,
  };
}

export function exampleStop(changes: Partial<StopView> = {}): StopView {
  return {
    id: 's-1',
    scope: { regions: ['cn-east-1'] },
    reason: 'the network is down',
    allowRollback: false,
    by: 'user:default/ops',
    since: NOW - 2 * MINUTE,
    reach: { services: 14, clusters: 212, releases: 9 },
    ...changes,
  };
}

export function exampleWindow(changes: Partial<WindowView> = {}): WindowView {
  return {
    id: 'w-1',
    name: 'New Year',
    cron: '0 0 31 12 *',
    durationMilliseconds: 48 * 60 * MINUTE,
    timeZone: 'Asia/Shanghai',
    kind: 'deny',
    reason: 'nobody is at work',
    by: 'user:default/ops',
    since: NOW - 60 * MINUTE,
    next: { from: NOW + 60 * MINUTE, to: NOW + 120 * MINUTE },
    ...changes,
  };
}

export function exampleCluster(name: string, changes: Partial<ClusterView> = {}): ClusterView {
  return {
    name,
    region: 'cn-east-1',
    labels: { env: 'prod' },
    state: 'ok',
    kubernetesVersion: 'v1.36.3',
    nodes: { ready: 2, total: 2 },
    capacity: { cpu: 8, memory: 16 * 1_024 ** 3, pods: 110 },
    requested: { cpu: 1.5, memory: 2 * 1_024 ** 3, pods: 12 },
    reportedAt: NOW - 4_000,
    ...changes,
  };
}
