import type { Credential, CredentialSource } from './types';

/**
 * After a 401: true when there is another credential than the one that was
 * used. Of many requests that fail at once, the first renews it for all.
 *
 * @throws CredentialError
 */
export async function renewCredential(
  source: CredentialSource,
  used: Credential,
): Promise<boolean> {
  if (differ(await source.current(), used)) {
    return true;
  }
  await source.renew();
  return differ(await source.current(), used);
}

function differ(one: Credential, other: Credential): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
