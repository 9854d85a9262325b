import type { ContentRef, TargetKey } from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun, TargetRun } from '../../../decide/types';
import type { Refusal } from '../../errors';
import type { Order } from '../changes';
import { wouldGoBack } from '../allowed';
import { isChosen } from '../chosen';

/**
 * Sends back everything that the release wrote to; or the named clusters alone,
 * even where they are all that it wrote to so far: the others go on. To what ran
 * there before, or to a version of choice.
 */
export function rollBack(run: ReleaseRun, order: Order): Refusal | 'nothing' | undefined {
  const { by, now, request } = order;
  const touched = run.targets.filter(({ touched: written }) => written);
  const chosen = touched.filter(target => wouldGoBack(run, target) && isChosen(target, request));
  if (request.targets && chosen.length === 0) {
    // Ordered before, perhaps by a second click: they are on their way.
    if (touched.some(target => isChosen(target, request))) {
      return 'nothing';
    }
    return {
      code: 'NothingToRollBack',
      message: 'The release has written to none of the named clusters.',
      params: { action: 'rollback' },
    };
  }
  const { to, refusal } = contentsOf(chosen, order);
  if (refusal) {
    return refusal;
  }
  if (request.targets) {
    chosen.forEach(target => {
      target.skip = { by, at: now, reason: request.reason };
      target.wanted = to?.[target.key];
    });
    return undefined;
  }
  const reason = request.reason ?? `asked for by ${by}`;
  run.rollback = { by, since: now, reason, scope: 'touched', to };
  return undefined;
}

function contentsOf(
  targets: TargetRun[],
  { request, contents }: Order,
): { to?: Record<TargetKey, ContentRef>; refusal?: Refusal } {
  const { toVersion } = request;
  if (toVersion === undefined) {
    return {};
  }
  const missing = targets.filter(({ key }) => !contents?.has(key));
  if (missing.length > 0 || targets.length === 0) {
    const where = missing.map(({ cluster }) => cluster).join(', ') || 'any cluster';
    return {
      refusal: {
        code: 'NothingToRollBack',
        message: `Version ${toVersion} is not on record for ${where}.`,
        params: { action: 'rollback', version: toVersion },
      },
    };
  }
  return {
    to: Object.fromEntries(targets.map(({ key }) => [key, contents?.get(key)])) as Contents,
  };
}

type Contents = Record<TargetKey, ContentRef>;
