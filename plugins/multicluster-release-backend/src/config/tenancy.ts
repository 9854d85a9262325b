import type { Config } from '@backstage/config';

/**
 * Which namespaces and kinds the services of an owner may write to. Rules are
 * allowances: a service may write what any rule for it allows. Without any rule
 * there is no tenancy to hold, and namespaced objects are allowed everywhere;
 * objects outside of namespaces always need the permission
 * `multicluster-release.cluster-scoped.write`.
 */
export interface TenancyRule {
  /** Entity refs of owners, or `*`. */
  owners: string[];
  /** Names, or patterns with `*`. */
  namespaces: string[];
  /** `Kind` or `Kind.group`; undefined: every kind. */
  kinds?: string[];
  /** Cluster names or patterns; undefined: every cluster. */
  clusters?: string[];
}

export function readTenancy(rules: Config[] | undefined): TenancyRule[] {
  return (rules ?? []).map(rule => ({
    owners: rule.getStringArray('owners'),
    namespaces: rule.getStringArray('namespaces'),
    kinds: rule.getOptionalStringArray('kinds'),
    clusters: rule.getOptionalStringArray('clusters'),
  }));
}
