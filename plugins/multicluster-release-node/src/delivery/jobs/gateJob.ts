import { NotAllowedError } from '@backstage/errors';
import type { Effect, KubernetesObject } from '../../ports';
import { copyOf, isRecord, recordAt, textAt } from '../json';
import { addLabels } from '../render/addLabels';

/**
 * The Job of one gate as it runs on a target: in its namespace, and under a name
 * that follows from release sequence and attempt. So whoever asks again after a
 * kill finds what is there, and another attempt is another Job.
 *
 * `smoke` of sequence 12 in the first attempt: `smoke-12-0`.
 *
 * @throws NotAllowedError where the manifest is no Job with a name; parsing has refused that before
 */
export function gateJob(manifest: Record<string, unknown>, effect: Effect): KubernetesObject {
  const given = textAt(manifest, 'metadata', 'name');
  if (manifest.apiVersion !== 'batch/v1' || manifest.kind !== 'Job' || !given) {
    throw new NotAllowedError(
      `${effect.key}: a gate runs Jobs of batch/v1 with a name. Correct the manifest.`,
    );
  }
  const metadata = recordAt(manifest, 'metadata');
  const job: KubernetesObject = {
    ...copyOf(manifest),
    apiVersion: manifest.apiVersion,
    kind: manifest.kind,
    metadata: {
      ...(isRecord(metadata.labels) ? { labels: textsOf(metadata.labels) } : {}),
      ...(isRecord(metadata.annotations) ? { annotations: textsOf(metadata.annotations) } : {}),
      name: `${given}-${effect.stamp.sequence}-${attemptOf(effect)}`,
      namespace: effect.target.namespace,
    },
  };
  addLabels([job], effect.stamp.service);
  return job;
}

function textsOf(map: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, String(value)]));
}

/** Of `<plan>/<key>/<kind>/<attempt>/<ticket>`. The ticket changes with the lease and is no part of it. */
function attemptOf({ id }: Effect): string {
  return id.split('/').at(-2) ?? '';
}
