import { matchingOverrides } from './overrides';
import { selectTargets, type SelectedTarget, type Selection } from './selectTargets';
import type { ClusterSelector, FleetCluster, PlacementSpec, ReleaseSpec } from './spec';
import type { ContentRef, Plan, PlanTarget, TargetKey } from './types';

/** The fleet as far as it is known now. */
export interface FleetNow {
  clusters: FleetCluster[];
  /** Clusters that are gone for good; others that are not listed may be back in a moment. */
  left: ReadonlySet<string>;
}

export interface Reselection {
  /** What the placement selects by now, as far as there is content for it. */
  selection: Selection;
  /** What each of them gets: only content that was made for the plan. */
  contents: Map<TargetKey, ContentRef>;
  /** Selected now, and not in the plan. */
  joined: SelectedTarget[];
}

/**
 * Selects anew for a plan that was made for an earlier fleet (design.md section
 * 1). Sources are not read again, so that what was previewed is what runs: who
 * was in the plan keeps its content, and who joined gets what was made for a
 * target with the same namespace and the same overrides.
 *
 * What is not known decides nothing: a cluster of the plan that is not listed, or
 * whose Kubernetes version is asked for and not known yet, keeps its place; one
 * that would join without anything that surely fits does not. Pure.
 */
export function reselect(
  spec: ReleaseSpec,
  plan: Pick<Plan, 'targets'>,
  { clusters, left }: FleetNow,
): Reselection {
  const planned = new Map(plan.targets.map(target => [target.key, target]));
  const places = new Set(plan.targets.map(({ cluster }) => cluster));
  const clear = clusters.filter(cluster => !isUnclear(spec, cluster));
  const kept = keptTargets(plan, { clear, left });
  const selection = selectAgain(spec.placement, clear, kept);
  const made = contentsByInput(plan);
  const fitting = ({ key, namespace, fleet: facts }: SelectedTarget): ContentRef | undefined =>
    planned.get(key)?.to ??
    (spec.overrideMatches && !places.has(facts.name)
      ? made.get(renderKey(namespace, matchingOverrides(spec.overrideMatches, facts)))
      : undefined);
  const contents = new Map(
    selection.targets.flatMap(target => {
      const content = fitting(target);
      return content ? [[target.key, content] as const] : [];
    }),
  );
  const targets = selection.targets.filter(({ key }) => contents.has(key));
  return {
    selection: { ...selection, targets },
    contents,
    joined: targets.filter(({ key }) => !planned.has(key)),
  };
}

/** Names what makes the content of a target: equal input gives equal content, but for what room there is. */
export function renderKey(namespace: string, overrides: number[]): string {
  return JSON.stringify([namespace, overrides]);
}

/** By what made them; left out where clusters with equal input got different ones, as where one has less room. */
function contentsByInput({ targets }: Pick<Plan, 'targets'>): Map<string, ContentRef> {
  const made = new Map<string, ContentRef>();
  const several = new Set<string>();
  for (const { namespace, overrides, to } of targets) {
    if (overrides && to) {
      const key = renderKey(namespace, overrides);
      if ((made.get(key) ?? to).digest !== to.digest) {
        several.add(key);
      }
      made.set(key, to);
    }
  }
  several.forEach(key => made.delete(key));
  return made;
}

function isUnclear({ placement, overrideMatches = [] }: ReleaseSpec, cluster: FleetCluster) {
  const selectors = [...placementSelectors(placement), ...overrideMatches];
  return (
    cluster.kubernetesVersion === undefined &&
    selectors.some(({ kubernetesVersion }) => kubernetesVersion !== undefined)
  );
}

function placementSelectors(placement: PlacementSpec): ClusterSelector[] {
  return placement.kind === 'rule'
    ? [placement.select, ...placement.groups.map(({ match }) => match)]
    : [];
}

/** Targets of the plan of whose clusters nothing is known that would change them. */
function keptTargets(
  { targets }: Pick<Plan, 'targets'>,
  { clear, left }: { clear: FleetCluster[]; left: ReadonlySet<string> },
): SelectedTarget[] {
  const known = new Set(clear.map(({ name }) => name));
  return targets.filter(({ cluster }) => !known.has(cluster) && !left.has(cluster)).map(keptTarget);
}

function keptTarget({ key, cluster, namespace, group }: PlanTarget): SelectedTarget {
  return { key, cluster, namespace, group, fleet: { name: cluster, labels: {} } };
}

/** Who is kept has the place that it would have: by group, then by name; a list has its own order. */
function selectAgain(
  placement: PlacementSpec,
  clear: FleetCluster[],
  kept: SelectedTarget[],
): Selection {
  if (placement.kind === 'list') {
    return selectTargets(placement, [...clear, ...kept.map(({ fleet }) => fleet)]);
  }
  const selection = selectTargets(placement, clear);
  if (kept.length === 0) {
    return selection;
  }
  const names = new Set(kept.map(({ key }) => key));
  const clusters = new Set(kept.map(({ cluster }) => cluster));
  const order = new Map(placement.groups.map(({ name }, index) => [name, index]));
  const rank = ({ group = '' }: SelectedTarget) => order.get(group) ?? placement.groups.length;
  const targets = [...selection.targets.filter(({ key }) => !names.has(key)), ...kept].sort(
    (a, b) => rank(a) - rank(b) || compareNames(a.cluster, b.cluster),
  );
  const findings = selection.findings.filter(
    ({ cluster, code }) =>
      (cluster === undefined || !clusters.has(cluster)) && code !== 'NothingSelected',
  );
  return { ...selection, targets, findings };
}

function compareNames(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
