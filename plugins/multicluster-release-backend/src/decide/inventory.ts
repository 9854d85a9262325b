import type { TargetKey } from 'backstage-plugin-multicluster-release-common';
import type { InventoryItem } from 'backstage-plugin-multicluster-release-node';
import type { CurrentRecord, ReleaseRun } from './types';

/** Both, each object once: as the newer one says where both have it. */
export function withEarlier(
  newer: InventoryItem[],
  earlier: InventoryItem[] = [],
): InventoryItem[] {
  const known = new Set(newer.map(keyOf));
  return [...newer, ...earlier.filter(item => !known.has(keyOf(item)))];
}

function keyOf({ apiVersion, kind, namespace, name }: InventoryItem): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}

/**
 * What a way back to before this release may make again, on record before it
 * does: a lost answer must not hide it.
 */
export function withWayBack(
  current: ReadonlyMap<TargetKey, CurrentRecord>,
  { targets }: ReleaseRun,
): Map<TargetKey, CurrentRecord> {
  const merged = new Map(current);
  for (const { key, inventoryBefore } of targets) {
    const record = merged.get(key) ?? { inventory: [] };
    merged.set(key, { ...record, inventory: withEarlier(record.inventory, inventoryBefore) });
  }
  return merged;
}
