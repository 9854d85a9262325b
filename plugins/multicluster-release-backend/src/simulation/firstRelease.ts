import type { Plan } from 'backstage-plugin-multicluster-release-common';
import { createRun, type ReleaseRun } from '../decide';
import type { RunningRecord } from '../store/types';
import { compileOrder, NAMESPACE, SERVICE, type StartOrder } from './commands';
import { contentOf, FIRST_VERSION, objectsOf } from './contents';
import { PEOPLE } from './persons';
import type { SimulatedDatabase } from './SimulatedDatabase';

/** The release that made the clusters what they are when the simulation begins; it ended long ago. */
export const FIRST_RELEASE = 'r0';

/** Puts it on record, with what it left on these clusters. */
export function rememberFirstRelease(database: SimulatedDatabase, clusters: string[]): void {
  if (clusters.length > 0) {
    const records = clusters.map(name => runningRecord(name, database.now()));
    const order = compileOrder(
      clusters.map((name, index) => ({ name, labels: { ring: index === 0 ? 'canary' : 'rest' } })),
      FIRST_ORDER,
    );
    database.remember(firstRun(order.plan, database.now()), order.spec, records);
  }
}

function firstRun(plan: Plan, now: number): ReleaseRun {
  const run = createRun({
    id: FIRST_RELEASE,
    plan,
    sequence: 1,
    current: new Map(),
    acceptedRisks: new Map(),
    startedBy: PEOPLE[0],
    now,
  });
  return {
    ...run,
    state: 'Succeeded',
    stage: run.stages.length,
    needsWork: false,
    startedAt: now,
    finishedAt: now,
    targets: run.targets.map(target => ({
      ...target,
      state: 'Done' as const,
      touched: true,
      sequence: 1,
      ticket: 1,
      inventory: runningRecord(target.cluster, now).inventory,
    })),
  };
}

const FIRST_ORDER: StartOrder = {
  version: FIRST_VERSION,
  strategy: {
    type: 'RollingUpdate',
    mode: 'Parallel',
    batches: { by: 'groups' },
    stabilizeMilliseconds: 0,
  },
  policy: {
    order: { by: 'groups' },
    timeoutMilliseconds: 300_000,
    retries: 0,
    maxFailures: 0,
    onFailure: 'RollbackTouched',
    onNewer: 'Queue',
    offline: { policy: 'Wait', afterMilliseconds: 120_000 },
    prune: true,
  },
};

function runningRecord(cluster: string, now: number): RunningRecord {
  const { digest, version } = contentOf(FIRST_VERSION);
  return {
    service: SERVICE,
    cluster,
    namespace: NAMESPACE,
    version,
    digest,
    wantedSequence: 1,
    observedSequence: 1,
    since: now,
    releaseId: FIRST_RELEASE,
    inventory: objectsOf(digest).map(name => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name,
      createdByUs: true,
    })),
  };
}
