import type { ClusterClient } from '../clusters/types';
import type {
  CheckData,
  Effect,
  InventoryItem,
  KubernetesObject,
  Outcome,
  StoredContent,
  WriteFence,
} from '../ports';
import { refuseLive } from './applyObject';
import { contentOfLive } from './contentOfLive';
import type { DeliveryDependencies } from './DeliveryDependencies';
import { examine, type Examined } from './examine';
import { createdByUs, findItem, inventoryItem, mergeInventories } from './inventory';
import { bearsOurMark } from './live/owners';
import { idKey, idOf } from './objectId';
import { outcomeOfError } from './outcomeOfError';
import { containersOf } from './podTemplate';
import { findPrunable } from './prunable';
import { readTarget, type TargetReading } from './readTarget';
import { removalRisk } from './risks';
import { fillWithheld } from './withheldSecrets';
import { copyIdOf, isDeployment } from './weights/canaryCopy';
import { worstOutcome } from './worstOutcome';

type Refusal = Exclude<Outcome, { result: 'done' }>;

/**
 * Looks before the first write: records what was there and what may come, dry-runs
 * everything, and stops where something would be lost that the preview did not
 * show. Writes nothing to the cluster.
 */
export async function check(
  { contents }: DeliveryDependencies,
  client: ClusterClient,
  effect: Effect,
  fence: WriteFence,
): Promise<Outcome> {
  const content = effect.digest === undefined ? undefined : await contents.get(effect.digest);
  try {
    const reading = await readTarget(client, content?.objects ?? [], fence.signal);
    const filled = content ? fillWithheld(content, reading.live, client.name) : { objects: [] };
    const refusal = filled.missing ?? refuseAnyLive(client, effect, reading);
    if (refusal) {
      return refusal;
    }
    const { objects } = filled;
    const examined = await examine({
      client,
      service: effect.stamp.service,
      objects,
      reading,
      signal: fence.signal,
    });
    const unfit =
      unfitOf(examined) ?? (await newRisks(client, effect, objects, examined, fence.signal));
    if (unfit) {
      return unfit;
    }
    const beforeDigest = content && (await storeBefore(contents, effect, content, reading));
    return {
      result: 'done',
      data: {
        ...checkData(effect, objects, reading),
        ...(beforeDigest && { beforeDigest }),
      },
    };
  } catch (error) {
    return outcomeOfError(error, content?.objects ?? []);
  }
}

function refuseAnyLive(
  client: ClusterClient,
  { stamp }: Effect,
  reading: TargetReading,
): Refusal | undefined {
  const refusals = [...reading.live.values()].map(live => refuseLive({ client, stamp }, live));
  return worstOutcome(refusals.filter(refusal => refusal !== undefined));
}

/** Faults that no acceptance helps against. */
function unfitOf(examined: Examined[]): Refusal | undefined {
  const errors = examined
    .filter(({ change }) => change !== 'replaceNeeded')
    .flatMap(({ findings }) => findings)
    .filter(({ severity }) => severity === 'error');
  if (errors.length === 0) {
    return undefined;
  }
  return {
    result: 'refused',
    reason: errors[0].code,
    message: errors.map(({ message }) => message).join(' '),
  };
}

async function newRisks(
  client: ClusterClient,
  effect: Effect,
  objects: KubernetesObject[],
  examined: Examined[],
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  const { stamp, inventory, pruneAlso, prune, acceptedRisks } = effect;
  const rules = {
    service: stamp.service,
    inventory,
    content: objects.map(idOf),
    pruneAlso,
    prune,
  };
  const prunable = await findPrunable(client, rules, signal);
  const removals = prunable.filter(({ item }) => !item.helper).map(({ item }) => removalRisk(item));
  const risks = [...examined.flatMap(object => object.risks), ...removals].filter(
    risk => !acceptedRisks.includes(risk),
  );
  if (risks.length === 0) {
    return undefined;
  }
  const message = `${client.name}: would now do what the preview did not show: ${risks.join(
    ', ',
  )}. Look at the changes again and accept them, or stop.`;
  return { result: 'changedSincePreview', message, risks };
}

/**
 * Stores what ran before us. Only where our record has nothing to go back to,
 * and only while nothing bears our mark: later it would record our own work.
 */
async function storeBefore(
  contents: DeliveryDependencies['contents'],
  effect: Effect,
  content: StoredContent,
  reading: TargetReading,
): Promise<string | undefined> {
  const live = [...reading.live.values()];
  const ours = live.some(object => bearsOurMark(object, effect.stamp.service));
  if (effect.fromDigest !== undefined || live.length === 0 || ours) {
    return undefined;
  }
  const objects = content.objects
    .map(object => reading.live.get(idKey(idOf(object))))
    .filter(object => object !== undefined)
    .map(contentOfLive);
  return contents.put({ version: versionBefore(objects), objects });
}

/** What people will read as the version that ran before: the first workload's image tag, where it has one. */
function versionBefore(objects: KubernetesObject[]): string {
  const images = objects.flatMap(containersOf).map(({ image }) => String(image ?? ''));
  const tags = images
    .map(image => /:([A-Za-z0-9._-]+)(@|$)/.exec(image)?.[1])
    .filter(tag => tag !== undefined);
  return tags[0] ?? 'before';
}

/** What the coming write may leave: written into the record before it is made. */
function checkData(
  { stamp, inventory, weight }: Effect,
  objects: KubernetesObject[],
  reading: TargetReading,
): CheckData {
  const items: InventoryItem[] = objects.map(object => {
    const live = reading.live.get(idKey(idOf(object)));
    return inventoryItem(
      object,
      live,
      createdByUs(findItem(inventory, idOf(object)), live, stamp.service),
    );
  });
  const copies = weight ? objects.filter(isDeployment).map(copyItem) : [];
  const coming = copies.filter(item => !findItem(inventory, item));
  return { kind: 'check', inventory: mergeInventories(inventory, [...items, ...coming]) };
}

function copyItem(deployment: KubernetesObject): InventoryItem {
  return { ...copyIdOf(idOf(deployment)), createdByUs: true, helper: true };
}
