import {
  reselect,
  type ContentRef,
  type FleetCluster,
  type SelectedTarget,
} from 'backstage-plugin-multicluster-release-common';
import type { ContentStore } from 'backstage-plugin-multicluster-release-node';
import type { FleetUntrusted, Reselected } from '../../decide/types';
import type { QueuedPlan } from '../../store/operations/releases/runTurn';
import type { CommandContext } from '../CommandContext';
import { ClusterListUntrustedError, RefusedError } from '../errors';
import { checkTenancy } from './checkTenancy';
import { trustedFleet } from './trustedFleet';

export type FleetContext = Pick<CommandContext, 'registry' | 'prober' | 'contents' | 'settings'>;

/**
 * The clusters of a queued release whose turn has come. Who joined is asked
 * about tenancy by the rules of now; one that may not be written to, or that
 * nothing made for the plan fits, waits for the next release.
 */
export async function reselectFleet(
  context: FleetContext,
  { spec, plan }: QueuedPlan,
): Promise<Reselected | FleetUntrusted> {
  const fleet = fleetNow(context);
  if ('untrusted' in fleet) {
    return fleet;
  }
  const { selection, contents, joined } = reselect(spec, plan, fleet.clusters);
  const kept = await allowedJoiners(context, { owner: spec.owner, contents, joined });
  const barred = new Set(joined.filter(target => !kept.includes(target)));
  const targets = selection.targets.filter(target => !barred.has(target));
  return { spec, selection: { ...selection, targets }, contents };
}

function fleetNow(context: FleetContext): { clusters: FleetCluster[] } | FleetUntrusted {
  try {
    return { clusters: trustedFleet(context) };
  } catch (error) {
    if (error instanceof ClusterListUntrustedError || error instanceof RefusedError) {
      return { untrusted: error.message };
    }
    throw error;
  }
}

export interface JoinerQuestion {
  /** Of the service; undefined where nobody is known to own it. */
  owner?: string;
  joined: SelectedTarget[];
  contents: ReadonlyMap<string, ContentRef>;
}

/**
 * Those of the joined clusters to which this owner may bring that content. What
 * lies outside of namespaces was allowed when the release was started.
 */
export async function allowedJoiners(
  { contents: store, settings }: Pick<FleetContext, 'contents' | 'settings'>,
  { owner, joined, contents }: JoinerQuestion,
): Promise<SelectedTarget[]> {
  const objects = await readAll(store, joined, contents);
  return joined.filter(({ key, cluster }) => {
    const findings = checkTenancy({
      ...{ rules: settings.tenancy, owner, cluster },
      objects: objects.get(contents.get(key)?.digest) ?? [],
      clusterScopedAllowed: true,
    });
    return findings.length === 0;
  });
}

async function readAll(
  store: Pick<ContentStore, 'get'>,
  joined: SelectedTarget[],
  contents: ReadonlyMap<string, ContentRef>,
) {
  const digests = [...new Set(joined.flatMap(({ key }) => contents.get(key)?.digest ?? []))];
  return new Map(
    await Promise.all(
      digests.map(
        async digest => [digest as string | undefined, (await store.get(digest)).objects] as const,
      ),
    ),
  );
}
