import {
  canonicalJson,
  type DiffClass,
  type ObjectChange,
  type TargetRef,
} from 'backstage-plugin-multicluster-release-common';

export interface TargetDiff {
  target: TargetRef;
  changes: ObjectChange[];
  /** Of the content that comes: what is created has no fields to tell it apart by. */
  digest?: string;
}

/** Targets whose change is the same become one class; the largest class first. Pure. */
export function mergeDiffs(diffs: TargetDiff[]): DiffClass[] {
  const classes = new Map<string, DiffClass>();
  for (const { target, changes, digest } of diffs) {
    const content = changes.some(({ change }) => change === 'created') ? digest : undefined;
    const key = canonicalJson([
      content,
      changes.map(change => withoutPlace(change, target.namespace)),
    ]);
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
