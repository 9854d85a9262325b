import type { TargetHealth } from 'backstage-plugin-multicluster-release-common';
import { assessHealth } from '../health/assessHealth';
import { rollUp } from '../health/rollUp';
import type { Verdict } from '../health/types';
import { changedAt } from '../live/managedFields';
import { FIELD_MANAGER } from '../names';
import { idKey, idOf } from '../objectId';
import { isSharedKind } from '../sharedKinds';
import { compareStamps, stampOf } from '../stamp';
import type { KubernetesObject, Stamp } from '../../ports';

export interface TargetEvidence {
  service: string;
  /** What shall be there. */
  content: KubernetesObject[];
  /** Everything that the watches and polls show. */
  live: KubernetesObject[];
  writtenAt?: number;
  now: number;
  failingSince: ReadonlyMap<string, number>;
}

/** Stamp and health of one target. Pure. */
export function observeTarget(evidence: TargetEvidence): {
  stamp?: Pick<Stamp, 'sequence' | 'ticket'>;
  stampless?: boolean;
  health: TargetHealth;
} {
  const live = new Map(evidence.live.map(object => [idKey(idOf(object)), object]));
  const found = evidence.content.map(object => ({
    id: idOf(object),
    object: live.get(idKey(idOf(object))),
  }));
  const pods = evidence.live.filter(
    ({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1',
  );
  const replicaSets = evidence.live.filter(({ kind }) => kind === 'ReplicaSet');
  const assessed = found.map(({ id, object }) => ({
    id,
    verdict: object
      ? assessHealth(object, {
          ...evidence,
          writtenAt: writtenAt(object, evidence.writtenAt),
          askedAt: evidence.writtenAt,
          pods,
          replicaSets,
        })
      : missing(),
  }));
  const stampless = found.length > 0 && found.every(({ id }) => isSharedKind(id.kind));
  return {
    stamp: lowestStamp(evidence.service, found),
    ...(stampless ? { stampless } : {}),
    health: rollUp(assessed),
  };
}

/** The lowest stamp of the service; undefined where an object is missing or bears none of it. */
function lowestStamp(
  service: string,
  found: { object?: KubernetesObject; id: { kind: string } }[],
): Pick<Stamp, 'sequence' | 'ticket'> | undefined {
  const stamps = found
    .filter(({ id }) => !isSharedKind(id.kind))
    .map(({ object }) => {
      const stamp = object && stampOf(object);
      return stamp?.service === service ? stamp : undefined;
    });
  const [lowest] = stamps.filter(stamp => stamp !== undefined).sort(compareStamps);
  return lowest === undefined || stamps.includes(undefined) || found.some(({ object }) => !object)
    ? undefined
    : { sequence: lowest.sequence, ticket: lowest.ticket };
}

/** The cluster's own clock decides where it is earlier: clocks differ, and conditions are told by the cluster's. */
function writtenAt(object: KubernetesObject, ours: number | undefined): number | undefined {
  const theirs = changedAt(object, FIELD_MANAGER);
  return ours === undefined || theirs === undefined ? ours : Math.min(ours, theirs);
}

function missing(): Verdict {
  return { state: 'Progressing', reason: 'Missing', message: 'is not there' };
}
