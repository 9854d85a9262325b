import { targetKey, type TargetView } from 'backstage-plugin-multicluster-release-common';

export interface LaneGroup {
  /** Undefined: targets that belong to no group. */
  name?: string;
  targets: TargetView[];
  done: number;
  /** Had it already, so that nothing was done there. */
  unchanged: number;
}

/** Targets by group, in the given order of rows; groups stand as the plan has them. */
export function groupsOf(targets: TargetView[], order: string[]): LaneGroup[] {
  const byKey = new Map(targets.map(target => [targetKey(target), target]));
  const groups = new Map<string | undefined, LaneGroup>();
  for (const { group } of targets) {
    if (!groups.has(group)) {
      groups.set(group, { name: group, targets: [], done: 0, unchanged: 0 });
    }
  }
  for (const key of order) {
    const target = byKey.get(key);
    const group = target && groups.get(target.group);
    if (target && group) {
      group.targets.push(target);
      group.done += target.state === 'Done' ? 1 : 0;
      group.unchanged += target.state === 'Unchanged' ? 1 : 0;
    }
  }
  return [...groups.values()];
}

/** Whether any of what a person may type in is found in a target's names. */
export function matches(target: TargetView, query: string): boolean {
  const needle = query.trim().toLowerCase();
  const labels = Object.entries(target.labels).map(([key, value]) => `${key}=${value}`);
  return [
    target.cluster,
    target.namespace,
    target.group ?? '',
    target.region ?? '',
    ...labels,
  ].some(word => word.toLowerCase().includes(needle));
}
