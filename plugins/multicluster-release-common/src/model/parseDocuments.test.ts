import {
  ALL_EXAMPLES,
  FOUNDING_EXAMPLE,
  PLACEMENT_EXAMPLE,
  POLICY_EXAMPLE,
  releaseWith,
  TEMPLATE_EXAMPLE,
} from './testing/examples';
import { parseDocuments } from './parseDocuments';

function faultsOf(text: string): string[] {
  return parseDocuments(text).errors.map(({ path, message }) => `${path}: ${message}`);
}

describe('parseDocuments', () => {
  it.each(Object.entries(ALL_EXAMPLES))('accepts the example: %s', (_name, text) => {
    const { documents, errors } = parseDocuments(text);
    expect(errors).toEqual([]);
    expect(documents).toHaveLength(1);
  });

  it('reads the founding example to the letter', () => {
    const [{ document, label, line }] = parseDocuments(FOUNDING_EXAMPLE).documents;
    expect({ label, line }).toEqual({ label: 'ClusterRelease/release-v2', line: 1 });
    expect(document).toEqual({
      apiVersion: 'operator.example.io/v1',
      kind: 'ClusterRelease',
      metadata: { name: 'release-v2' },
      spec: {
        targetVersion: '2.0.0',
        strategy: {
          type: 'Canary',
          canary: {
            clusters: [
              { name: 'cluster-a', weight: 5 },
              { name: 'cluster-b', weight: 20 },
            ],
            steps: [
              { pause: '10m', metrics: [{ name: 'error_rate', threshold: 1 }] },
              { pause: '5m', metrics: [{ name: 'p99_latency', threshold: 200 }] },
            ],
          },
          rollback: { type: 'BlueGreen', standbyCluster: 'cluster-green' },
        },
        clusters: ['a', 'b', 'c'].map(letter => ({
          name: `cluster-${letter}`,
          namespace: 'production',
        })),
      },
    });
  });

  it('reads several documents, skips empty ones, and says where each stood', () => {
    const text = `---\n# nothing\n---\n${TEMPLATE_EXAMPLE}---\n---\n${PLACEMENT_EXAMPLE}...\n---\n${POLICY_EXAMPLE}`;
    const { documents, errors } = parseDocuments(text, { name: 'release.yaml' });
    expect(errors).toEqual([]);
    expect(documents.map(({ label, source }) => [label, source])).toEqual([
      ['ResourceTemplate/checkout', 'release.yaml'],
      ['PlacementRule/checkout', 'release.yaml'],
      ['DistributionPolicy/careful', 'release.yaml'],
    ]);
    expect(documents.map(({ line }) => text.split('\n')[(line ?? 0) - 1])).toEqual(
      Array(3).fill('apiVersion: multicluster-release.io/v1'),
    );
  });

  it.each(Object.entries(ALL_EXAMPLES))('reads JSON as well: %s', (_name, text) => {
    const [{ document }] = parseDocuments(text).documents;
    expect(parseDocuments(JSON.stringify(document)).documents[0]?.document).toEqual(document);
    expect(
      parseDocuments(JSON.stringify(document, undefined, '\t')).documents[0]?.document,
    ).toEqual(document);
  });

  it('gives all faults of all documents at once, with document, path and line', () => {
    const text = `apiVersion: multicluster-release.io/v1
kind: ClusterRelease
metadata: {name: two}
spec:
  targetVersion: 2.10
  placement: checkout
  clusters: [{name: A, namespace: production}]
  strategy:
    type: Canary
    canary:
      stepz: []
      steps:
        - {group: canary, share: 10%, pause: 600, metric: []}
---
kind: PlacementRole
metadata: {name: where}
`;
    const { documents, errors } = parseDocuments(text);
    expect(documents).toEqual([]);
    expect(errors.map(({ document, path, line }) => `${line} ${document} ${path}`)).toEqual([
      '4 ClusterRelease/two spec',
      '5 ClusterRelease/two spec.targetVersion',
      '7 ClusterRelease/two spec.clusters[0].name',
      '11 ClusterRelease/two spec.strategy.canary.stepz',
      '13 ClusterRelease/two spec.strategy.canary.steps[0].pause',
      '13 ClusterRelease/two spec.strategy.canary.steps[0].metric',
      '13 ClusterRelease/two spec.strategy.canary.steps[0]',
      '15 PlacementRole/where kind',
    ]);
    expect(errors.map(({ suggestion }) => suggestion)).toEqual([
      undefined,
      'targetVersion: "2.10"',
      undefined,
      'steps',
      undefined,
      'metrics',
      undefined,
      'PlacementRule',
    ]);
  });

  // prettier-ignore
  it.each([
    ['an unknown field', 'spec.strategy.canary.stepz', 'type: Canary\ncanary: {stepz: [], steps: [{group: a}]}', 'is not a known field; did you mean `steps`?'],
    ['a field like no other', 'spec.strategy.xyzzy', 'type: Canary\nxyzzy: 1\ncanary: {steps: [{group: a}]}', 'is not a known field; known here: type, canary, rollingUpdate, blueGreen, rollback'],
    ['capitals', 'spec.strategy.type', 'type: canary', 'must be one of Canary, RollingUpdate, BlueGreen, and is "canary"; did you mean `Canary`?'],
    ['a missing block', 'spec.strategy.canary', 'type: Canary', 'is missing: type Canary needs canary'],
    ['a block of another type', 'spec.strategy.rollingUpdate', 'type: Canary\ncanary: {steps: [{group: a}]}\nrollingUpdate: {mode: Serial}', 'goes only with type: RollingUpdate'],
    ['two choices in a step', 'spec.strategy.canary.steps[0]', 'type: Canary\ncanary: {steps: [{group: a, clusters: [b]}]}', 'takes at most one of group, clusters, share, and has group and clusters: make it several steps'],
    ['no choice in the first step', 'spec.strategy.canary.steps[0]', 'type: Canary\ncanary: {steps: [{pause: 1m}]}', 'brings the new version nowhere: name one of group, clusters, share'],
    ['no steps', 'spec.strategy.canary.steps', 'type: Canary\ncanary: {steps: []}', 'must have at least 1 entry'],
    ['a share that falls', 'spec.strategy.canary.steps[1].share', 'type: Canary\ncanary: {steps: [{share: 30%}, {share: 10%}]}', 'is 10% after 30%: shares count all clusters so far and cannot fall'],
    ['a share that is a number', 'spec.strategy.canary.steps[0].share', 'type: Canary\ncanary: {steps: [{share: 3}]}', 'must be whole per cents from 1% to 100%'],
    ['a pause without a unit', 'spec.strategy.canary.steps[0].pause', 'type: Canary\ncanary: {steps: [{group: a, pause: 10}]}', 'must be a duration such as 10m, or {} to wait until a person promotes, and is 10'],
    ['a pause that is a word', 'spec.strategy.canary.steps[0].pause', 'type: Canary\ncanary: {steps: [{group: a, pause: long}]}', 'must be a duration such as 10m, 1h30m or 45s'],
    ['a choice beside canary.clusters', 'spec.strategy.canary.steps[0].group', 'type: Canary\ncanary: {clusters: [{name: a}], steps: [{group: a}]}', 'cannot stand beside canary.clusters, where step 1 is for cluster 1: take one of the two out'],
    ['a canary cluster twice', 'spec.strategy.canary.clusters[1].name', 'type: Canary\ncanary: {clusters: [{name: a}, {name: a}], steps: [{}]}', 'a is there twice: each name may stand once'],
    ['a weight of nothing', 'spec.strategy.canary.steps[0].weight', 'type: Canary\ncanary: {steps: [{group: a, weight: 0}]}', 'must be at least 1'],
    ['a weight in two places', 'spec.strategy.canary.steps[0].weight', 'type: Canary\ncanary: {clusters: [{name: a, weight: 5}], steps: [{weight: 10}]}', 'stands at cluster 1 of canary.clusters too: take one of the two out'],
    ['a weight above 100', 'spec.strategy.canary.steps[0].weight', 'type: Canary\ncanary: {steps: [{group: a, weight: 101}]}', 'must be at most 100'],
    ['batches in another mode', 'spec.strategy.rollingUpdate.batches', 'type: RollingUpdate\nrollingUpdate: {mode: Serial, batches: 3}', 'goes only with mode: Batched, and the mode is Serial'],
    ['Batched without batches', 'spec.strategy.rollingUpdate.batches', 'type: RollingUpdate\nrollingUpdate: {mode: Batched}', 'is missing: mode Batched needs groups, a size such as 25%, or a list of shares'],
    ['shares that leave clusters behind', 'spec.strategy.rollingUpdate.batches', 'type: RollingUpdate\nrollingUpdate: {mode: Batched, batches: [20%, 50%]}', 'ends at 50%: the last share must be 100%, or clusters would be left behind'],
    ['a standby without its cluster', 'spec.strategy.rollback.standbyCluster', 'type: RollingUpdate\nrollingUpdate: {mode: Serial}\nrollback: {type: BlueGreen}', 'is missing: rollback of type BlueGreen needs the cluster that takes the traffic'],
    ['a standby for a restore', 'spec.strategy.rollback.standbyCluster', 'type: RollingUpdate\nrollingUpdate: {mode: Serial}\nrollback: {standbyCluster: a}', 'goes only with type: BlueGreen'],
    ['scope Cluster without clusters', 'spec.strategy.blueGreen.green', 'type: BlueGreen\nblueGreen: {scope: Cluster, blue: [a]}', 'is missing: scope Cluster needs the blue and the green clusters'],
  ])('refuses in a strategy: %s', (_name, path, strategy, message) => {
    expect(faultsOf(releaseWith(strategy))).toEqual([`${path}: ${message}`]);
  });

  const SERIAL = 'type: RollingUpdate\nrollingUpdate: {mode: Serial}';
  const list = (clusters: string) =>
    releaseWith(SERIAL).replace('placement: checkout', `clusters: ${clusters}`);

  // prettier-ignore
  it.each([
    ['both placement and clusters', releaseWith(SERIAL, '  clusters: [{name: a, namespace: b}]\n'), 'spec: takes exactly one of placement, clusters, and has placement and clusters'],
    ['neither placement nor clusters', releaseWith(SERIAL).replace('  placement: checkout\n', ''), 'spec: needs a place to release to: one of placement, clusters'],
    ['a cluster twice in one namespace', list('[{name: a, namespace: b}, {name: a, namespace: c}, {name: a, namespace: b}]'), 'spec.clusters[2]: names a with namespace b a second time: take it out, or give another namespace'],
    ['no strategy', releaseWith(SERIAL).split('  strategy:')[0], 'spec.strategy: is missing'],
    ['an unknown field in an inline policy', releaseWith(SERIAL, '  policy: {maxConcurency: 2}\n'), 'spec.policy.maxConcurency: is not a known field; did you mean `maxConcurrency`?'],
    ['a policy that is a list', releaseWith(SERIAL, '  policy: [a]\n'), 'spec.policy: must be the name of a DistributionPolicy, or its fields, and is a list'],
    ['a number as the version', releaseWith(SERIAL).replace('2.1.0', '2.10'), 'spec.targetVersion: must be text, and 2.10 is read as the number 2.1; quote it: targetVersion: "2.10"'],
    ['a truth value as the version', releaseWith(SERIAL).replace('2.1.0', 'on'), 'spec.targetVersion: must be text, and on is read as the truth value true; quote it: targetVersion: "on"'],
    ['a short service', releaseWith(SERIAL).replace('component:default/checkout', 'checkout'), 'spec.service: must be a full entity reference such as component:default/checkout'],
    ['the founding group for another kind', PLACEMENT_EXAMPLE.replace('multicluster-release.io', 'operator.example.io'), 'apiVersion: must be multicluster-release.io/v1, and is "operator.example.io/v1"'],
    ['no apiVersion', PLACEMENT_EXAMPLE.replace('apiVersion: multicluster-release.io/v1\n', ''), 'apiVersion: is missing: must be multicluster-release.io/v1'],
    ['no kind', 'metadata: {name: a}', 'kind: is missing: must be one of ResourceTemplate, PlacementRule, DistributionPolicy, ClusterRelease'],
    ['no map', '- a', ': must be a map with apiVersion, kind, metadata and spec; separate documents with ---'],
    ['a group twice', PLACEMENT_EXAMPLE.replace('name: gray', 'name: canary'), 'spec.groups[1].name: canary is there twice: each name may stand once'],
    ['a label that is a truth value', PLACEMENT_EXAMPLE.replace('ring: gray', 'ring: yes'), 'spec.groups[1].match.labels.ring: must be text, and yes is read as the truth value true; quote it: ring: "yes"'],
    ['a slip in matchLabels', PLACEMENT_EXAMPLE.replace('matchLabels', 'matchLabel'), 'spec.select.labels.matchLabel: is not a known field; did you mean `matchLabels`?'],
    ['In without values', PLACEMENT_EXAMPLE.replace('values: [prod, staging]', 'values: []'), 'spec.select.labels.matchExpressions[0].values: In needs at least one value'],
    ['a broken range', PLACEMENT_EXAMPLE.replace('>=1.30', 'new'), 'spec.select.kubernetesVersion: must be a range of versions such as ">=1.30" or "1.30 - 1.33"'],
    ['concurrency of zero', POLICY_EXAMPLE.replace('30%', '0'), 'spec.maxConcurrency: must be a count such as 3, or whole per cents such as 30% (0% to 100%), above zero'],
    ['priority without a label', POLICY_EXAMPLE.replace('{by: groups}', '{by: priority}'), 'spec.order.label: is missing: order by priority needs the label that carries the number'],
    ['no timeout', POLICY_EXAMPLE.replace('15m', '0s'), 'spec.timeout: must be a duration such as 10m, 1h30m or 45s, above zero'],
    ['half a failure', POLICY_EXAMPLE.replace('maxFailures: 0', 'maxFailures: 0.5'), 'spec.maxFailures: must be a whole number, and is 0.5'],
    ['two sources', TEMPLATE_EXAMPLE.replace('manifests: {', 'kustomize: {location: ./a}\n    manifests: {'), 'spec.source: takes exactly one of manifests, kustomize, helm, operator, and has manifests and kustomize'],
    ['no source', TEMPLATE_EXAMPLE.replace('manifests: {location: ./k8s, ref: "v${version}"}', '{}'), 'spec.source: needs a source: one of manifests, kustomize, helm, operator'],
    ['a ref beside inline manifests', TEMPLATE_EXAMPLE.replace('location: ./k8s', 'inline: []'), 'spec.source.manifests.ref: goes only with location: name a location, or take ref out'],
    ['another variable', TEMPLATE_EXAMPLE.replace('tag: "${version}"', 'tag: "${commit}"'), 'spec.images[0].tag: knows only the variable ${version}'],
    ['another variable in a query', TEMPLATE_EXAMPLE.replace('{{stableVersion}}', '{{stable}}'), 'spec.metrics[0].prometheus.query: knows only the variables {{cluster}}, {{namespace}}, {{version}}, {{stableVersion}}, {{window}}'],
    ['half a SemVer', TEMPLATE_EXAMPLE.replace('1.4.0', 'v1.4.0'), 'spec.configVersion: must be a SemVer such as 1.4.0'],
    ['a capital in the name', TEMPLATE_EXAMPLE.replace('{name: checkout}', '{name: Checkout}'), 'metadata.name: must be a Kubernetes name of at most 253 characters: lower-case letters, digits, - and ., beginning and ending with a letter or digit'],
    ['a JSON 6902 operation without a value', TEMPLATE_EXAMPLE.replace('patch: {spec: {replicas: 6}}', 'patch: [{op: replace, path: /spec/replicas}]'), 'spec.overrides[0].patches[0].patch[0].value: is missing: replace needs a value'],
  ])('refuses %s', (_name, text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it('refuses names outside the list of clusters, and a standby inside it', () => {
    const text = FOUNDING_EXAMPLE.replace(
      '{name: cluster-b, weight',
      '{name: cluster-bb, weight',
    ).replace('cluster-green', 'cluster-c');
    const { errors } = parseDocuments(text);
    expect(errors.map(({ path, suggestion }) => [path, suggestion])).toEqual([
      ['spec.strategy.canary.clusters[1].name', 'cluster-b'],
      ['spec.strategy.rollback.standbyCluster', undefined],
    ]);
  });

  it('refuses a document that is there twice, but not a release: its name need not be unique', () => {
    expect(parseDocuments(`${POLICY_EXAMPLE}---\n${POLICY_EXAMPLE}`).errors).toEqual([
      {
        document: 'DistributionPolicy/careful',
        path: 'metadata.name',
        message: 'is there twice: the first is in line 1; give one another name',
        line: 20,
        column: 1,
      },
    ]);
    expect(parseDocuments(`${FOUNDING_EXAMPLE}---\n${FOUNDING_EXAMPLE}`).errors).toEqual([]);
  });

  it.each(['{}', '{duration: 10m}', ''])('accepts a pause written as "%s"', pause => {
    const text = releaseWith(
      `type: Canary\ncanary:\n  steps:\n    - group: canary\n      pause: ${pause}`,
    );
    expect(faultsOf(text)).toEqual([]);
  });

  it('stops at a hundred faults, and says that there are more', () => {
    const keys = Array.from({ length: 10_000 }, (_, index) => `  stepz${index}: 1`).join('\n');
    const { errors } = parseDocuments(`${POLICY_EXAMPLE}${keys}`);
    expect(errors).toHaveLength(101);
    expect(errors[100]).toEqual({
      document: 'DistributionPolicy/careful',
      path: '',
      message: 'has more faults than the 100 that are shown: mend these first',
    });
  });
});
