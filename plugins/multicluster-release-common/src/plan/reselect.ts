import { matchingOverrides } from './overrides';
import { selectTargets, type SelectedTarget, type Selection } from './selectTargets';
import type { FleetCluster, ReleaseSpec } from './spec';
import type { ContentRef, Plan, TargetKey } from './types';

export interface Reselection {
  /** What the placement selects by now, without those in `without`. */
  selection: Selection;
  /** What each of them gets: only content that was made for the plan. */
  contents: Map<TargetKey, ContentRef>;
  /** Selected now, and not in the plan. */
  joined: SelectedTarget[];
  /** Clusters of the plan that are not selected any more. */
  left: string[];
  /** Joined, and nothing that was made for the plan fits: it is left out. */
  without: SelectedTarget[];
}

/**
 * Selects anew for a plan that was made for an earlier fleet (design.md section
 * 1). Sources are not read again, so that what was previewed is what runs: who
 * was in the plan keeps its content, and who joined gets what was made for a
 * target with the same namespace and the same overrides. Pure.
 */
export function reselect(spec: ReleaseSpec, plan: Plan, fleet: FleetCluster[]): Reselection {
  const selection = selectTargets(spec.placement, fleet);
  const made = new Map(
    plan.targets.flatMap(({ namespace, overrides, to }) =>
      overrides && to ? [[renderKey(namespace, overrides), to] as const] : [],
    ),
  );
  const planned = new Map(plan.targets.map(target => [target.key, target]));
  const fitting = ({ key, namespace, fleet: facts }: SelectedTarget): ContentRef | undefined =>
    planned.get(key)?.to ??
    (spec.overrideMatches &&
      made.get(renderKey(namespace, matchingOverrides(spec.overrideMatches, facts))));
  const contents = new Map(
    selection.targets.flatMap(target => {
      const content = fitting(target);
      return content ? [[target.key, content] as const] : [];
    }),
  );
  const selected = new Set(selection.targets.map(({ key }) => key));
  const targets = selection.targets.filter(({ key }) => contents.has(key));
  return {
    selection: { ...selection, targets },
    contents,
    joined: targets.filter(({ key }) => !planned.has(key)),
    left: plan.targets.filter(({ key }) => !selected.has(key)).map(({ cluster }) => cluster),
    without: selection.targets.filter(({ key }) => !contents.has(key)),
  };
}

/** Equal for targets that get equal content. */
export function renderKey(namespace: string, overrides: number[]): string {
  return JSON.stringify([namespace, overrides]);
}
