import type { DocumentKind } from '../documents';
import type { NotBuiltRule } from './NotBuilt';

/*
 * What validates and is not executed yet. Whoever builds a feature takes its rows
 * out; a test holds every field of the schemas against this table, so that a new
 * field is either here or known to be built.
 */

function rule(
  path: string,
  feature: string,
  builtValues?: NotBuiltRule['builtValues'],
): NotBuiltRule {
  return { path: path.split('.'), feature, builtValues };
}

const TEMPLATE_RULES = [
  rule('spec.source.kustomize', 'kustomize'),
  rule('spec.source.helm', 'Helm'),
  rule('spec.source.operator', 'operators'),
  rule('spec.versions.tags', 'versions from tags of a repository'),
  rule('spec.versions.registry', 'versions from a registry'),
  rule('spec.images.*.lock', 'locking images to a digest', [false]),
  rule('spec.overrides.*.values', 'Helm values'),
  rule('spec.overrides.*.traffic', 'traffic within a cluster'),
  rule('spec.health', 'health rules of your own'),
  rule('spec.traffic', 'traffic within a cluster'),
  rule('spec.globalTraffic', 'traffic between clusters'),
  rule('spec.metrics.*.job', 'measuring by a Job'),
  rule('spec.metrics.*.cel', 'measuring by an expression'),
  rule('spec.metrics.*.compare.with', 'comparing with other clusters', ['stable', 'before']),
  rule('spec.ignoreDifferences', 'ignoring differences'),
  rule('spec.drift', 'drift'),
  rule('spec.replace', 'replacing objects'),
];

/** Relative to the policy's fields, which also stand inline in a release. */
const POLICY_RULES = [rule('sync', 'pull and watch synchronisation', ['Push'])];

const RELEASE_RULES = [
  rule('spec.strategy.type', 'blue-green', ['Canary', 'RollingUpdate']),
  rule('spec.strategy.blueGreen', 'blue-green'),
  rule('spec.strategy.rollback.type', 'rollback to a standby cluster', ['Restore']),
  rule('spec.strategy.rollback.standbyCluster', 'rollback to a standby cluster'),
  rule('spec.strategy.rollback.keepStandby', 'rollback to a standby cluster'),
];

function under(prefix: string[], rules: NotBuiltRule[]): NotBuiltRule[] {
  return rules.map(({ path, ...rest }) => ({ ...rest, path: [...prefix, ...path] }));
}

export const NOT_BUILT_RULES: Record<DocumentKind, NotBuiltRule[]> = {
  ResourceTemplate: TEMPLATE_RULES,
  PlacementRule: [],
  DistributionPolicy: under(['spec'], POLICY_RULES),
  ClusterRelease: [...RELEASE_RULES, ...under(['spec', 'policy'], POLICY_RULES)],
};
