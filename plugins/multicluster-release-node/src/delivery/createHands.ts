import { NotFoundError, ServiceUnavailableError } from '@backstage/errors';
import type { ClusterClient } from '../clusters/types';
import type { Effect, Hands, Outcome, WriteFence } from '../ports';
import { apply } from './apply';
import { check } from './check';
import type { DeliveryDependencies } from './DeliveryDependencies';
import { DeliveryObserver } from './observer/DeliveryObserver';
import { missingCluster } from './missingCluster';
import { preview } from './preview';
import { analyse } from './jobs/analyse';
import { remove } from './remove';
import { weigh } from './weights/weigh';

const VERBS: Record<
  Effect['kind'],
  (
    dependencies: DeliveryDependencies,
    client: ClusterClient,
    effect: Effect,
    fence: WriteFence,
  ) => Promise<Outcome>
> = { check, apply, weight: weigh, analyse, remove };

/**
 * The hands of the hub: checks, applies, removes, previews and observes over
 * direct connections to the clusters.
 */
export function createHands(dependencies: DeliveryDependencies): Hands {
  return {
    perform: (effect, fence) => perform(dependencies, effect, fence),
    observer: onChange => new DeliveryObserver(dependencies, onChange),
    preview: async (request, signal) =>
      preview(dependencies, dependencies.clusters.get(request.target.cluster), request, signal),
  };
}

async function perform(
  dependencies: DeliveryDependencies,
  effect: Effect,
  fence: WriteFence,
): Promise<Outcome> {
  const { cluster } = effect.target;
  const known = dependencies.clusters.list().clusters.some(({ name }) => name === cluster);
  if (!known) {
    // Its objects are not given up.
    return { result: 'unreachable', message: missingCluster(cluster) };
  }
  try {
    return await VERBS[effect.kind](
      dependencies,
      dependencies.clusters.get(cluster),
      effect,
      fence,
    );
  } catch (error) {
    return outcomeOfMissingContent(error, cluster);
  }
}

/** Content that is gone will not come back; content whose key is missing may. Anything else is a fault of our own. */
function outcomeOfMissingContent(error: unknown, cluster: string): Outcome {
  if (error instanceof NotFoundError) {
    return { result: 'refused', reason: 'ContentMissing', message: `${cluster}: ${error.message}` };
  }
  if (error instanceof ServiceUnavailableError) {
    return { result: 'retry', message: `${cluster}: ${error.message}` };
  }
  throw error;
}
