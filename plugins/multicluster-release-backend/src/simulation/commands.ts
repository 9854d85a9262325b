/*
 * What people and the platform ask for, on the simulated database. What comes of
 * it is decided by the functions of the product; only its reading and writing of
 * rows is played here.
 */
import { NotFoundError } from '@backstage/errors';
import {
  compile,
  selectTargets,
  targetKey,
  type ActionName,
  type ContentRef,
  type FleetCluster,
  type Plan,
  type PolicySpec,
  type ReleaseSpec,
  type StrategySpec,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { changeByAct, ENDED } from '../commands/actions/changeByAct';
import type { Order } from '../commands/actions/changes';
import { DocumentsRefusedError, RefusedError } from '../commands/errors';
import { currentState, type CurrentState } from '../commands/planning/currentState';
import {
  leavingRecords,
  refuseRemoval,
  removalRelease,
  replacementFindings,
} from '../commands/releases/removal';
import { versionContents } from '../commands/releases/versionContents';
import { refuseUnlessOffered, wayBackRelease, wayBackTargets } from '../commands/releases/wayBack';
import { createRun } from '../decide';
import { sha256 } from '../decide/sha256';
import { currentRecords } from '../store/currentRecords';
import { contentOf } from './contents';
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
  const plan = compilePlan(clusters, order, readCurrent(database).expected);
  const id = database.nextId();
  return database.create({
    begin: ({ sequence, queuedBehind, running }) => ({
      run: createRun({
        id,
        plan,
        sequence,
        current: currentRecords(running),
        acceptedRisks: new Map(),
        queuedBehind,
        startedBy: PEOPLE[0],
        now: database.now(),
      }),
      events: [],
    }),
  });
}

export function compilePlan(
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

export interface SimulatedRemoval {
  cluster: string;
  /** Also where the service then runs nowhere. */
  last: boolean;
  /** Clusters that answer. */
  isWell(cluster: string): boolean;
}

/** As removeFromCluster. */
export function removeService(
  database: SimulatedDatabase,
  { cluster, last, isWell }: SimulatedRemoval,
): Row | 'refused' {
  const [by] = PEOPLE;
  const order = { service: SERVICE, cluster, last, actor: { ref: by }, reason: 'moves away' };
  return unlessRefused(() => {
    const running = [...database.running.values()];
    const leaving = leavingRecords(running, order);
    const elsewhere = database.leaving();
    refuseRemoval(replacementFindings({ running, leaving, elsewhere, isWell }, order));
    const id = database.nextId();
    const release = removalRelease({ order, leaving, isWell, id, now: database.now() });
    return database.create({ ...release, isRemoval: true });
  });
}

/** As readCurrent. */
function readCurrent(database: SimulatedDatabase): CurrentState {
  const active = database
    .active()
    .map(({ run }) => run)
    .reverse();
  return currentState({ running: [...database.running.values()], active, runs: active });
}

/** As contentsOfVersion for an order; undefined where no version is chosen. */
export function contentsOfVersion(
  database: SimulatedDatabase,
  version: string | undefined,
): Map<TargetKey, ContentRef> | undefined {
  const runs = [...database.rows.values()].map(({ run }) => run).reverse();
  return version === undefined
    ? undefined
    : versionContents(
        runs.filter(({ targetVersion }) => targetVersion === version),
        version,
      );
}

export type OrderEnd = 'changed' | 'unchanged' | 'refused' | { created: Row };

/** As actOnRelease, with the contents of the version of choice: a release that has ended goes back by a new one. */
export function giveOrder(
  database: SimulatedDatabase,
  row: Row,
  action: ActionName,
  order: Order,
): OrderEnd {
  const { by, now, request, facts, contents } = order;
  const approver = facts?.viewer;
  const end = database.change(row, (run, holds) =>
    changeByAct(run, holds, { action, by, now, request, approver, contents }),
  );
  if (typeof end === 'string') {
    return end;
  }
  return end.refusal === ENDED ? rollBackFinal(database, row, order) : 'refused';
}

/** As rollBackFinal; here nobody moves between reading and writing. */
function rollBackFinal(
  database: SimulatedDatabase,
  { run, rolledBackBy }: Row,
  { by, now, request, contents: versions }: Order,
): OrderEnd {
  return unlessRefused(() => {
    refuseUnlessOffered(run, rolledBackBy);
    const current = readCurrent(database);
    const targets = wayBackTargets({ run, current, request, versions });
    const order = { actor: { ref: by }, request };
    const id = database.nextId();
    const back = wayBackRelease({ run, current, request, order, targets, id, now });
    return { created: database.create(back) };
  });
}

const REFUSALS = [RefusedError, DocumentsRefusedError, NotFoundError];

function unlessRefused<T>(work: () => T): T | 'refused' {
  try {
    return work();
  } catch (error) {
    if (REFUSALS.some(refusal => error instanceof refusal)) {
      return 'refused';
    }
    throw error;
  }
}
