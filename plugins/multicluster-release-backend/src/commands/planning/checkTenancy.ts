import type { Finding } from 'backstage-plugin-multicluster-release-common';
import type { KubernetesObject } from 'backstage-plugin-multicluster-release-node';
import type { TenancyRule } from '../../config/tenancy';

export interface TenancyQuestion {
  rules: TenancyRule[];
  /** Entity ref; undefined where the catalog names none: then only rules for `*` hold. */
  owner?: string;
  cluster: string;
  objects: KubernetesObject[];
  /** The caller has the permission to write outside of namespaces. */
  clusterScopedAllowed: boolean;
}

/** Namespaces of Kubernetes itself: written only where a rule names them. */
const SYSTEM_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease'];

/** What these objects must not be written for, one finding for each namespace and kind. Pure. */
export function checkTenancy(question: TenancyQuestion): Finding[] {
  const findings = new Map<string, Finding>();
  for (const object of question.objects) {
    const finding =
      object.metadata.namespace === undefined
        ? clusterScoped(object, question)
        : namespaced(object, question);
    if (finding) {
      findings.set(JSON.stringify(finding.params), finding);
    }
  }
  return [...findings.values()];
}

function clusterScoped(
  { kind, metadata }: KubernetesObject,
  { cluster, clusterScopedAllowed }: TenancyQuestion,
): Finding | undefined {
  if (clusterScopedAllowed) {
    return undefined;
  }
  return {
    severity: 'error',
    code: 'ClusterScopedNotAllowed',
    params: {
      cluster,
      kind,
      name: metadata.name,
      permission: 'multicluster-release.cluster-scoped.write',
    },
    message: `${cluster}: ${kind} ${metadata.name} is outside of namespaces, which needs the permission multicluster-release.cluster-scoped.write. Leave it to the platform, or ask for the permission.`,
    cluster,
  };
}

function namespaced(object: KubernetesObject, question: TenancyQuestion): Finding | undefined {
  const namespace = object.metadata.namespace ?? '';
  const { owner, cluster, rules } = question;
  if (isAllowed(object, namespace, question)) {
    return undefined;
  }
  const own = rules.filter(rule => isFor(rule, owner));
  const may = [...new Set(own.flatMap(rule => rule.namespaces))].join(', ') || 'none';
  return {
    severity: 'error',
    code: 'NamespaceNotAllowed',
    params: { cluster, namespace, kind: object.kind, owner: owner ?? '', may },
    message: `${cluster}/${namespace}: services of ${owner ?? 'nobody'} may not write ${
      object.kind
    } there (allowed namespaces: ${may}). Change the placement, or extend multiclusterRelease.tenancy.`,
    cluster,
  };
}

function isAllowed(
  object: KubernetesObject,
  namespace: string,
  { rules, owner, cluster }: TenancyQuestion,
): boolean {
  if (rules.length === 0) {
    return !SYSTEM_NAMESPACES.includes(namespace);
  }
  return rules.some(
    rule =>
      isFor(rule, owner) &&
      rule.namespaces.some(pattern => fits(pattern, namespace)) &&
      (rule.clusters?.some(pattern => fits(pattern, cluster)) ?? true) &&
      (rule.kinds?.some(
        kind => kind === '*' || kind === object.kind || kind === qualifiedKind(object),
      ) ??
        true),
  );
}

function isFor({ owners }: TenancyRule, owner: string | undefined): boolean {
  return owners.some(allowed => allowed === '*' || allowed === owner);
}

function qualifiedKind({ apiVersion, kind }: KubernetesObject): string {
  const [group] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
  return group ? `${kind}.${group}` : kind;
}

/** A name, or a pattern with `*` for any text. */
function fits(pattern: string, name: string): boolean {
  const source = pattern.split('*').map(part => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${source.join('.*')}$`).test(name);
}
