/* Small whole records for tests: a service `component:default/checkout` on a few clusters. */
import type {
  ContentRef,
  Plan,
  PlanTarget,
  ReleaseSpec,
} from 'backstage-plugin-multicluster-release-common';
import type { Knex } from 'knex';
import type { ReleaseRun, RunEvent, TargetRun } from '../../decide/types';
import { claimReleases } from '../operations/leases/claimReleases';
import { createRelease } from '../operations/releases/createRelease';
import type { Lease, NewRelease, StartContext } from '../types';

export const SERVICE = 'component:default/checkout';
/** On the samples' clock. */
export const NOON = 1_800_000_000_000;

/** Content of a version; its digest is 64 characters of the version's name. */
export function sampleContent(version: string): ContentRef {
  return {
    digest: version.repeat(64).slice(0, 64),
    version,
    configVersion: `1.${version}`,
  };
}

export interface SampleOptions {
  id: string;
  service?: string;
  version?: string;
  clusters?: string[];
  now?: number;
}

export function sampleTarget(
  cluster: string,
  to: ContentRef | undefined,
  from?: ContentRef,
): PlanTarget {
  const namespace = 'production';
  const unchanged = from !== undefined && from.digest === to?.digest;
  return {
    key: `${cluster}/${namespace}`,
    cluster,
    namespace,
    from,
    to,
    unchanged,
  };
}

export function samplePlan(options: SampleOptions, number = 1): Plan {
  const { service = SERVICE, version = '2.0.0', clusters = ['cluster-a', 'cluster-b'] } = options;
  const targets = clusters.map(cluster => sampleTarget(cluster, sampleContent(version)));
  const stage = {
    index: 0,
    name: 'all',
    kind: 'all' as const,
    targets: targets.map(({ key }) => key),
    concurrency: 1,
    timeoutMilliseconds: 600_000,
    steps: [{ id: '0.0', instruction: 'apply' as const, scope: 'target' as const }],
  };
  return {
    format: 1,
    number,
    hash: `sha256:${options.id}-${number}`,
    kind: number === 1 ? 'forward' : 'rollback',
    service,
    targetVersion: version,
    targets,
    stages: [stage],
    rules: {
      maxFailures: 0,
      onFailure: 'RollbackTouched',
      retries: 0,
      rollbackOn: ['HealthFailed', 'Timeout'],
      offline: { policy: 'Wait', afterMilliseconds: 600_000 },
      prune: true,
      pruneAlso: [],
      onNewer: 'Queue',
    },
  };
}

function sampleSpec(plan: Plan): ReleaseSpec {
  return {
    service: plan.service,
    targetVersion: plan.targetVersion,
    strategy: {
      type: 'RollingUpdate',
      mode: 'Serial',
      batches: { by: 'groups' },
      stabilizeMilliseconds: 0,
    },
    placement: {
      kind: 'list',
      clusters: plan.targets.map(({ cluster, namespace }) => ({
        name: cluster,
        namespace,
      })),
    },
    policy: {
      order: { by: 'all' },
      timeoutMilliseconds: 600_000,
      retries: 0,
      maxFailures: 0,
      onFailure: 'RollbackTouched',
      onNewer: 'Queue',
      offline: plan.rules.offline,
      prune: true,
    },
    rollbackOn: plan.rules.rollbackOn,
    pruneAlso: [],
  };
}

function sampleTargetRun(target: PlanTarget): TargetRun {
  return {
    key: target.key,
    cluster: target.cluster,
    namespace: target.namespace,
    state: target.unchanged ? 'Unchanged' : 'Pending',
    plan: 1,
    stage: 0,
    position: 0,
    from: target.from,
    inventory: [],
    touched: false,
    attempts: 0,
    acceptedRisks: [],
    health: { state: 'Unknown' },
    phases: [],
  };
}

export function sampleRun(id: string, plan: Plan, context: StartContext, now: number): ReleaseRun {
  return {
    id,
    service: plan.service,
    state: 'Pending',
    targetVersion: plan.targetVersion,
    plans: [plan],
    sequences: { [plan.number]: context.sequence },
    lastSequence: context.sequence,
    stage: 0,
    stages: [{ index: 0 }],
    targets: plan.targets.map(sampleTargetRun),
    queuedBehind: context.queuedBehind,
    waiting: [],
    createdAt: now,
    needsWork: true,
  };
}

export function sampleEvent(code: string, more: Partial<RunEvent> = {}): RunEvent {
  return {
    kind: 'release',
    code,
    params: {},
    message: code,
    actor: 'system',
    ...more,
  };
}

export function sampleRelease(options: SampleOptions): NewRelease {
  const { id, now = NOON } = options;
  const plan = samplePlan(options);
  return {
    id,
    service: plan.service,
    spec: sampleSpec(plan),
    plan,
    startedBy: 'user:default/ada',
    now,
    begin: context => ({
      run: sampleRun(id, plan, context, now),
      events: [sampleEvent('ReleaseCreated', { actor: 'user:default/ada' })],
    }),
  };
}

/** Makes a release and claims it. */
export async function startedRelease(
  database: Knex,
  options: SampleOptions,
  holder = 'replica-1',
): Promise<Lease> {
  await createRelease(database, sampleRelease(options));
  const leases = await claimReleases(database, {
    holder,
    leaseMilliseconds: 60_000,
    limit: 10,
    clock: () => options.now ?? NOON,
  });
  const lease = leases.find(({ releaseId }) => releaseId === options.id);
  if (!lease) {
    throw new Error(`Release ${options.id} could not be claimed`);
  }
  return lease;
}

/** Changes one target of a run, leaving the run that was given as it is. */
export function withTarget(
  run: ReleaseRun,
  cluster: string,
  change: Partial<TargetRun>,
): ReleaseRun {
  const targets = run.targets.map(target =>
    target.cluster === cluster ? { ...target, ...change } : target,
  );
  return { ...run, targets };
}

/** Lets a lease run out without waiting for it. */
export async function expireLease(database: Knex, releaseId: string): Promise<void> {
  await database('releases').where('id', releaseId).update({ lease_until: 1 });
}
