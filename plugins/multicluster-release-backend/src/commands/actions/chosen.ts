import type { ActionRequest } from 'backstage-plugin-multicluster-release-common';
import type { TargetRun } from '../../decide/types';

/** Whether an order means this target: all of them where it names none. */
export function isChosen({ cluster, namespace }: TargetRun, { targets }: ActionRequest): boolean {
  return (
    !targets || targets.some(target => target.cluster === cluster && target.namespace === namespace)
  );
}
