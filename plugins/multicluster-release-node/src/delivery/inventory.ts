import type { InventoryItem, KubernetesObject, ObjectId } from '../ports';
import { idKey, idOf } from './objectId';
import { bearsOurMark } from './live/owners';

/**
 * Whether we may say that we made a live object. What our record says counts
 * only while it is the same object; one that was there before us never becomes
 * ours (C13).
 */
export function createdByUs(
  item: InventoryItem | undefined,
  live: KubernetesObject | undefined,
  service: string,
): boolean {
  if (!live) {
    return true;
  }
  if (!item?.createdByUs) {
    return false;
  }
  return (item.uid !== undefined && item.uid === live.metadata.uid) || bearsOurMark(live, service);
}

export function inventoryItem(
  object: KubernetesObject,
  live: KubernetesObject | undefined,
  created: boolean,
): InventoryItem {
  return { ...idOf(object), uid: live?.metadata.uid, createdByUs: created };
}

export function findItem(inventory: InventoryItem[], id: ObjectId): InventoryItem | undefined {
  const key = idKey(id);
  return inventory.find(item => idKey(item) === key);
}

/** The new items, and of the old ones those that are no longer in the content. */
export function mergeInventories(old: InventoryItem[], current: InventoryItem[]): InventoryItem[] {
  const keys = new Set(current.map(idKey));
  return [...current, ...old.filter(item => !keys.has(idKey(item)))];
}
