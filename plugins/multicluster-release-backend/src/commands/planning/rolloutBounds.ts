import {
  intOrPercent,
  type Count,
  type Finding,
} from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from 'backstage-plugin-multicluster-release-node';
import { countIn } from './room/writtenBounds';

/** What the strategy says of the workloads of each cluster; what is left out stays as the manifest has it. */
export interface RolloutBounds {
  maxSurge?: Count;
  maxUnavailable?: Count;
}

type Json = Record<string, unknown>;

/** What one workload gets, and what is to be said of it. */
interface Setting {
  /** Undefined: it stays as it is. */
  rollingUpdate?: Json;
  note?: string;
}

/** Kubernetes' own defaults: of a Deployment 25 % and 25 %, of a DaemonSet none and 1. */
const QUARTER: Count = { percent: 25 };
const NONE: Count = { count: 0 };
const ONE: Count = { count: 1 };

/**
 * Sets maxSurge and maxUnavailable in the workloads, in place. Each kind takes
 * what it has: a StatefulSet no surge, a DaemonSet one of the two. Both zero
 * would let nothing ever move: then one pod may be unavailable (field case C29).
 */
export function setRolloutBounds(objects: KubernetesObject[], bounds: RolloutBounds): Finding[] {
  if (!bounds.maxSurge && !bounds.maxUnavailable) {
    return [];
  }
  return objects.flatMap(object => {
    const field = STRATEGY_FIELDS[object.kind];
    if (!field || !object.apiVersion.startsWith('apps/')) {
      return [];
    }
    const spec = (object.spec ?? {}) as Json;
    const strategy = (spec[field] ?? {}) as Json;
    const { rollingUpdate, note } = settingFor(object.kind, strategy, bounds);
    if (rollingUpdate) {
      object.spec = { ...spec, [field]: { ...strategy, type: 'RollingUpdate', rollingUpdate } };
    }
    return [finding(object, rollingUpdate, note)];
  });
}

const STRATEGY_FIELDS: Record<string, string | undefined> = {
  Deployment: 'strategy',
  StatefulSet: 'updateStrategy',
  DaemonSet: 'updateStrategy',
};

function settingFor(kind: string, strategy: Json, bounds: RolloutBounds): Setting {
  const type = strategy.type ?? 'RollingUpdate';
  if (type !== 'RollingUpdate') {
    return { note: `its manifest says ${String(type)}, which knows no such bound` };
  }
  const written = (strategy.rollingUpdate ?? {}) as Json;
  switch (kind) {
    case 'Deployment':
      return ofDeployment(written, bounds);
    case 'DaemonSet':
      return ofDaemonSet(written, bounds);
    default:
      return ofStatefulSet(written, bounds);
  }
}

function ofDeployment(written: Json, bounds: RolloutBounds): Setting {
  const surge = bounds.maxSurge ?? countIn(written.maxSurge) ?? QUARTER;
  const unavailable = bounds.maxUnavailable ?? countIn(written.maxUnavailable) ?? QUARTER;
  if (isZero(surge) && isZero(unavailable)) {
    return { rollingUpdate: { ...written, maxSurge: 0, maxUnavailable: 1 }, note: BOTH_ZERO };
  }
  return {
    rollingUpdate: {
      ...written,
      ...(bounds.maxSurge && { maxSurge: intOrPercent(bounds.maxSurge) }),
      ...(bounds.maxUnavailable && { maxUnavailable: intOrPercent(bounds.maxUnavailable) }),
    },
  };
}

/** The API server takes one of the two. Where both are given the node needs no room for a second pod. */
function ofDaemonSet(written: Json, bounds: RolloutBounds): Setting {
  const surge = bounds.maxSurge ?? countIn(written.maxSurge) ?? NONE;
  const unavailable =
    bounds.maxUnavailable ?? (bounds.maxSurge ? NONE : countIn(written.maxUnavailable) ?? ONE);
  if (!isZero(unavailable)) {
    const rollingUpdate = { ...written, maxSurge: 0, maxUnavailable: intOrPercent(unavailable) };
    return isZero(surge)
      ? { rollingUpdate }
      : { rollingUpdate, note: 'a DaemonSet takes one of the two, so it has no surge' };
  }
  return isZero(surge)
    ? { rollingUpdate: { ...written, maxSurge: 0, maxUnavailable: 1 }, note: BOTH_ZERO }
    : { rollingUpdate: { ...written, maxSurge: intOrPercent(surge), maxUnavailable: 0 } };
}

function ofStatefulSet(written: Json, { maxUnavailable }: RolloutBounds): Setting {
  if (!maxUnavailable || isZero(maxUnavailable)) {
    return { note: 'a StatefulSet has no surge and takes its pods one at a time' };
  }
  return { rollingUpdate: { ...written, maxUnavailable: intOrPercent(maxUnavailable) } };
}

const BOTH_ZERO = 'both are zero, so that nothing could move: one pod may be unavailable';

function isZero(count: Count): boolean {
  return ('count' in count ? count.count : count.percent) === 0;
}

/** How a field came to its value can be read in the preview. */
function finding(
  { kind, metadata }: KubernetesObject,
  rollingUpdate: Json | undefined,
  note: string | undefined,
): Finding {
  const { maxSurge = 'as it is', maxUnavailable = 'as it is' } = rollingUpdate ?? {};
  const object = `${kind} ${metadata.name}`;
  const set = `maxSurge ${String(maxSurge)}, maxUnavailable ${String(maxUnavailable)}`;
  return {
    severity: note === undefined ? 'info' : 'warning',
    code: rollingUpdate ? 'RolloutBoundsSet' : 'RolloutBoundsDoNotFit',
    params: { object, maxSurge: String(maxSurge), maxUnavailable: String(maxUnavailable) },
    message: rollingUpdate
      ? `${object} is updated with ${set} of the strategy${note ? `; ${note}` : ''}.`
      : `${object} keeps its own way of being updated: ${note}. Take the bounds out, or change the manifest.`,
    path: 'spec.strategy.rollingUpdate',
  };
}
