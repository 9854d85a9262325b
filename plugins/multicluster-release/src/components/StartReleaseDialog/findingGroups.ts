import type { Finding } from 'backstage-plugin-multicluster-release-common';

/** What a try of a measurement found; a page has a text for several clusters of each. */
export const METRIC_FINDINGS = [
  'MetricRead',
  'MetricBadNow',
  'MetricWithoutData',
  'MetricUnreadable',
] as const;

export type MetricFinding = (typeof METRIC_FINDINGS)[number];

export interface FindingGroup {
  key: string;
  severity: Finding['severity'];
  /** Undefined: a finding that stands for itself. */
  metric?: { code: MetricFinding; name: string };
  findings: Finding[];
}

const ORDER: Finding['severity'][] = ['error', 'warning', 'info'];

/** The worst first; what the same measurement found on several clusters is one thing to look at. */
export function findingGroups(findings: Finding[]): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const finding of findings) {
    const { severity } = finding;
    const metric = metricOf(finding);
    const key = metric
      ? `${severity}:${metric.code}:${metric.name}`
      : `${finding.code}:${finding.cluster}:${finding.path}:${finding.message}`;
    const group = groups.get(key) ?? { key, severity, metric, findings: [] };
    group.findings.push(finding);
    groups.set(key, group);
  }
  return ORDER.flatMap(severity => [...groups.values()].filter(each => each.severity === severity));
}

function metricOf({ code, params, cluster }: Finding): FindingGroup['metric'] {
  const known = METRIC_FINDINGS.find(each => each === code);
  return known && cluster !== undefined && params.metric !== undefined
    ? { code: known, name: String(params.metric) }
    : undefined;
}
