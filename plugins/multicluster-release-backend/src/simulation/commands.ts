/*
 * What people and the platform ask for, on the simulated database. What comes of
 * it is decided by the functions of the product; only its reading and writing of
 * rows is played here.
 */
import { NotFoundError } from '@backstage/errors';
import {
  compile,
  reselect,
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
  followUp,
  leadsJoiners,
  listedOnly,
  undecided,
  withoutRecord,
} from '../commands/releases/joiners';
import { newRelease } from '../commands/releases/newRelease';
import {
  leavingRecords,
  refuseRemoval,
  removalRelease,
  replacementFindings,
} from '../commands/releases/removal';
import { versionContents } from '../commands/releases/versionContents';
import { refuseUnlessOffered, wayBackRelease, wayBackTargets } from '../commands/releases/wayBack';
import { sha256 } from '../decide/sha256';
import { forwardPlan } from '../decide/turn';
import { contentOf } from './contents';
import { PEOPLE } from './persons';
import type { SimulatedFleet } from './SimulatedFleet';
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

/** As startRelease; refused where the version is on hold, or the fleet is not to be trusted. */
export function startRelease(
  database: SimulatedDatabase,
  fleet: SimulatedFleet,
  version: StartOrder,
): Row | 'refused' {
  const clusters = fleet.clusters();
  if (!fleet.isTrusted() || clusters.length === 0) {
    return 'refused';
  }
  const current = readCurrent(database);
  const preview = { ...compileOrder(clusters, version, current), risks: {} };
  const id = database.nextId();
  const order = { actor: { ref: PEOPLE[0] } };
  return unlessRefused(() =>
    database.create(newRelease({ preview, current, order, id, now: database.now() })),
  );
}

/** As compileRelease, where every cluster gets a content of its own. */
export function compileOrder(
  clusters: FleetCluster[],
  order: StartOrder,
  current?: CurrentState,
): { spec: ReleaseSpec; plan: Plan } {
  const spec = specOf(order);
  const { plan, findings } = compile({
    spec,
    selection: selectTargets(spec.placement, clusters),
    contents: new Map(clusters.map(({ name }) => [keyOf(name), contentOf(order.version)])),
    current: current?.expected ?? new Map(),
    unproven: current?.unproven,
    sha256,
  });
  if (!plan) {
    throw new Error(`the release does not compile: ${JSON.stringify(findings)}`);
  }
  return { spec, plan };
}

function specOf({ version, strategy, policy }: StartOrder): ReleaseSpec {
  return {
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
    // Nothing is overridden anywhere: what was made for one cluster fits those that join.
    overrideMatches: [],
  };
}

/** As catchUpJoiners, for the one service; undefined where nobody catches up. */
export function catchUpJoiners(
  database: SimulatedDatabase,
  fleet: SimulatedFleet,
): Row | undefined {
  const newest = [...database.rows.values()].at(-1);
  if (!newest || !fleet.isTrusted() || !leadsJoiners({ ...newest, ...newest.run })) {
    return undefined;
  }
  const { run, spec } = newest;
  const { targets } = forwardPlan(run);
  const { selection, contents } = reselect(
    spec,
    { targets },
    listedOnly(targets, fleet.clusters()),
  );
  const missing = withoutRecord(selection.targets, [...database.running.values()]);
  const joiners = undecided(missing, database.versionTargets(run.targetVersion));
  if (joiners.length === 0) {
    return undefined;
  }
  const id = database.nextId();
  const [startedBy] = PEOPLE;
  const now = database.now();
  const release = followUp({
    newest: { id: run.id, spec },
    ...{ startedBy, joiners, contents, id, now },
  });
  const made = release && unlessRefused(() => database.create(release));
  return made === 'refused' ? undefined : made;
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
    const { spec } = database.row(leaving[0].releaseId);
    return database.create({ ...release, spec, strategy: 'Removal' });
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
  { run, rolledBackBy, spec }: Row,
  { by, now, request, contents: versions }: Order,
): OrderEnd {
  return unlessRefused(() => {
    refuseUnlessOffered(run, rolledBackBy);
    const current = readCurrent(database);
    const targets = wayBackTargets({ run, current, request, versions });
    const order = { actor: { ref: by }, request };
    const id = database.nextId();
    const back = wayBackRelease({ run, current, request, order, targets, id, now });
    return { created: database.create({ ...back, spec, strategy: 'Rollback' }) };
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
