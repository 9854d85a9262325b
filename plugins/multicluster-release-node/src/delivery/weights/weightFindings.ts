import type { Finding, WeightRule } from 'backstage-plugin-multicluster-release-common';
import type { ClusterClient } from '../../clusters/types';
import type { KubernetesObject, PreviewRequest } from '../../ports';
import type { Examined } from '../examine';
import { objectFinding } from '../objectFinding';
import { describeObject, idOf } from '../objectId';
import { isTrackedWorkload } from '../podTemplate';
import { isDeployment } from './canaryCopy';
import { readWeighed, weightTrouble, type Weighed } from './weighing';

/**
 * What a person should know where a target is first brought to weights: which of
 * them its pods can give, and what only comes when it is brought in full.
 *
 * @throws ClusterError
 */
export async function weightFindings(
  client: ClusterClient,
  { digest, weights = [] }: PreviewRequest,
  objects: KubernetesObject[],
  examined: Examined[],
  signal?: AbortSignal,
): Promise<Finding[]> {
  if (weights.length === 0) {
    return [];
  }
  const changing = examined
    .filter(({ change }) => change !== 'unchanged')
    .map(({ object }) => object);
  const others = changing.filter(object => isTrackedWorkload(object) && !isDeployment(object));
  const { deployments, weighed } = await readWeighed(client, { digest, objects }, signal);
  if (deployments.length === 0 || others.length > 0) {
    return refusedKinds(client.name, others);
  }
  if (weighed.length === 0) {
    return [broughtInFull(client.name)];
  }
  const later = changing.filter(
    object => !weighed.some(({ deployment }) => describe(deployment) === describe(object)),
  );
  return [
    ...weighed.flatMap(each => ofDeployment(client.name, each, weights)),
    ...comesLater(client.name, later),
  ];
}

function describe(object: KubernetesObject): string {
  return describeObject(idOf(object));
}

function refusedKinds(cluster: string, others: KubernetesObject[]): Finding[] {
  if (others.length === 0) {
    const message = `${cluster}: the content has no Deployment, and nothing else can have a weight. Take the weight out.`;
    return [
      { severity: 'error', code: 'WeightNeedsDeployment', params: { cluster }, message, cluster },
    ];
  }
  return others.map(object =>
    objectFinding(
      'error',
      'WeightOfOtherKind',
      cluster,
      idOf(object),
      'changes with this release, and only Deployments can have a weight. Take the weight out, or release it on its own.',
      {},
    ),
  );
}

function broughtInFull(cluster: string): Finding {
  return {
    severity: 'info',
    code: 'WeightBroughtInFull',
    params: { cluster },
    message: `${cluster}: nothing runs there yet that traffic could be divided with, so it is brought in full at once.`,
    cluster,
  };
}

function ofDeployment(cluster: string, weighed: Weighed, weights: WeightRule[]): Finding[] {
  const id = idOf(weighed.deployment);
  const troubles = weights
    .map(rule => weightTrouble(weighed, rule))
    .filter(trouble => trouble !== undefined);
  const told = new Map(troubles.map(trouble => [trouble.what, trouble]));
  const findings = [...told.values()].map(({ severity, code, what, params }) =>
    objectFinding(severity, code, cluster, id, what, params),
  );
  return weighed.autoscaled ? [...findings, autoscaled(cluster, weighed)] : findings;
}

function autoscaled(cluster: string, { deployment, room }: Weighed): Finding {
  const what = `an autoscaler sets its number of pods, which is left alone: pods of the new version come on top, up to ${room.surge}. The autoscaler measures them too, since they bear the same labels.`;
  return objectFinding('warning', 'AutoscalerSeesCanary', cluster, idOf(deployment), what, {
    surge: room.surge,
  });
}

/** New pods run with what is there of these until the cluster is brought in full. */
function comesLater(cluster: string, later: KubernetesObject[]): Finding[] {
  if (later.length === 0) {
    return [];
  }
  const objects = later.map(describe).join(', ');
  return [
    {
      severity: 'warning',
      code: 'ComesInFull',
      params: { cluster, count: later.length, objects },
      message: `${cluster}: ${objects}: not written while the cluster is at a weight, and so not seen by the new pods until it is brought in full.`,
      cluster,
    },
  ];
}
