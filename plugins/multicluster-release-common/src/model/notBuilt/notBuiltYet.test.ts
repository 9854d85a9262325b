import { documentJsonSchemas } from '../documentJsonSchemas';
import { DOCUMENT_KINDS } from '../documents';
import { isRecord } from '../errors/path';
import { parseDocuments } from '../parseDocuments';
import {
  BLUE_GREEN_EXAMPLES,
  CANARY_EXAMPLE,
  FOUNDING_EXAMPLE,
  PLACEMENT_EXAMPLE,
  POLICY_EXAMPLE,
  releaseWith,
  ROLLING_EXAMPLES,
  TEMPLATE_EXAMPLE,
} from '../testing/examples';
import { notBuiltYet } from './notBuiltYet';
import { NOT_BUILT_RULES } from './rules';

function pathsOf(text: string): string[] {
  const { documents, errors } = parseDocuments(text);
  expect(errors).toEqual([]);
  return notBuiltYet(documents).map(({ path }) => path);
}

// prettier-ignore
/** Fields that this version executes. Whoever adds a field puts it here or among the rules. */
const BUILT: Record<string, string[]> = {
  ResourceTemplate: [
    'spec.configVersion', 'spec.source.manifests.location', 'spec.source.manifests.ref', 'spec.source.manifests.inline.*', 'spec.versions.list.*',
    'spec.images.*.name', 'spec.images.*.tag',
    'spec.overrides.*.match.clusters.*', 'spec.overrides.*.match.labels', 'spec.overrides.*.match.labels.matchLabels',
    'spec.overrides.*.match.labels.matchExpressions.*.key', 'spec.overrides.*.match.labels.matchExpressions.*.operator',
    'spec.overrides.*.match.labels.matchExpressions.*.values.*', 'spec.overrides.*.match.region', 'spec.overrides.*.match.kubernetesVersion',
    'spec.overrides.*.patches.*.target.apiVersion', 'spec.overrides.*.patches.*.target.kind', 'spec.overrides.*.patches.*.target.namespace',
    'spec.overrides.*.patches.*.target.name', 'spec.overrides.*.patches.*.patch', 'spec.overrides.*.patches.*.patch.*.op',
    'spec.overrides.*.patches.*.patch.*.path', 'spec.overrides.*.patches.*.patch.*.from', 'spec.overrides.*.patches.*.patch.*.value',
    'spec.metrics.*.name', 'spec.metrics.*.prometheus.address', 'spec.metrics.*.prometheus.query', 'spec.metrics.*.prometheus.countQuery',
    'spec.metrics.*.web.url', 'spec.metrics.*.web.jsonPath', 'spec.metrics.*.interval', 'spec.metrics.*.window', 'spec.metrics.*.count',
    'spec.metrics.*.initialDelay', 'spec.metrics.*.unit', 'spec.metrics.*.max', 'spec.metrics.*.min', 'spec.metrics.*.noData', 'spec.metrics.*.compare.maxIncrease',
    'spec.pruneAlso.*', 'spec.dependsOn.*.service', 'spec.dependsOn.*.version', 'spec.dependsOn.*.on', 'spec.dependsOn.*.on.*',
  ],
  PlacementRule: [
    ...['spec.select', 'spec.groups.*.match'].flatMap(select => [
      `${select}.labels`, `${select}.labels.matchLabels`, `${select}.labels.matchExpressions.*.key`,
      `${select}.labels.matchExpressions.*.operator`, `${select}.labels.matchExpressions.*.values.*`,
      `${select}.regions.*`, `${select}.kubernetesVersion`, `${select}.clusters.*`, `${select}.exclude.*`,
    ]),
    'spec.namespace', 'spec.groups.*.name', 'spec.ungrouped',
  ],
  DistributionPolicy: policyFields('spec'),
  ClusterRelease: [
    'spec.service', 'spec.targetVersion', 'spec.template', 'spec.placement', 'spec.clusters.*.name', 'spec.clusters.*.namespace',
    'spec.policy', ...policyFields('spec.policy'),
    'spec.strategy.canary.clusters.*.name', 'spec.strategy.canary.clusters.*.weight', 'spec.strategy.canary.steps.*.weight',
    'spec.strategy.canary.steps.*.approximate', 'spec.strategy.canary.steps.*.group', 'spec.strategy.canary.steps.*.clusters.*',
    'spec.strategy.canary.steps.*.share', 'spec.strategy.canary.steps.*.pause', 'spec.strategy.canary.steps.*.pause.duration',
    'spec.strategy.canary.steps.*.stabilize', 'spec.strategy.canary.steps.*.jobs.*.manifest', 'spec.strategy.canary.steps.*.approval.required',
    'spec.strategy.canary.steps.*.approval.from.*', 'spec.strategy.canary.steps.*.approval.selfApproval',
    'spec.strategy.canary.steps.*.approval.expires', 'spec.strategy.canary.steps.*.approval.when',
    ...['name', 'threshold', 'interval', 'failureLimit', 'consecutiveErrorLimit', 'minSamples'].map(field => `spec.strategy.canary.steps.*.metrics.*.${field}`),
    'spec.strategy.rollingUpdate.mode', 'spec.strategy.rollingUpdate.batches', 'spec.strategy.rollingUpdate.batches.*',
    'spec.strategy.rollingUpdate.stabilize', 'spec.strategy.rollingUpdate.maxSurge', 'spec.strategy.rollingUpdate.maxUnavailable', 'spec.strategy.rollback.on.*',
  ],
};

function policyFields(base: string): string[] {
  const fields = [
    'order',
    'order.by',
    'order.label',
    'maxConcurrency',
    'maxUnavailable',
    'timeout',
    'retries',
    'maxFailures',
    'onFailure',
    'onNewer',
    'offline.policy',
    'offline.after',
    'joining',
    'adapt',
    'prune',
    'windows.*.cron',
    'windows.*.duration',
    'windows.*.timeZone',
    'windows.*.kind',
  ];
  return fields.map(field => `${base}.${field}`);
}

/** Paths of all fields that hold a value, by a JSON Schema; `*` is every entry of a list. */
function leavesOf(schema: unknown, path: string, stopAt: Set<string>): string[] {
  if (!isRecord(schema) || stopAt.has(path)) {
    return [];
  }
  if (Array.isArray(schema.anyOf)) {
    return schema.anyOf.flatMap(branch => leavesOf(branch, path, stopAt));
  }
  if (isRecord(schema.properties)) {
    return Object.entries(schema.properties).flatMap(([key, value]) =>
      leavesOf(value, path === '' ? key : `${path}.${key}`, stopAt),
    );
  }
  return schema.type === 'array' ? leavesOf(schema.items, `${path}.*`, stopAt) : [path];
}

describe('notBuiltYet', () => {
  it('lists what the founding example needs', () => {
    expect(notBuiltYet(parseDocuments(FOUNDING_EXAMPLE).documents)).toHaveLength(2);
    expect(pathsOf(FOUNDING_EXAMPLE).sort()).toEqual([
      'spec.strategy.rollback.standbyCluster',
      'spec.strategy.rollback.type',
    ]);
  });

  it('says document, feature and what to do', () => {
    expect(notBuiltYet(parseDocuments(FOUNDING_EXAMPLE).documents)[0]).toEqual({
      document: 'ClusterRelease/release-v2',
      path: 'spec.strategy.rollback.type',
      feature: 'rollback to a standby cluster',
      message:
        'ClusterRelease/release-v2 spec.strategy.rollback.type: rollback to a standby cluster: not built yet in this version. Take the field out.',
    });
  });

  // prettier-ignore
  it.each([
    ['template', TEMPLATE_EXAMPLE, ['spec.versions.tags', 'spec.overrides[0].traffic', 'spec.health', 'spec.traffic', 'spec.globalTraffic', 'spec.metrics[3].job', 'spec.metrics[4].cel', 'spec.ignoreDifferences', 'spec.drift']],
    ['placement', PLACEMENT_EXAMPLE, []],
    ['policy', POLICY_EXAMPLE, []],
    ['canary', CANARY_EXAMPLE, []],
    ['parallel', ROLLING_EXAMPLES.parallel, []],
    ['batches', ROLLING_EXAMPLES['by shares'], []],
    ['blue-green', BLUE_GREEN_EXAMPLES['by cluster'], ['spec.strategy.type', 'spec.strategy.blueGreen', 'spec.strategy.rollback.type', 'spec.strategy.rollback.standbyCluster', 'spec.strategy.rollback.keepStandby']],
    ['an inline policy', releaseWith('type: RollingUpdate\nrollingUpdate: {mode: Serial}', '  policy: {sync: Pull, joining: CatchUp, adapt: true, onNewer: Supersede}\n'), ['spec.policy.sync']],
    ['a locked image', TEMPLATE_EXAMPLE.replace('lock: false', 'lock: true').split('  overrides:')[0], ['spec.versions.tags', 'spec.images[0].lock']],
  ])('finds in the example: %s', (_name, text, paths) => {
    expect(pathsOf(text)).toEqual(paths);
  });

  it.each(DOCUMENT_KINDS)('knows of every field of %s whether it is built', kind => {
    const rules = new Set(NOT_BUILT_RULES[kind].map(({ path }) => path.join('.')));
    const leaves = leavesOf(documentJsonSchemas()[kind], '', rules).filter(path =>
      path.startsWith('spec'),
    );
    expect([...new Set(leaves)].sort()).toEqual([...BUILT[kind]].sort());
  });
});
