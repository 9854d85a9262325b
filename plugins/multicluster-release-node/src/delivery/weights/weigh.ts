import {
  weightOf,
  type PodSplit,
  type WeightRule,
} from 'backstage-plugin-multicluster-release-common';
import type { ClusterClient } from '../../clusters/types';
import type {
  Effect,
  InventoryItem,
  KubernetesObject,
  Outcome,
  WeightData,
  WriteFence,
} from '../../ports';
import { apply } from '../apply';
import { applyObject, type ApplyContext, type Written } from '../applyObject';
import type { DeliveryDependencies } from '../DeliveryDependencies';
import { createdByUs, findItem, inventoryItem, mergeInventories } from '../inventory';
import { numberAt } from '../json';
import { describeObject, idKey, idOf } from '../objectId';
import { outcomeOfError } from '../outcomeOfError';
import type { TargetReading } from '../readTarget';
import { worstOutcome } from '../worstOutcome';
import { canaryCopy } from './canaryCopy';
import { scaleStable } from './stableReplicas';
import { nextSplit, readWeighed, splitOf, weightTrouble, type Weighed } from './weighing';

type Refusal = Exclude<Outcome, { result: 'done' }>;

/**
 * Brings one target to a weight: beside each running Deployment a copy with the new
 * content's pods, and as many running ones less as new ones are ready (see nextSplit). Nothing else of the content is
 * written, so that running pods never see it. Where nothing runs yet there is
 * nothing to divide with, and the content is brought in full.
 */
export async function weigh(
  dependencies: DeliveryDependencies,
  client: ClusterClient,
  effect: Effect,
  fence: WriteFence,
): Promise<Outcome> {
  const { digest, weight: rule } = effect;
  if (digest === undefined || !rule) {
    throw new Error(`${effect.key}: a weight needs a content and its per cent`);
  }
  const content = await dependencies.contents.get(digest);
  try {
    const { reading, deployments, weighed } = await readWeighed(client, content, fence.signal);
    if (deployments.length === 0) {
      return noDeployment(client);
    }
    if (weighed.length === 0) {
      return inFull(await apply(dependencies, client, effect, fence), deployments);
    }
    const unfit = worstOutcome(weighed.flatMap(each => refuseWeight(client, each, rule)));
    if (unfit) {
      return unfit;
    }
    const context = { client, fence, stamp: effect.stamp, digest, scaled: [] };
    const results = await Promise.all(
      weighed.map(each =>
        divideSafely(context, reading, each, nextSplit(each, splitOf(each, rule))),
      ),
    );
    const worst = worstOutcome(results.filter(isRefusal));
    return worst ?? { result: 'done', data: dataOf(effect, rule, weighed, results) };
  } catch (error) {
    return outcomeOfError(error, content.objects);
  }
}

function noDeployment({ name }: ClusterClient): Refusal {
  return {
    result: 'refused',
    reason: 'WeightNeedsDeployment',
    message: `${name}: the content has no Deployment, and nothing else can have a weight. Take the weight out.`,
  };
}

/** Said before the first write; the preview has said it too, unless the pods have changed since. */
function refuseWeight({ name }: ClusterClient, weighed: Weighed, rule: WeightRule): Refusal[] {
  const trouble = weightTrouble(weighed, rule);
  const subject = describeObject(idOf(weighed.deployment));
  return trouble?.severity === 'error'
    ? [
        {
          result: 'refused',
          reason: trouble.code,
          message: `${name}: ${subject}: ${trouble.what}`,
        },
      ]
    : [];
}

async function divideSafely(
  context: ApplyContext,
  reading: TargetReading,
  weighed: Weighed,
  split: PodSplit,
): Promise<Written> {
  try {
    return await divide(context, reading, weighed, split);
  } catch (error) {
    return outcomeOfError(error, [weighed.deployment]) as Refusal;
  }
}

/** New pods first wherever there is room for them, so that none is missing meanwhile. */
async function divide(
  context: ApplyContext,
  { resources }: TargetReading,
  { deployment, stable, copy, room, autoscaled }: Weighed,
  split: PodSplit,
): Promise<Written> {
  const resource = resources.get(idKey(idOf(deployment)));
  if (!resource) {
    throw new Error(`${context.client.name}: serves a Deployment and not its kind`);
  }
  const scale = async () =>
    autoscaled
      ? undefined
      : scaleStable(context, resource, stable, { wanted: split.stable, of: room.replicas });
  const running = numberAt(stable, 'spec', 'replicas') ?? 1;
  const hasRoom = running + split.canary <= room.replicas + room.surge;
  const before = hasRoom ? undefined : await scale();
  if (before) {
    return before;
  }
  const written = await applyObject(context, resource, canaryCopy(deployment, split.canary), copy);
  const after = 'live' in written && hasRoom ? await scale() : undefined;
  return after ?? written;
}

function isRefusal(written: Written): written is Refusal {
  return !('live' in written);
}

function dataOf(
  effect: Effect,
  rule: WeightRule,
  weighed: Weighed[],
  results: Written[],
): WeightData {
  const items = weighed.map(({ deployment, copy }, index): InventoryItem => {
    const object = canaryCopy(deployment);
    const written = results[index];
    const known = findItem(effect.inventory, idOf(object));
    return {
      ...inventoryItem(
        object,
        'live' in written ? written.live : copy,
        createdByUs(known, copy, effect.stamp.service),
      ),
      helper: true,
    };
  });
  const wanted = sumOf(weighed.map(each => splitOf(each, rule)));
  const splits = weighed.map(each => nextSplit(each, splitOf(each, rule)));
  const pods = sumOf(splits);
  const partial =
    pods.canary !== wanted.canary ||
    pods.stable !== wanted.stable ||
    weighed.some((each, index) => isShrinking(each, splits[index]));
  return {
    kind: 'weight',
    inventory: mergeInventories(effect.inventory, items),
    pods,
    reached: weightOf(pods),
    ...(partial ? { partial } : {}),
  };
}

/**
 * The running version's controller has not taken all the pods away yet that are
 * too many: they still get traffic, so the weight is not reached (design.md 4.5).
 */
function isShrinking({ stable, autoscaled }: Weighed, split: PodSplit): boolean {
  return !autoscaled && (numberAt(stable, 'status', 'replicas') ?? 0) > split.stable;
}

function sumOf(splits: PodSplit[]): PodSplit {
  return splits.reduce((sum, { canary, stable }) => ({
    canary: sum.canary + canary,
    stable: sum.stable + stable,
  }));
}

function inFull(outcome: Outcome, deployments: KubernetesObject[]): Outcome {
  if (outcome.result !== 'done' || !outcome.data) {
    return outcome;
  }
  const canary = deployments
    .map(deployment => numberAt(deployment, 'spec', 'replicas') ?? 1)
    .reduce((sum, replicas) => sum + replicas);
  const { inventory } = outcome.data;
  return {
    result: 'done',
    data: { kind: 'weight', inventory, pods: { canary, stable: 0 }, reached: 100 },
  };
}
