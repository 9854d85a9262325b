import type { KubernetesObject } from '../../ports';
import { idKey, idOf } from '../objectId';
import { canaryCopy, isDeployment } from './canaryCopy';
import { runsOther } from './weighing';

/**
 * What shall be there of a content while its target is at a weight: the copies of
 * the Deployments that something runs beside; where nothing does, the content
 * itself (see weigh). What runs beside is not asked for its health: a broken
 * running version must not hold up the one that repairs it (C31). Pure.
 */
export function expectedAtWeight(
  digest: string,
  content: KubernetesObject[],
  live: KubernetesObject[],
): KubernetesObject[] {
  const found = new Map(live.map(object => [idKey(idOf(object)), object]));
  const pairs = content.filter(isDeployment).map(deployment => {
    const copy = canaryCopy(deployment);
    const running = found.get(idKey(idOf(deployment)));
    const stands = found.has(idKey(idOf(copy)));
    return { copy, running, stands };
  });
  const inFull = pairs.some(({ running }) => running && !runsOther(running, digest));
  if (inFull && !pairs.some(({ stands }) => stands)) {
    return content;
  }
  const divided = pairs.filter(({ running, stands }) => running || stands);
  return (divided.length > 0 ? divided : pairs).map(({ copy }) => copy);
}
