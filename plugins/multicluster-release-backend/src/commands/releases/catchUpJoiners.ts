import {
  compile,
  isFinalRelease,
  reselect,
  targetKey,
  type ContentRef,
  type FleetCluster,
  type Plan,
  type ReleaseSpec,
  type SelectedTarget,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { createRun } from '../../decide/createRun';
import { stateEvents } from '../../decide/move';
import { sha256 } from '../../decide/sha256';
import { forwardPlan } from '../../decide/turn';
import type { RunEvent } from '../../decide/types';
import {
  createRelease,
  currentRecords,
  findRunning,
  listReleases,
  listServices,
  listVersionTargets,
  loadRuns,
  type ReleaseRecord,
} from '../../store';
import type { CommandContext } from '../CommandContext';
import { OnHoldError, RecordMovedError } from '../errors';
import { allowedJoiners } from '../planning/reselectFleet';
import { trustedFleet } from '../planning/trustedFleet';

const PAGE = 200;

/** The catalog's word on a service; undefined where it has no entity (any more). */
export type FindOwner = (service: string) => Promise<{ owner?: string } | undefined>;

/**
 * Brings clusters that joined the fleet what the newest release of each service
 * brought, where its policy says `joining: CatchUp` (design.md 4.7): a release of
 * its own, after that one has succeeded. Made from stored content: a joiner gets
 * what was made for a cluster with the same overrides; where there is none, or its
 * service's owner may not write there, it waits for the next release. A cluster
 * that the version has been to, or that a person has skipped, is no joiner.
 *
 * @param findOwner - without an entity nothing starts by itself
 * @throws ClusterListUntrustedError, RefusedError while the fleet is not to be trusted
 */
export async function catchUpJoiners(
  context: CommandContext,
  findOwner: FindOwner = async () => ({}),
): Promise<string[]> {
  const fleet = trustedFleet(context);
  const made: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listServices(context.database, { limit: PAGE, cursor });
    for (const service of page.items) {
      made.push(...(await catchUp(context, service, { fleet, findOwner })));
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return made;
}

async function catchUp(
  context: CommandContext,
  service: string,
  { fleet, findOwner }: { fleet: FleetCluster[]; findOwner: FindOwner },
): Promise<string[]> {
  const { items } = await listReleases(context.database, { services: [service], limit: 1 });
  const [newest] = items;
  if (!newest || !leadsJoiners(newest)) {
    return [];
  }
  const run = (await loadRuns(context.database, [newest.id])).get(newest.id)?.run;
  if (!run) {
    return [];
  }
  const { selection, contents } = reselect(newest.spec, forwardPlan(run), fleet);
  if (selection.findings.some(({ severity }) => severity === 'error')) {
    return [];
  }
  const joined = await joinersOf(context, newest, selection.targets);
  const entity = joined.length > 0 ? await findOwner(service) : undefined;
  if (!entity) {
    return [];
  }
  const joiners = await allowedJoiners(context, { owner: entity.owner, contents, joined });
  return joiners.length > 0 ? create(context, newest, joiners, contents) : [];
}

/**
 * Selected, without anything of the service, and new to its version: where that was
 * skipped, put back or taken off, a person or the policy has decided so.
 */
async function joinersOf(
  { database }: CommandContext,
  { service, targetVersion: version }: ReleaseRecord,
  selected: SelectedTarget[],
): Promise<SelectedTarget[]> {
  const known = currentRecords(await findRunning(database, service));
  const missing = selected.filter(({ key }) => !known.has(key));
  const clusters = [...new Set(missing.map(({ cluster }) => cluster))];
  const had = await listVersionTargets(database, { service, version, clusters });
  // Who was away from the fleet then comes back as a joiner.
  const decided = new Set(had.filter(({ left, touched }) => touched || !left).map(targetKey));
  return missing.filter(({ key }) => !decided.has(key));
}

function leadsJoiners({ state, spec, strategy, needsWork }: ReleaseRecord): boolean {
  return (
    isFinalRelease(state) &&
    (state === 'Succeeded' || state === 'CompletedWithPending') &&
    spec.policy.joining === 'CatchUp' &&
    strategy === spec.strategy.type &&
    (!needsWork || state === 'CompletedWithPending')
  );
}

/** All at once; a joiner that fails asks a person, and one that is away is no reason to wait. */
function followUpSpec(spec: ReleaseSpec): ReleaseSpec {
  return {
    ...spec,
    strategy: {
      type: 'RollingUpdate',
      mode: 'Parallel',
      batches: { by: 'groups' },
      stabilizeMilliseconds: 0,
    },
    policy: {
      ...spec.policy,
      onFailure: 'Pause',
      offline: { ...spec.policy.offline, policy: 'Skip' },
    },
  };
}

async function create(
  context: CommandContext,
  newest: ReleaseRecord,
  joiners: SelectedTarget[],
  contents: ReadonlyMap<TargetKey, ContentRef>,
): Promise<string[]> {
  const { service } = newest;
  const spec = followUpSpec(newest.spec);
  const { plan } = compile({
    spec,
    selection: { targets: joiners, excluded: [], findings: [] },
    contents,
    current: new Map(),
    sha256,
  });
  if (!plan) {
    return [];
  }
  const id = context.newId();
  const now = context.now();
  const startedBy = newest.onBehalfOf ?? newest.startedBy;
  try {
    await createRelease(context.database, {
      ...{ id, service, spec, plan, startedBy, now },
      reason: 'joined the fleet; the policy lets it catch up',
      begin: ({ sequence, queuedBehind, running, holds }) => {
        const current = currentRecords(running);
        if (queuedBehind !== undefined || joiners.some(({ key }) => current.has(key))) {
          throw new RecordMovedError();
        }
        const hold = holds.find(({ version }) => version === plan.targetVersion);
        if (hold) {
          throw new OnHoldError(hold);
        }
        const acceptedRisks = new Map();
        const run = createRun({
          ...{ id, plan, sequence, current, acceptedRisks, startedBy, now },
        });
        return { run, events: [createdEvent(plan, newest), ...stateEvents(run)] };
      },
    });
  } catch (error) {
    if (error instanceof RecordMovedError || error instanceof OnHoldError) {
      return [];
    }
    throw error;
  }
  context.onChange({ releaseId: id, service, revision: 1 });
  return [id];
}

function createdEvent(plan: Plan, { id }: ReleaseRecord): RunEvent {
  const clusters = plan.targets.map(({ cluster }) => cluster).join(', ');
  return {
    kind: 'release',
    code: 'ReleaseCreated',
    params: { version: plan.targetVersion, count: plan.targets.length, hash: plan.hash, after: id },
    message: `${clusters} joined the fleet and catches up with ${plan.targetVersion}`,
    actor: 'system',
  };
}
