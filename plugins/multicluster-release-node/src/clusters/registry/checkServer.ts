import type { AllowedAccess } from './ClustersConfig';

export interface AccessRules {
  /** The cluster as we call it, and its kubeconfig context where there is one. */
  names: string[];
  allow: AllowedAccess;
}

/**
 * Why an address must not be dialled without an administrator's word (C15);
 * undefined: it may be. Plain http sends the credential in clear, and without
 * verification anybody on the way may take it.
 */
export function checkServer(
  target: { server: string; insecureSkipTlsVerify?: boolean },
  rules: AccessRules,
): string | undefined {
  const isAllowed = (list: string[]) => rules.names.some(name => list.includes(name));
  const name = rules.names.at(-1);
  let url: URL;
  try {
    url = new URL(target.server);
  } catch {
    return `its server ${target.server} is no URL; write https://host:port`;
  }
  if (url.username || url.password) {
    return 'its server URL holds a credential; use a token file';
  }
  if (url.protocol === 'http:') {
    return isAllowed(rules.allow.http)
      ? undefined
      : `its server is reached by plain http; name ${name} in multiclusterRelease.allow.http to let it`;
  }
  if (url.protocol !== 'https:') {
    return `its server ${target.server} has a scheme that is not https`;
  }
  if (target.insecureSkipTlsVerify && !isAllowed(rules.allow.insecureTls)) {
    return `its certificate is not to be verified; name ${name} in multiclusterRelease.allow.insecureTls to let it`;
  }
  return undefined;
}
