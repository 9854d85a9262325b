import {
  reselect,
  type ContentRef,
  type ReleaseSpec,
  type SelectedTarget,
} from 'backstage-plugin-multicluster-release-common';
import type { ContentStore } from 'backstage-plugin-multicluster-release-node';
import type { LookUpFleet } from '../../controls';
import type { FleetUntrusted, Reselected } from '../../decide/types';
import type { QueuedPlan } from '../../store';
import type { CommandContext } from '../CommandContext';
import { checkTenancy } from './checkTenancy';
import { jobObjects } from './jobTenancy';
import { trustedFleet } from './trustedFleet';

export interface FleetContext
  extends Pick<CommandContext, 'registry' | 'prober' | 'contents' | 'settings'> {
  lookUp: LookUpFleet;
}

/**
 * The clusters of a queued release whose turn has come. Who joined is asked
 * about tenancy by the rules of now; one that may not be written to, or that
 * nothing made for the plan fits, waits for the next release.
 */
export async function reselectFleet(
  context: FleetContext,
  { spec, plan }: QueuedPlan,
): Promise<Reselected | FleetUntrusted> {
  try {
    return await reselectNow(context, { spec, plan });
  } catch (error) {
    // Also what the joined ones would get may not be readable now: then nobody can say who may join.
    return { untrusted: error instanceof Error ? error.message : String(error) };
  }
}

async function reselectNow(context: FleetContext, { spec, plan }: QueuedPlan): Promise<Reselected> {
  const clusters = trustedFleet(context);
  const left = new Set(context.lookUp(plan.targets.map(({ cluster }) => cluster)).left);
  const { selection, contents, joined } = reselect(spec, plan, { clusters, left });
  const kept = await allowedJoiners(context, { spec, owner: spec.owner, contents, joined });
  const barred = new Set(joined.filter(target => !kept.includes(target)));
  const targets = selection.targets.filter(target => !barred.has(target));
  return { spec, selection: { ...selection, targets }, contents };
}

export interface JoinerQuestion {
  spec: Pick<ReleaseSpec, 'strategy'>;
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
  { spec, owner, joined, contents }: JoinerQuestion,
): Promise<SelectedTarget[]> {
  const objects = await readAll(store, joined, contents);
  return joined.filter(({ key, cluster, namespace }) => {
    const written = objects.get(contents.get(key)?.digest) ?? [];
    const findings = checkTenancy({
      ...{ rules: settings.tenancy, owner, cluster },
      objects: [...written, ...jobObjects(jobsOf(spec), namespace)],
      clusterScopedAllowed: true,
    });
    return findings.length === 0;
  });
}

/** Whichever step a joined cluster comes into: it has to bear the Jobs of all. */
function jobsOf({ strategy }: Pick<ReleaseSpec, 'strategy'>): Record<string, unknown>[] {
  return strategy.type === 'Canary' ? strategy.steps.flatMap(({ jobs = [] }) => jobs) : [];
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
