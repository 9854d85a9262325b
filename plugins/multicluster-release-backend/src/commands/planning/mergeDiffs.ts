import {
  canonicalJson,
  type DiffClass,
  type ObjectChange,
  type TargetRef,
} from 'backstage-plugin-multicluster-release-common';

/** Targets whose change is the same become one class; the largest class first. Pure. */
export function mergeDiffs(diffs: { target: TargetRef; changes: ObjectChange[] }[]): DiffClass[] {
  const classes = new Map<string, DiffClass>();
  for (const { target, changes } of diffs) {
    const key = canonicalJson(changes.map(change => withoutPlace(change, target.namespace)));
    const known = classes.get(key);
    if (known) {
      known.targets.push(target);
    } else {
      classes.set(key, { targets: [target], changes });
    }
  }
  return [...classes.values()].sort((a, b) => b.targets.length - a.targets.length);
}

/** The same change in the target's own namespace is the same change. */
function withoutPlace(change: ObjectChange, namespace: string): object {
  return change.namespace === namespace ? { ...change, namespace: '' } : change;
}
