import pLimit from 'p-limit';
import { ClusterError } from '../clusters/errors/ClusterError';
import type { ClusterClient } from '../clusters/types';
import type { Effect, InventoryItem, Outcome, WriteFence } from '../ports';
import { REQUESTS_AT_ONCE, type DeliveryDependencies } from './DeliveryDependencies';
import { fencedWrite } from './live/fencedWrite';
import { bearsOurMark, hasNewerStamp } from './live/owners';
import { pathOf, readObject } from './live/readObject';
import { describeObject, idKey, idOf } from './objectId';
import { outcomeOfError } from './outcomeOfError';
import { findPrunable, pruneCandidates, type Prunable, type PruneRules } from './prunable';
import { worstOutcome } from './worstOutcome';

type Refusal = Exclude<Outcome, { result: 'done' }>;

/** How often a delete is tried again at once when somebody else wrote in between. */
const CONFLICT_ATTEMPTS = 5;

/**
 * Deletes what of ours is no longer in the content (see findPrunable). Each delete
 * names the uid and resourceVersion that were seen, so that an object which was
 * made anew or changed meanwhile stays.
 */
export async function remove(
  { contents }: DeliveryDependencies,
  client: ClusterClient,
  effect: Effect,
  fence: WriteFence,
): Promise<Outcome> {
  const content = effect.digest === undefined ? [] : (await contents.get(effect.digest)).objects;
  const { stamp, inventory, pruneAlso, prune } = effect;
  const rules: PruneRules = {
    service: stamp.service,
    inventory,
    content: content.map(idOf),
    pruneAlso,
    prune,
  };
  try {
    const prunable = await findPrunable(client, rules, fence.signal);
    const limit = pLimit(REQUESTS_AT_ONCE);
    const results = await Promise.all(
      prunable.map(found => limit(() => deleteSafely(client, effect, found, fence))),
    );
    const refusal = worstOutcome(results.filter(result => result !== undefined));
    return (
      refusal ?? {
        result: 'done',
        data: {
          kind: 'apply',
          inventory: remaining(rules),
          created: 0,
          configured: 0,
          unchanged: content.length,
        },
      }
    );
  } catch (error) {
    return outcomeOfError(error, []);
  }
}

/** What is still ours to know about: the content, and what was kept for want of an opt-in. */
function remaining(rules: PruneRules): InventoryItem[] {
  const gone = new Set(pruneCandidates(rules).map(idKey));
  const stays = new Set(rules.content.map(idKey));
  return rules.inventory.filter(
    item => stays.has(idKey(item)) || (item.createdByUs && !gone.has(idKey(item))),
  );
}

/** Deletes one object, as it was seen; answers what stood against it. */
export async function deleteSafely(
  client: ClusterClient,
  effect: Effect,
  found: Prunable,
  fence: WriteFence,
): Promise<Refusal | undefined> {
  try {
    return await deleteObject(client, effect, found, fence);
  } catch (error) {
    return outcomeOfError(error, []) as Refusal;
  }
}

async function deleteObject(
  client: ClusterClient,
  { stamp }: Effect,
  { item, resource, live: first }: Prunable,
  fence: WriteFence,
): Promise<Refusal | undefined> {
  const subject = describeObject(item);
  let live: Prunable['live'] | undefined = first;
  for (let attempt = 1; attempt <= CONFLICT_ATTEMPTS; attempt += 1) {
    if (!live || live.metadata.uid !== first.metadata.uid || !bearsOurMark(live, stamp.service)) {
      return undefined;
    }
    if (hasNewerStamp(live, stamp)) {
      return {
        result: 'leaseLost',
        message: `${client.name}: ${subject}: bears a newer stamp; a later holder of the lease goes on.`,
      };
    }
    try {
      await fencedWrite(client, fence, deleteRequest(item, resource, live));
      return undefined;
    } catch (error) {
      if (error instanceof ClusterError && error.kind === 'notFound') {
        return undefined;
      }
      if (!(error instanceof ClusterError) || error.kind !== 'conflict') {
        throw error;
      }
      live = await readObject(client, resource, item, fence.signal);
    }
  }
  return {
    result: 'retry',
    message: `${client.name}: ${subject}: somebody else writes to it at the same time.`,
  };
}

function deleteRequest(
  item: InventoryItem,
  resource: Prunable['resource'],
  live: Prunable['live'],
) {
  const { uid, resourceVersion } = live.metadata;
  return {
    method: 'DELETE' as const,
    path: pathOf(resource, item),
    body: {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid, resourceVersion },
      propagationPolicy: 'Background',
    },
    subject: describeObject(item),
  };
}
