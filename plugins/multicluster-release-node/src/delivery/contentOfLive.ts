import type { KubernetesObject } from '../ports';
import { isRecord } from './json';
import {
  CONTENT_ANNOTATION,
  LAST_APPLIED_ANNOTATION,
  REPLICAS_ANNOTATION,
  STAMP_ANNOTATION,
  WEIGHT_STAMP_ANNOTATION,
} from './names';
import { dropServerFields } from './render/dropServerFields';

const DROPPED_ANNOTATIONS = [
  LAST_APPLIED_ANNOTATION,
  STAMP_ANNOTATION,
  CONTENT_ANNOTATION,
  REPLICAS_ANNOTATION,
  WEIGHT_STAMP_ANNOTATION,
  'deployment.kubernetes.io/revision',
  'deprecated.daemonset.template.generation',
];

/** Labels that the Job controller gives to every pod template of its own. */
const JOB_LABELS = [
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
];

/**
 * A live object as content that can be applied again: without what belongs to
 * the API server, its controllers or a former writer. Made at adoption, so that
 * there is a way back to what ran before us.
 */
export function contentOfLive(live: KubernetesObject): KubernetesObject {
  const object = dropServerFields(live);
  const {
    annotations,
    ownerReferences: _owners,
    finalizers: _finalizers,
    ...metadata
  } = object.metadata;
  const kept = Object.entries(annotations ?? {}).filter(
    ([key]) => !DROPPED_ANNOTATIONS.includes(key),
  );
  object.metadata = {
    ...metadata,
    ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
  };
  dropAllocated(object);
  return object;
}

/** What was given out by the cluster and could not be asked for again. */
function dropAllocated(object: KubernetesObject): void {
  const { spec } = object;
  if (!isRecord(spec)) {
    return;
  }
  if (object.kind === 'Service' && spec.clusterIP !== 'None') {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  if (object.kind === 'Job' && spec.manualSelector !== true) {
    delete spec.selector;
    const template =
      isRecord(spec.template) && isRecord(spec.template.metadata) ? spec.template.metadata : {};
    const labels = isRecord(template.labels) ? template.labels : {};
    JOB_LABELS.forEach(label => delete labels[label]);
  }
}
