/*
 * What the commands of start and roll back do, on the simulated database. The
 * plans, the orders and what is allowed come from the real code.
 */
import {
  compile,
  compileRollback,
  isFinalRelease,
  selectTargets,
  targetKey,
  type ActionName,
  type ActionRequest,
  type ContentRef,
  type FleetCluster,
  type Plan,
  type PolicySpec,
  type ReleaseSpec,
  type RollbackTarget,
  type StrategySpec,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { actionStates, canGoBack } from '../commands/actions/allowed';
import { applyOrder, type Order } from '../commands/actions/changes';
import { createRun } from '../decide';
import { sha256 } from '../decide/sha256';
import { forwardPlan } from '../decide/turn';
import type { ReleaseRun } from '../decide';
import { contentOf, VERSION_BEFORE } from './contents';
import { PEOPLE } from './persons';
import type { Row, SimulatedDatabase } from './SimulatedDatabase';

export const SERVICE = 'component:default/checkout';
export const NAMESPACE = 'production';

export function keyOf(cluster: string): TargetKey {
  return targetKey({ cluster, namespace: NAMESPACE });
}

export interface StartOrder {
  version: string;
  strategy: StrategySpec;
  policy: PolicySpec;
}

/** Undefined where the version is on hold. */
export function startRelease(
  database: SimulatedDatabase,
  clusters: string[],
  order: StartOrder,
): Row | undefined {
  if (database.holds.has(order.version)) {
    return undefined;
  }
  const plan = compilePlan(clusters, order, expectedContents(database));
  return create(database, plan);
}

function create(
  database: SimulatedDatabase,
  plan: Plan,
  extra: { rolledBackFrom?: string; hold?: { version: string; reason: string } } = {},
): Row {
  const id = `r${database.rows.size + 1}`;
  return database.create({
    ...extra,
    begin: ({ sequence, queuedBehind, current }) =>
      createRun({
        id,
        plan,
        sequence,
        current,
        acceptedRisks: new Map(),
        queuedBehind,
        startedBy: PEOPLE[0],
        now: database.now(),
      }),
  });
}

function compilePlan(
  clusters: string[],
  { version, strategy, policy }: StartOrder,
  current: ReadonlyMap<TargetKey, ContentRef | undefined>,
): Plan {
  const fleet: FleetCluster[] = clusters.map((name, index) => ({
    name,
    labels: { ring: index === 0 ? 'canary' : 'rest' },
  }));
  const spec: ReleaseSpec = {
    service: SERVICE,
    targetVersion: version,
    strategy,
    placement: {
      kind: 'rule',
      name: 'all',
      select: {},
      namespace: NAMESPACE,
      groups: [
        { name: 'canary', match: { matchLabels: { ring: 'canary' } } },
        { name: 'rest', match: {} },
      ],
      ungrouped: 'refuse',
    },
    policy,
    rollbackOn: ['HealthFailed', 'MetricFailed', 'Timeout'],
    pruneAlso: [],
  };
  const { plan, findings } = compile({
    spec,
    selection: selectTargets(spec.placement, fleet),
    contents: new Map(clusters.map(name => [keyOf(name), contentOf(name, version)])),
    current,
    sha256,
  });
  if (!plan) {
    throw new Error(`the release does not compile: ${JSON.stringify(findings)}`);
  }
  return plan;
}

/** What each target runs once the releases ahead have ended as planned, as readCurrent has it. */
function expectedContents(database: SimulatedDatabase): Map<TargetKey, ContentRef | undefined> {
  const expected = new Map<TargetKey, ContentRef | undefined>();
  for (const [key, { digest, version }] of database.running) {
    expected.set(key, digest && version ? { digest, version } : undefined);
  }
  for (const { run } of database.active().filter(({ run: { aborted } }) => !aborted)) {
    for (const target of forwardPlan(run).targets) {
      expected.set(target.key, run.rollback ? target.from : target.to);
    }
  }
  return expected;
}

export type OrderEnd = 'changed' | 'unchanged' | 'refused' | { created: Row };

/** As actOnRelease: a release that has ended goes back by a new one. */
export function giveOrder(
  database: SimulatedDatabase,
  row: Row,
  action: ActionName,
  order: Order,
): OrderEnd {
  const { request } = order;
  if (action === 'rollback' && isFinalRelease(row.run.state)) {
    return rollBackFinal(database, row, request);
  }
  const run = database.load(row);
  const ended = applyOrder(action, run, order);
  const held = action === 'accept' ? run.planChanged?.hold?.version : undefined;
  if ('refusal' in ended || (held !== undefined && !request.releaseHold)) {
    return 'refused';
  }
  if (held !== undefined) {
    database.holds.delete(held);
  }
  return database.write(row, ended, 'order') ? 'changed' : 'unchanged';
}

function rollBackFinal(database: SimulatedDatabase, row: Row, request: ActionRequest): OrderEnd {
  const { run, rolledBackBy } = row;
  if (!actionStates(run, { rolledBackBy }).rollback.allowed) {
    return 'refused';
  }
  const targets = targetsToSendBack(run, expectedContents(database), request);
  if (targets.length === 0) {
    return 'refused';
  }
  const held = targets.flatMap(({ to }) =>
    to && database.holds.has(to.version) ? to.version : [],
  );
  if (held.length > 0 && !request.releaseHold) {
    return 'refused';
  }
  held.forEach(version => database.holds.delete(version));
  const { rules, stages, kind } = forwardPlan(run);
  const plan = compileRollback({
    service: run.service,
    targetVersion: targets[0].to?.version ?? run.targetVersion,
    targets,
    number: 1,
    rules,
    timeoutMilliseconds: Math.max(...stages.map(stage => stage.timeoutMilliseconds)),
    sha256,
  });
  const hold =
    kind === 'forward' && !request.targets
      ? { version: run.targetVersion, reason: 'sent back by a person' }
      : undefined;
  return { created: create(database, plan, { rolledBackFrom: run.id, hold }) };
}

/** Clusters that a newer release owns by now are left to it. */
function targetsToSendBack(
  run: ReleaseRun,
  expected: ReadonlyMap<TargetKey, ContentRef | undefined>,
  { targets: chosen }: ActionRequest,
): RollbackTarget[] {
  return run.targets.filter(canGoBack).flatMap((target): RollbackTarget[] => {
    const { key, cluster, namespace, group } = target;
    const brought = forwardPlan(run).targets.find(planned => planned.key === key)?.to;
    const runs = expected.get(key) ?? brought;
    const adopted = target.beforeDigest && { digest: target.beforeDigest, version: VERSION_BEFORE };
    const to = target.from ?? (adopted || undefined);
    const newer = target.state !== 'Failed' && runs?.digest !== brought?.digest;
    const unchosen = chosen && !chosen.some(named => named.cluster === cluster);
    return newer || unchosen || !to || to.digest === runs?.digest
      ? []
      : [{ cluster, namespace, group, from: runs, to }];
  });
}
