import pLimit from 'p-limit';
import type { ClusterClient } from '../clusters/types';
import type { Effect, InventoryItem, KubernetesObject, Outcome, WriteFence } from '../ports';
import { applyObject, type ApplyContext, type Written } from './applyObject';
import { inApplyOrder } from './applyOrder';
import { awaitDefinitions } from './awaitDefinitions';
import { REQUESTS_AT_ONCE, type DeliveryDependencies } from './DeliveryDependencies';
import { createdByUs, findItem, inventoryItem, mergeInventories } from './inventory';
import { resourceOfDefinition } from './live/resourceOfDefinition';
import { describeObject, idKey, idOf } from './objectId';
import { outcomeOfError } from './outcomeOfError';
import { readTarget, type TargetReading } from './readTarget';
import { restoreReplicas } from './weights/stableReplicas';
import { worstOutcome } from './worstOutcome';
import { fillWithheld } from './withheldSecrets';

type Refusal = Exclude<Outcome, { result: 'done' }>;

/**
 * Brings the effect's content to its cluster: one order class after the other,
 * the objects of a class at the same time. Ends at the first class in which an
 * object could not be written; whoever tries again starts from the beginning and
 * finds what is there unchanged.
 */
export async function apply(
  { contents, timing }: DeliveryDependencies,
  client: ClusterClient,
  effect: Effect,
  fence: WriteFence,
): Promise<Outcome> {
  if (effect.digest === undefined) {
    return {
      result: 'done',
      data: {
        kind: 'apply',
        inventory: effect.inventory,
        created: 0,
        configured: 0,
        unchanged: 0,
      },
    };
  }
  const content = await contents.get(effect.digest);
  try {
    const reading = await readTarget(client, content.objects, fence.signal);
    const filled = fillWithheld(content, reading.live, client.name);
    if (filled.missing) {
      return filled.missing;
    }
    const context = {
      client,
      fence,
      stamp: effect.stamp,
      digest: effect.digest,
      scaled: reading.scaled,
    };
    const tally = new Tally(effect);
    for (const objects of inApplyOrder(filled.objects)) {
      const refusal = await applyClass(context, objects, filled.objects, reading, tally);
      if (refusal) {
        return refusal;
      }
      const late = await awaitDefinitions(client, timing, objects, fence.signal);
      if (late) {
        return late;
      }
    }
    return tally.outcome();
  } catch (error) {
    return outcomeOfError(error, content.objects);
  }
}

async function applyClass(
  context: ApplyContext,
  objects: KubernetesObject[],
  all: KubernetesObject[],
  reading: TargetReading,
  tally: Tally,
): Promise<Refusal | undefined> {
  const limit = pLimit(REQUESTS_AT_ONCE);
  const results = await Promise.all(
    objects.map(object =>
      limit(async () => {
        const written = await applySafely(context, object, reading, all);
        return tally.count(object, reading.live.get(idKey(idOf(object))), written);
      }),
    ),
  );
  return worstOutcome(results.filter(result => result !== undefined));
}

async function applySafely(
  context: ApplyContext,
  object: KubernetesObject,
  reading: TargetReading,
  content: KubernetesObject[],
): Promise<Written> {
  const id = idOf(object);
  try {
    const resource =
      reading.resources.get(idKey(id)) ?? resourceOfDefinition(content, id.apiVersion, id.kind);
    if (!resource) {
      const message = `${context.client.name}: ${describeObject(id)}: the cluster does not serve ${
        id.apiVersion
      } ${id.kind}. Install its CustomResourceDefinition, or bring it with the same manifests.`;
      return { result: 'refused', reason: 'KindNotServed', message };
    }
    const written = await applyObject(context, resource, object, reading.live.get(idKey(id)));
    return 'live' in written ? await restoreReplicas(context, resource, object, written) : written;
  } catch (error) {
    return outcomeOfError(error, content) as Refusal;
  }
}

/** Counts what was written, and keeps the inventory that it leaves. */
class Tally {
  private readonly items: InventoryItem[] = [];
  private readonly counts = { created: 0, configured: 0, unchanged: 0 };

  constructor(private readonly effect: Effect) {}

  /** Answers the refusal, where the write ended in one. */
  count(
    object: KubernetesObject,
    before: KubernetesObject | undefined,
    written: Written,
  ): Refusal | undefined {
    if (!('live' in written)) {
      return written;
    }
    const { inventory, stamp } = this.effect;
    const created =
      written.result === 'created' ||
      createdByUs(findItem(inventory, idOf(object)), before, stamp.service);
    this.counts[written.result] += 1;
    this.items.push(inventoryItem(object, written.live, created));
    return undefined;
  }

  outcome(): Outcome {
    const inventory = mergeInventories(this.effect.inventory, this.items);
    return {
      result: 'done',
      data: { kind: 'apply', inventory, ...this.counts },
    };
  }
}
