import type { ClusterClient } from '../../clusters/types';
import type { Effect, InventoryItem, KubernetesObject, Outcome, WriteFence } from '../../ports';
import { applyObject, refuseLive, type ApplyContext, type Written } from '../applyObject';
import type { DeliveryDependencies } from '../DeliveryDependencies';
import { createdByUs, findItem, inventoryItem, mergeInventories } from '../inventory';
import { describeObject, idKey, idOf } from '../objectId';
import { outcomeOfError } from '../outcomeOfError';
import { findPrunable } from '../prunable';
import { readTarget, type TargetReading } from '../readTarget';
import { deleteSafely } from '../remove';
import { worstOutcome } from '../worstOutcome';
import { gateJob } from './gateJob';
import { judgeJob, judgeJobs } from './judgeJob';

type Refusal = Exclude<Outcome, { result: 'done' }>;

/**
 * Runs the Jobs of a gate on one target, and says how they stand. Each is made
 * once for an attempt; one that has ended is only read, so that an answer which
 * was lost costs no second run. Jobs of earlier attempts go. Those of this one
 * stay, for people to look at, until `remove`, which takes helpers with it
 * whatever else is pruned.
 *
 * The first answer only names the Jobs: what has to be removed later is on
 * record before it is made.
 */
export async function analyse(
  _: DeliveryDependencies,
  client: ClusterClient,
  effect: Effect,
  fence: WriteFence,
): Promise<Outcome> {
  const jobs = (effect.jobs ?? []).map(manifest => gateJob(manifest, effect));
  const coming = jobs.filter(job => !findItem(effect.inventory, idOf(job)));
  if (coming.length > 0) {
    return announce(effect, coming);
  }
  try {
    const refusal = await removeEarlier(client, effect, jobs, fence);
    if (refusal) {
      return refusal;
    }
    const reading = await readTarget(client, jobs, fence.signal);
    const results = await Promise.all(
      jobs.map(job => runOnce({ client, effect, fence, reading }, job)),
    );
    const worst = worstOutcome(results.filter(isRefusal));
    return worst ?? answer(effect, reading, jobs, results);
  } catch (error) {
    return outcomeOfError(error, jobs);
  }
}

function announce(effect: Effect, coming: KubernetesObject[]): Outcome {
  const items = coming.map(job => ({ ...inventoryItem(job, undefined, true), helper: true }));
  const names = coming.map(job => describeObject(idOf(job))).join(', ');
  return {
    result: 'done',
    data: {
      kind: 'analyse',
      verdict: 'running',
      message: `${effect.target.cluster}: ${names} will be started`,
      inventory: mergeInventories(effect.inventory, items),
    },
  };
}

interface Run {
  client: ClusterClient;
  effect: Effect;
  fence: WriteFence;
  reading: TargetReading;
}

async function runOnce(
  { client, effect, fence, reading }: Run,
  job: KubernetesObject,
): Promise<Written> {
  const id = idOf(job);
  const live = reading.live.get(idKey(id));
  if (live && judgeJob(live).verdict !== 'running') {
    return refuseLive({ client, stamp: effect.stamp }, live) ?? { result: 'unchanged', live };
  }
  const resource = reading.resources.get(idKey(id));
  if (!resource) {
    const message = `${client.name}: the cluster does not serve Jobs of batch/v1. Take the Job out of the gate.`;
    return { result: 'refused', reason: 'KindNotServed', message };
  }
  const context: ApplyContext = {
    client,
    fence,
    stamp: effect.stamp,
    digest: effect.digest ?? '',
    scaled: [],
  };
  try {
    return await applyObject(context, resource, job, live);
  } catch (error) {
    return outcomeOfError(error, [job]) as Refusal;
  }
}

function isRefusal(written: Written): written is Refusal {
  return !('live' in written);
}

function answer(
  effect: Effect,
  reading: TargetReading,
  jobs: KubernetesObject[],
  results: Written[],
): Outcome {
  const lives = results.flatMap(written => ('live' in written ? [written.live] : []));
  const items = jobs.map((job, index): InventoryItem => {
    const before = reading.live.get(idKey(idOf(job)));
    const known = findItem(effect.inventory, idOf(job));
    const created = createdByUs(known, before, effect.stamp.service);
    return { ...inventoryItem(job, lives[index], created), helper: true };
  });
  const others = effect.inventory.filter(item => !isGateJob(item));
  const inventory = mergeInventories(others, items);
  const { verdict, message } = judgeJobs(lives);
  const told = message === undefined ? {} : { message: `${effect.target.cluster}: ${message}` };
  return { result: 'done', data: { kind: 'analyse', verdict, ...told, inventory } };
}

/** Not every helper is a Job of a gate: what carries a weight stays. */
function isGateJob({ helper, kind }: InventoryItem): boolean {
  return helper === true && kind === 'Job';
}

/** Of another stage, or of an attempt that has ended while it still runs. */
async function removeEarlier(
  client: ClusterClient,
  effect: Effect,
  jobs: KubernetesObject[],
  fence: WriteFence,
): Promise<Refusal | undefined> {
  const rules = {
    service: effect.stamp.service,
    inventory: effect.inventory.filter(isGateJob),
    content: jobs.map(idOf),
    pruneAlso: [],
    prune: true,
  };
  const earlier = await findPrunable(client, rules, fence.signal);
  const results = await Promise.all(
    earlier.map(found => deleteSafely(client, effect, found, fence)),
  );
  return worstOutcome(results.filter(result => result !== undefined));
}
