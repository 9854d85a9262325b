import type { ClusterErrorLike } from '../../clusters/types';
import type { KubernetesObject } from '../../ports';

/** Texts of API servers for fields that cannot be changed, also where their reason is only `Forbidden` or `Invalid`. */
const IMMUTABLE =
  /immutable|updates to statefulset spec for fields other than|cannot change roleRef|may not change once set|pod updates may not change fields other than|is forbidden to change/i;

/** The field cannot be changed on the live object; only replacing the object would help (C48). */
export function isImmutableRefusal(
  error: ClusterErrorLike,
  live: KubernetesObject | undefined,
): boolean {
  if (!live || (error.kind !== 'invalid' && error.kind !== 'forbidden')) {
    return false;
  }
  // The texts of Secrets are withheld; an immutable one refuses every change of its data.
  const lockedSecret = live.kind === 'Secret' && live.immutable === true;
  // The text quotes the whole template and is cut before it comes to the point.
  const jobTemplate =
    live.kind === 'Job' && error.causes.some(({ field }) => field === 'spec.template');
  return (
    lockedSecret ||
    jobTemplate ||
    IMMUTABLE.test(error.message) ||
    error.causes.some(({ message }) => message && IMMUTABLE.test(message))
  );
}

/** A webhook with side effects that it does not leave out in a dry run. */
export function isDryRunRefusal(error: ClusterErrorLike): boolean {
  return error.kind === 'invalid' && /does not support dry run/i.test(error.message);
}

/**
 * The object does not fit its schema. API servers answer that in server-side
 * apply with a bare 500; of Secrets, whose texts are withheld, only that is seen.
 */
export function isSchemaRefusal(error: ClusterErrorLike): boolean {
  const bare = error.status === 500 && error.reason === undefined;
  const told = /failed to create typed patch object|field not declared in schema/i;
  return told.test(error.message) || (bare && /because this is a Secret/.test(error.message));
}
