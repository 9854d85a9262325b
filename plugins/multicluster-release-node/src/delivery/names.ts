/** On every object of ours and on the pods of its workloads: see serviceLabel. */
export const SERVICE_LABEL = 'multicluster-release.io/service';
/** On pods: `stable`, later also `canary`. */
export const TRACK_LABEL = 'multicluster-release.io/track';
/** Who wrote last: see Stamp. Outside of digest, diff and preview. */
export const STAMP_ANNOTATION = 'multicluster-release.io/stamp';
/** Digest of the content that an object was written for. Outside of digest, diff and preview. */
export const CONTENT_ANNOTATION = 'multicluster-release.io/content';
/** On a Deployment that a weight took pods from: how many it had. Outside of digest, diff and preview. */
export const REPLICAS_ANNOTATION = 'multicluster-release.io/replicas-before';
/** Beside it: who took them. Not the stamp, which says whose content is there. Outside of digest, diff and preview. */
export const WEIGHT_STAMP_ANNOTATION = 'multicluster-release.io/weight-stamp';
/** What kubectl's client-side apply remembers its last manifest in. */
export const LAST_APPLIED_ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';
/** Our field manager in server-side apply. */
export const FIELD_MANAGER = 'multicluster-release';
/** Keeps the replica count that belongs to an autoscaler, until the autoscaler writes it (C06). */
export const HANDOVER_MANAGER = 'multicluster-release-handover';
/** Takes pods for a weight, and gives them back. */
export const WEIGHT_MANAGER = 'multicluster-release-weight';
