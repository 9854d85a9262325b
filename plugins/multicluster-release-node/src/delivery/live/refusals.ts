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
  return (
    lockedSecret ||
    IMMUTABLE.test(error.message) ||
    error.causes.some(({ message }) => message && IMMUTABLE.test(message))
  );
}

/** A webhook with side effects that it does not leave out in a dry run. */
export function isDryRunRefusal(error: ClusterErrorLike): boolean {
  return error.kind === 'invalid' && /does not support dry run/i.test(error.message);
}

/** The object does not fit its schema; API servers answer 500 to that in server-side apply. */
export function isSchemaRefusal(error: ClusterErrorLike): boolean {
  return /failed to create typed patch object|field not declared in schema/i.test(error.message);
}
