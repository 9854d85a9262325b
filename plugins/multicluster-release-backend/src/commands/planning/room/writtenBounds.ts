import { parseCount, type Count } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from 'backstage-plugin-multicluster-release-node';

type Json = Record<string, unknown>;

export interface WrittenBounds {
  maxSurge: Count;
  maxUnavailable: Count;
}

const FIELDS: Record<string, { field: string; defaults: WrittenBounds } | undefined> = {
  Deployment: {
    field: 'strategy',
    defaults: { maxSurge: { percent: 25 }, maxUnavailable: { percent: 25 } },
  },
  DaemonSet: {
    field: 'updateStrategy',
    defaults: { maxSurge: { count: 0 }, maxUnavailable: { count: 1 } },
  },
};

/** How a workload with a surge is updated; undefined for every other object. */
export function writtenBounds(object: KubernetesObject): WrittenBounds | undefined {
  const known = object.apiVersion.startsWith('apps/') ? FIELDS[object.kind] : undefined;
  const strategy = known && (((object.spec as Json)?.[known.field] ?? {}) as Json);
  if (!known || (strategy?.type ?? 'RollingUpdate') !== 'RollingUpdate') {
    return undefined;
  }
  const written = (strategy?.rollingUpdate ?? {}) as Json;
  return {
    maxSurge: countIn(written.maxSurge) ?? known.defaults.maxSurge,
    maxUnavailable: countIn(written.maxUnavailable) ?? known.defaults.maxUnavailable,
  };
}

/** The same object with other numbers of pods. */
export function withPods(
  object: KubernetesObject,
  pods: { maxSurge: number; maxUnavailable?: number },
): KubernetesObject {
  const field = FIELDS[object.kind]?.field ?? '';
  const spec = (object.spec ?? {}) as Json;
  const strategy = (spec[field] ?? {}) as Json;
  const rollingUpdate = { ...(strategy.rollingUpdate as Json | undefined), ...pods };
  return {
    ...object,
    spec: { ...spec, [field]: { ...strategy, type: 'RollingUpdate', rollingUpdate } },
  };
}

/** A number of pods as a manifest has it; undefined where there is none. */
export function countIn(value: unknown): Count | undefined {
  return typeof value === 'number' || typeof value === 'string' ? parseCount(value) : undefined;
}
