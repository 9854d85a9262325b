import {
  reselect,
  type ContentRef,
  type FleetCluster,
  type PlanTarget,
  type SelectedTarget,
  type TargetKey,
} from 'backstage-plugin-multicluster-release-common';
import { forwardPlan } from '../../decide/turn';
import {
  createRelease,
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
import { followUp, leadsJoiners, listedOnly, undecided, withoutRecord } from './joiners';

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
  const [newest] = (await listReleases(context.database, { services: [service], limit: 1 })).items;
  if (!newest || !leadsJoiners(newest)) {
    return [];
  }
  const targets = await targetsMade(context, newest);
  const { selection, contents } = reselect(newest.spec, { targets }, listedOnly(targets, fleet));
  if (selection.findings.some(({ severity }) => severity === 'error')) {
    return [];
  }
  const joined = await joinersOf(context, newest, selection.targets);
  const entity = joined.length > 0 ? await findOwner(service) : undefined;
  if (!entity) {
    return [];
  }
  const joiners = await allowedJoiners(context, {
    spec: newest.spec,
    ...{ owner: entity.owner, contents, joined },
  });
  return joiners.length > 0 ? create(context, newest, joiners, contents) : [];
}

/** How far back content is looked for that earlier releases made of the same template and version. */
const RELEASES_BACK = 50;

/** Also of the releases before: of one that let others catch up the plan has only those. */
async function targetsMade(
  { database }: CommandContext,
  { service, targetVersion, spec }: ReleaseRecord,
): Promise<PlanTarget[]> {
  const { items } = await listReleases(database, { services: [service], limit: RELEASES_BACK });
  const other = items.findIndex(release => release.targetVersion !== targetVersion);
  const same = (other < 0 ? items : items.slice(0, other)).filter(
    release => release.spec.template?.digest === spec.template?.digest,
  );
  const ids = same.map(({ id }) => id);
  const runs = await loadRuns(database, ids);
  const made = new Map<TargetKey, PlanTarget>();
  for (const id of ids) {
    const run = runs.get(id)?.run;
    (run ? forwardPlan(run).targets : [])
      .filter(({ key }) => !made.has(key))
      .forEach(target => made.set(target.key, target));
  }
  return [...made.values()];
}

async function joinersOf(
  { database }: CommandContext,
  { service, targetVersion: version }: ReleaseRecord,
  selected: SelectedTarget[],
): Promise<SelectedTarget[]> {
  const missing = withoutRecord(selected, await findRunning(database, service));
  const clusters = [...new Set(missing.map(({ cluster }) => cluster))];
  const had = await listVersionTargets(database, { service, version, clusters });
  return undecided(missing, had);
}

async function create(
  context: CommandContext,
  newest: ReleaseRecord,
  joiners: SelectedTarget[],
  contents: ReadonlyMap<TargetKey, ContentRef>,
): Promise<string[]> {
  const { service } = newest;
  const id = context.newId();
  const now = context.now();
  const startedBy = newest.onBehalfOf ?? newest.startedBy;
  const release = followUp({ newest, startedBy, joiners, contents, id, now });
  if (!release) {
    return [];
  }
  try {
    await createRelease(context.database, {
      ...release,
      ...{ id, service, startedBy, now },
      reason: 'joined the fleet; the policy lets it catch up',
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
