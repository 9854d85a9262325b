import type { Finding } from 'backstage-plugin-multicluster-release-common';
import type { ObjectId } from '../ports';
import { describeObject } from './objectId';

/** A finding about one object of one cluster; its message leads with both. */
export function objectFinding(
  severity: Finding['severity'],
  code: string,
  cluster: string,
  id: ObjectId,
  what: string,
  params: Finding['params'],
): Finding {
  const object = describeObject(id);
  return {
    severity,
    code,
    cluster,
    params: { cluster, object, ...params },
    message: `${cluster}: ${object}: ${what}`,
  };
}
