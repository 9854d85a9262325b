import { counted } from '../status/counted';
import { satisfies, coerce } from 'semver';
import type { Finding } from '../status/findings';
import type { ClusterSelector, FleetCluster, GroupSpec, PlacementSpec } from './spec';
import { targetKey, type TargetKey } from './types';

export interface SelectedTarget {
  key: TargetKey;
  cluster: string;
  namespace: string;
  group?: string;
  fleet: FleetCluster;
}

export interface Selection {
  /** In group order, then by name; an explicit list keeps its own order. */
  targets: SelectedTarget[];
  /** Every cluster of the fleet that was not selected, and the rule that left it out. */
  excluded: { cluster: string; rule: string }[];
  /** Errors here refuse the release. */
  findings: Finding[];
}

/**
 * Resolves a placement against the fleet. Pure; what is wrong is said as
 * findings: unknown clusters, clusters in no group, nothing selected (C24).
 */
export function selectTargets(placement: PlacementSpec, fleet: FleetCluster[]): Selection {
  const selection =
    placement.kind === 'list' ? selectByList(placement, fleet) : selectByRule(placement, fleet);
  if (selection.targets.length === 0 && !selection.findings.some(isError)) {
    selection.findings.push({
      severity: 'error',
      code: 'NothingSelected',
      params: {},
      message: 'The placement selects no cluster. Widen its `select`, or name clusters.',
    });
  }
  return selection;
}

/** The rule that keeps this cluster out, or undefined where it is selected. */
export function exclusionRule(
  selector: ClusterSelector,
  cluster: FleetCluster,
): string | undefined {
  const named = selector.clusters ?? [];
  if (named.length > 0 && !named.includes(cluster.name)) {
    return `is not among select.clusters`;
  }
  if (selector.exclude?.includes(cluster.name)) {
    return `is named in select.exclude`;
  }
  const regions = selector.regions ?? [];
  if (regions.length > 0 && !(cluster.region && regions.includes(cluster.region))) {
    return `region ${cluster.region ?? '(none)'} is not among ${regions.join(', ')}`;
  }
  return labelExclusion(selector, cluster) ?? versionExclusion(selector, cluster);
}

function labelExclusion(selector: ClusterSelector, cluster: FleetCluster): string | undefined {
  for (const [key, wanted] of Object.entries(selector.matchLabels ?? {})) {
    if (cluster.labels[key] !== wanted) {
      return `label ${key} is ${cluster.labels[key] ?? '(none)'}, not ${wanted}`;
    }
  }
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const value = cluster.labels[key];
    // As the API server reads selectors: NotIn also holds where the label is absent.
    const holds = {
      In: value !== undefined && values.includes(value),
      NotIn: value === undefined || !values.includes(value),
      Exists: value !== undefined,
      DoesNotExist: value === undefined,
    }[operator];
    if (!holds) {
      return `label ${key} (${value ?? 'none'}) does not satisfy ${operator} ${values.join(
        ', ',
      )}`.trimEnd();
    }
  }
  return undefined;
}

function versionExclusion(selector: ClusterSelector, cluster: FleetCluster): string | undefined {
  if (!selector.kubernetesVersion) {
    return undefined;
  }
  // Providers append suffixes (v1.30.1-eks-…) that SemVer would read as pre-releases.
  const version = coerce(cluster.kubernetesVersion);
  if (!version) {
    return `its Kubernetes version is not known, and ${selector.kubernetesVersion} is asked for`;
  }
  return satisfies(version, selector.kubernetesVersion)
    ? undefined
    : `Kubernetes ${version.version} does not satisfy ${selector.kubernetesVersion}`;
}

function selectByList(
  placement: Extract<PlacementSpec, { kind: 'list' }>,
  fleet: FleetCluster[],
): Selection {
  const byName = new Map(fleet.map(cluster => [cluster.name, cluster]));
  const findings: Finding[] = [];
  const targets: SelectedTarget[] = [];
  for (const { name, namespace } of placement.clusters) {
    const cluster = byName.get(name);
    if (cluster) {
      targets.push({
        key: targetKey({ cluster: name, namespace }),
        cluster: name,
        namespace,
        fleet: cluster,
      });
    } else {
      findings.push(unknownCluster(name, fleet));
    }
  }
  const named = new Set(placement.clusters.map(cluster => cluster.name));
  const excluded = fleet
    .filter(cluster => !named.has(cluster.name))
    .map(cluster => ({ cluster: cluster.name, rule: 'is not in the list' }));
  return { targets, excluded, findings };
}

function selectByRule(
  placement: Extract<PlacementSpec, { kind: 'rule' }>,
  fleet: FleetCluster[],
): Selection {
  const findings = unknownNames(placement.select, fleet);
  const excluded: Selection['excluded'] = [];
  const selected: SelectedTarget[] = [];
  const ungrouped: string[] = [];
  for (const cluster of [...fleet].sort(byClusterName)) {
    const rule = exclusionRule(placement.select, cluster);
    const group = rule ? undefined : groupOf(placement.groups, cluster);
    if (rule) {
      excluded.push({ cluster: cluster.name, rule });
    } else if (placement.groups.length > 0 && !group) {
      ungrouped.push(cluster.name);
      excluded.push({ cluster: cluster.name, rule: 'is in no group' });
    } else {
      const { namespace } = placement;
      const key = targetKey({ cluster: cluster.name, namespace });
      selected.push({ key, cluster: cluster.name, namespace, group, fleet: cluster });
    }
  }
  if (ungrouped.length > 0) {
    findings.push(ungroupedFinding(placement, ungrouped));
  }
  const rank = new Map(placement.groups.map((group, index) => [group.name, index]));
  // Stable sort: within a group the order by name stays.
  const targets = selected.sort(
    (a, b) => (rank.get(a.group ?? '') ?? 0) - (rank.get(b.group ?? '') ?? 0),
  );
  return { targets, excluded, findings };
}

function groupOf(groups: GroupSpec[], cluster: FleetCluster): string | undefined {
  return groups.find(group => exclusionRule(group.match, cluster) === undefined)?.name;
}

function ungroupedFinding(
  placement: Extract<PlacementSpec, { kind: 'rule' }>,
  names: string[],
): Finding {
  const ignored = placement.ungrouped === 'ignore';
  return {
    severity: ignored ? 'warning' : 'error',
    code: 'ClusterInNoGroup',
    params: { clusters: names.join(', '), count: names.length },
    message:
      `PlacementRule ${placement.name}: ${counted(
        names.length,
        'selected cluster',
      )} are in no group: ${names.join(', ')}. ` +
      (ignored
        ? 'They are left out.'
        : 'Add a group that matches them, or set `ungrouped: ignore`.'),
  };
}

function unknownNames(select: ClusterSelector, fleet: FleetCluster[]): Finding[] {
  const known = new Set(fleet.map(cluster => cluster.name));
  return (select.clusters ?? [])
    .filter(name => !known.has(name))
    .map(name => unknownCluster(name, fleet));
}

function unknownCluster(name: string, fleet: FleetCluster[]): Finding {
  const known = fleet.map(cluster => cluster.name).sort();
  return {
    severity: 'error',
    code: 'UnknownCluster',
    params: { cluster: name, known: known.join(', ') },
    message: `Cluster ${name} is not configured. Known clusters: ${known.join(', ') || 'none'}.`,
    cluster: name,
  };
}

function isError(finding: Finding): boolean {
  return finding.severity === 'error';
}

function byClusterName(a: FleetCluster, b: FleetCluster): number {
  return a.name < b.name ? -1 : 1;
}
