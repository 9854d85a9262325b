import type { KubernetesObject } from '../../ports';
import type { WatchChange } from '../types';

/** The objects of one collection, and what changed from one state of it to the next. */
export class ObjectCache {
  private objects = new Map<string, KubernetesObject>();

  all(): KubernetesObject[] {
    return [...this.objects.values()];
  }

  /** Takes a complete list; what it no longer holds was deleted while nobody listened (C22). */
  replace(items: KubernetesObject[]): WatchChange[] {
    const changes: WatchChange[] = [];
    const listed = new Set(items.map(keyOf));
    for (const [key, object] of this.objects) {
      if (!listed.has(key)) {
        this.objects.delete(key);
        changes.push({ type: 'deleted', object });
      }
    }
    for (const object of items) {
      changes.push(...this.put(object));
    }
    return changes;
  }

  put(object: KubernetesObject): WatchChange[] {
    const key = keyOf(object);
    const before = this.objects.get(key);
    this.objects.set(key, object);
    if (!before) {
      return [{ type: 'added', object }];
    }
    if (before.metadata.uid !== object.metadata.uid) {
      return [
        { type: 'deleted', object: before },
        { type: 'added', object },
      ];
    }
    const same = before.metadata.resourceVersion === object.metadata.resourceVersion;
    return same ? [] : [{ type: 'modified', object }];
  }

  remove(object: KubernetesObject): WatchChange[] {
    return this.objects.delete(keyOf(object)) ? [{ type: 'deleted', object }] : [];
  }
}

function keyOf(object: KubernetesObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}
