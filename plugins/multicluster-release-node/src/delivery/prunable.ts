import pLimit from 'p-limit';
import type { ApiResource, ClusterClient } from '../clusters/types';
import type { InventoryItem, KubernetesObject, ObjectId } from '../ports';
import { REQUESTS_AT_ONCE } from './DeliveryDependencies';
import { bearsOurMark } from './live/owners';
import { readObject } from './live/readObject';
import { idKey } from './objectId';
import { needsPruneOptIn } from './sharedKinds';

export interface Prunable {
  item: InventoryItem;
  resource: ApiResource;
  live: KubernetesObject;
}

export interface PruneRules {
  service: string;
  inventory: InventoryItem[];
  /** Ids of the content that stays. */
  content: ObjectId[];
  pruneAlso: string[];
  /** False keeps everything, unless nothing of ours shall stay. */
  prune: boolean;
}

/**
 * What `remove` deletes: in the inventory, not in the content, made by us, the
 * same object as recorded, still bearing our mark; some kinds only on opt-in (C13).
 * Helpers of a release always go, also where nothing else is pruned.
 *
 * @throws ClusterError
 */
export async function findPrunable(
  client: ClusterClient,
  rules: PruneRules,
  signal?: AbortSignal,
): Promise<Prunable[]> {
  const limit = pLimit(REQUESTS_AT_ONCE);
  const found = await Promise.all(
    pruneCandidates(rules).map(item => limit(() => findLive(client, item, rules.service, signal))),
  );
  return found.filter(prunable => prunable !== undefined);
}

/** What the record alone says may go. */
export function pruneCandidates({
  inventory,
  content,
  pruneAlso,
  prune,
}: PruneRules): InventoryItem[] {
  const helpersOnly = !prune && content.length > 0;
  const stays = new Set(content.map(idKey));
  return inventory.filter(
    item =>
      item.createdByUs &&
      (item.helper || !helpersOnly) &&
      !stays.has(idKey(item)) &&
      (!needsPruneOptIn(item.kind) || pruneAlso.includes(item.kind)),
  );
}

async function findLive(
  client: ClusterClient,
  item: InventoryItem,
  service: string,
  signal?: AbortSignal,
): Promise<Prunable | undefined> {
  const resource = await client.resource(item.apiVersion, item.kind);
  const live = resource && (await readObject(client, resource, item, signal));
  if (!resource || !live) {
    return undefined;
  }
  const same = item.uid === undefined || item.uid === live.metadata.uid;
  const going = live.metadata.deletionTimestamp !== undefined;
  return same && !going && bearsOurMark(live, service) ? { item, resource, live } : undefined;
}
