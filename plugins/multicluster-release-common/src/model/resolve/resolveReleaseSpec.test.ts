import type { ReleaseSpec } from '../../plan/spec';
import type { ReleaseDocument } from '../documents';
import { parseDocuments } from '../parseDocuments';
import type { ClusterRelease } from '../release/ClusterRelease';
import {
  CANARY_EXAMPLE,
  FOUNDING_EXAMPLE,
  PLACEMENT_EXAMPLE,
  POLICY_EXAMPLE,
  releaseWith,
  ROLLING_EXAMPLES,
  SOURCE_EXAMPLES,
  TEMPLATE_EXAMPLE,
} from '../testing/examples';
import { resolveReleaseSpec, type ResolveInput } from './resolveReleaseSpec';

const SERIAL = 'type: RollingUpdate\nrollingUpdate: {mode: Serial}';

function read(...texts: string[]): ReleaseDocument[] {
  const { documents, errors } = parseDocuments(texts.join('---\n'));
  expect(errors).toEqual([]);
  return documents.map(({ document }) => document);
}

function isRelease(document: ReleaseDocument): document is ClusterRelease {
  return document.kind === 'ClusterRelease';
}

function inputFor(release: string, ...others: string[]): ResolveInput {
  const [document] = read(release).filter(isRelease);
  return {
    release: document,
    documents: read(...others),
    sharedPolicies: [],
    sharedPlacements: [],
  };
}

function specOf(release: string, ...others: string[]): ReleaseSpec {
  const result = resolveReleaseSpec(
    inputFor(release, TEMPLATE_EXAMPLE, PLACEMENT_EXAMPLE, ...others),
  );
  if ('errors' in result) {
    throw new Error(JSON.stringify(result.errors));
  }
  return result.spec;
}

function errorsOf(input: ResolveInput): string[] {
  const result = resolveReleaseSpec(input);
  return 'errors' in result ? result.errors.map(({ path, message }) => `${path}: ${message}`) : [];
}

describe('resolveReleaseSpec', () => {
  it('fills in every default', () => {
    expect(specOf(releaseWith(SERIAL).replace('2.1.0', 'v2.1.0'))).toEqual({
      service: 'component:default/checkout',
      targetVersion: '2.1.0',
      strategy: {
        type: 'RollingUpdate',
        mode: 'Serial',
        batches: { by: 'groups' },
        stabilizeMilliseconds: 0,
      },
      placement: {
        kind: 'rule',
        name: 'checkout',
        select: {
          matchLabels: { tier: 'prod' },
          matchExpressions: [{ key: 'env', operator: 'In', values: ['prod', 'staging'] }],
          regions: ['cn-east-1'],
          kubernetesVersion: '>=1.30',
          clusters: [],
          exclude: [],
        },
        namespace: 'production',
        groups: [
          { name: 'canary', match: { matchLabels: { env: 'staging' } } },
          { name: 'gray', match: { matchLabels: { ring: 'gray' } } },
          { name: 'production', match: {} },
        ],
        ungrouped: 'refuse',
      },
      policy: {
        order: { by: 'groups' },
        timeoutMilliseconds: 600_000,
        retries: 0,
        maxFailures: 0,
        onFailure: 'RollbackTouched',
        onNewer: 'Queue',
        offline: { policy: 'Wait', afterMilliseconds: 600_000 },
        prune: true,
      },
      rollbackOn: ['HealthFailed', 'MetricFailed', 'Timeout'],
      pruneAlso: [],
      dependsOn: [{ service: 'component:default/config', version: '>=1.4', on: 'same' }],
    });
  });

  it('takes over what a policy says', () => {
    expect(specOf(releaseWith(SERIAL, '  policy: careful\n'), POLICY_EXAMPLE).policy).toMatchObject(
      {
        maxConcurrency: { percent: 30 },
        timeoutMilliseconds: 900_000,
        retries: 1,
        offline: { policy: 'Wait', afterMilliseconds: 600_000 },
        maxUnavailable: { count: 1 },
        windows: [
          {
            cron: '0 9 * * 1-5',
            durationMilliseconds: 28_800_000,
            timeZone: 'Asia/Shanghai',
            kind: 'allow',
          },
        ],
      },
    );
    const inline =
      '  policy: {order: {by: priority, label: acme.io/priority}, maxConcurrency: 2, prune: false, onNewer: Supersede, joining: CatchUp, adapt: true, windows: [{cron: "0 18 * * *", duration: 1h, kind: deny}], offline: {policy: Skip, after: 1m}}\n';
    expect(specOf(releaseWith(SERIAL, inline)).policy).toMatchObject({
      order: { by: 'priority', label: 'acme.io/priority' },
      maxConcurrency: { count: 2 },
      prune: false,
      onNewer: 'Supersede',
      joining: 'CatchUp',
      adapt: true,
      windows: [{ timeZone: 'UTC', kind: 'deny' }],
      offline: { policy: 'Skip', afterMilliseconds: 60_000 },
    });
  });

  it('translates the steps of a canary', () => {
    expect(specOf(CANARY_EXAMPLE, POLICY_EXAMPLE).strategy).toEqual({
      type: 'Canary',
      steps: [
        {
          group: 'canary',
          weight: { percent: 10, approximate: false },
          pause: { milliseconds: 600_000 },
          metrics: [
            expect.objectContaining({
              name: 'error_rate',
              unit: '%',
              limit: { max: 1 },
              count: 5,
              failureLimit: 2,
              minSamples: 100,
            }),
          ],
        },
        {
          group: 'canary',
          pause: { milliseconds: 1_800_000 },
          stabilizeMilliseconds: 300_000,
          jobs: [expect.objectContaining({ kind: 'Job', metadata: { name: 'smoke' } })],
          approval: {
            required: 2,
            from: ['group:default/sre'],
            selfApproval: false,
            expiresMilliseconds: 86_400_000,
            when: 'after',
          },
        },
        { clusters: ['cluster-d'], pause: { milliseconds: 300_000 } },
        { sharePercent: 10, pause: { milliseconds: 600_000 } },
        { sharePercent: 30, pause: { milliseconds: 600_000 } },
        { sharePercent: 100 },
      ],
    });
  });

  it('fills in what an approval leaves out', () => {
    const strategy =
      'type: Canary\ncanary: {steps: [{group: canary, approval: {from: [User:default/Ada]}}]}';
    expect(specOf(releaseWith(strategy)).strategy).toEqual({
      type: 'Canary',
      steps: [
        {
          group: 'canary',
          approval: { required: 1, from: ['user:default/ada'], selfApproval: false, when: 'after' },
        },
      ],
    });
  });

  // prettier-ignore
  it.each([
    ['same', 'same'],
    ['all', 'all'],
    ['[config-hub, cluster-b]', ['config-hub', 'cluster-b']],
  ])('reads a dependency on %s', (on, expected) => {
    const template = TEMPLATE_EXAMPLE.replace('on: same}', `on: ${on}}`);
    const result = resolveReleaseSpec(inputFor(releaseWith(SERIAL), template, PLACEMENT_EXAMPLE));
    expect(result).toMatchObject({ spec: { dependsOn: [{ service: 'component:default/config', version: '>=1.4', on: expected }] } });
  });

  // prettier-ignore
  it.each([
    ['10m', { milliseconds: 600_000 }],
    ['0s', { milliseconds: 0 }],
    ['{duration: 5m}', { milliseconds: 300_000 }],
    ['{}', 'promotion'],
    ['~', 'promotion'],
  ])('reads the pause %s', (pause, expected) => {
    const strategy = specOf(releaseWith(`type: Canary\ncanary: {steps: [{group: canary, pause: ${pause}}]}`)).strategy;
    expect(strategy).toEqual({ type: 'Canary', steps: [{ group: 'canary', pause: expected }] });
  });

  // prettier-ignore
  it.each([
    ['parallel', { mode: 'Parallel', stabilizeMilliseconds: 300_000, maxSurge: { percent: 25 }, maxUnavailable: { count: 0 } }],
    ['by groups', { mode: 'Batched', batches: { by: 'groups' } }],
    ['by size', { mode: 'Batched', batches: { by: 'size', size: { percent: 25 } } }],
    ['by number', { mode: 'Batched', batches: { by: 'size', size: { count: 3 } } }],
    ['by shares', { mode: 'Batched', batches: { by: 'shares', percents: [20, 50, 100] } }],
  ] as const)('translates rolling %s', (name, expected) => {
    expect(specOf(ROLLING_EXAMPLES[name]).strategy).toMatchObject(expected);
  });

  // prettier-ignore
  it.each([
    ['{group: canary, weight: 100}', { group: 'canary' }],
    ['{weight: 100}', { weight: { percent: 100, approximate: false } }],
    ['{share: 30%, weight: 50, approximate: true}', { sharePercent: 30, weight: { percent: 50, approximate: true } }],
  ])('reads the weight of %s', (step, expected) => {
    expect(specOf(releaseWith(`type: Canary\ncanary: {steps: [${step}]}`)).strategy).toEqual({ type: 'Canary', steps: [expected] });
  });

  describe('the founding form', () => {
    const founding = (steps: string) =>
      FOUNDING_EXAMPLE.replace(/steps:[^]*?(?= {4}rollback)/, `steps: ${steps}\n`);
    const resolve = (release: string) =>
      resolveReleaseSpec({
        ...inputFor(release, TEMPLATE_EXAMPLE),
        service: 'component:default/checkout',
      });

    it('gives step i to cluster i, and keeps the list of clusters in its order', () => {
      expect(resolve(FOUNDING_EXAMPLE)).toMatchObject({
        spec: {
          targetVersion: '2.0.0',
          strategy: {
            steps: [
              {
                clusters: ['cluster-a'],
                weight: { percent: 5, approximate: false },
                pause: { milliseconds: 600_000 },
                metrics: [{ name: 'error_rate', limit: { max: 1 } }],
              },
              {
                clusters: ['cluster-b'],
                weight: { percent: 20, approximate: false },
                pause: { milliseconds: 300_000 },
                metrics: [{ name: 'p99_latency', limit: { max: 200 } }],
              },
            ],
          },
          placement: {
            kind: 'list',
            clusters: ['a', 'b', 'c'].map(letter => ({
              name: `cluster-${letter}`,
              namespace: 'production',
            })),
          },
        },
        findings: [],
      });
    });

    it('lets later steps watch all clusters', () => {
      expect(resolve(founding('[{pause: 1m}, {pause: 2m}, {pause: 3m}]'))).toMatchObject({
        spec: {
          strategy: {
            steps: [
              { clusters: ['cluster-a'] },
              { clusters: ['cluster-b'] },
              { pause: { milliseconds: 180_000 } },
            ],
          },
        },
        findings: [{ code: 'StepsWatchAll', path: 'spec.strategy.canary.steps[2]' }],
      });
    });

    it('lets later clusters join at the promotion', () => {
      expect(resolve(founding('[{pause: 1m}]'))).toMatchObject({
        spec: { strategy: { steps: [{ clusters: ['cluster-a'] }] } },
        findings: [{ code: 'ClustersJoinAtPromotion', params: { clusters: 'cluster-b' } }],
      });
    });
  });

  it('takes the only template, the named one, and what it may prune', () => {
    const other = TEMPLATE_EXAMPLE.replace('name: checkout}', 'name: other}').replace(
      'pruneAlso: []',
      'pruneAlso: [Namespace]',
    );
    const named = releaseWith(SERIAL, '  template: other\n');
    const result = resolveReleaseSpec(inputFor(named, TEMPLATE_EXAMPLE, other, PLACEMENT_EXAMPLE));
    expect(result).toMatchObject({
      template: { metadata: { name: 'other' } },
      spec: { pruneAlso: ['Namespace'] },
    });
  });

  it('prefers the documents of the service to those of the platform, and says whose they are', () => {
    const input = inputFor(
      releaseWith(SERIAL, '  policy: careful\n'),
      TEMPLATE_EXAMPLE,
      PLACEMENT_EXAMPLE,
    );
    const sharedPolicies = read(POLICY_EXAMPLE).filter(
      document => document.kind === 'DistributionPolicy',
    );
    const sharedPlacements = read(
      PLACEMENT_EXAMPLE.replace('namespace: production', 'namespace: other'),
    ).filter(document => document.kind === 'PlacementRule');
    expect(resolveReleaseSpec({ ...input, sharedPolicies, sharedPlacements })).toMatchObject({
      from: { placement: 'service', policy: 'shared' },
      spec: { placement: { namespace: 'production' }, policy: { retries: 1 } },
    });
  });

  it('says every name that leads nowhere, and what there is', () => {
    const release = releaseWith(SERIAL, '  template: chekout\n  policy: quick\n').replace(
      'placement: checkout',
      'placement: everywhere',
    );
    const input = inputFor(release, TEMPLATE_EXAMPLE, POLICY_EXAMPLE);
    expect(errorsOf({ ...input, service: 'component:default/cart' })).toEqual([
      'spec.service: is component:default/checkout, and the release was asked for component:default/cart: make them the same',
      'spec.template: names ResourceTemplate chekout, which does not exist; there are: checkout',
      'spec.placement: names PlacementRule everywhere, which does not exist; there is none: add one',
      'spec.policy: names DistributionPolicy quick, which does not exist; there are: careful',
    ]);
  });

  // prettier-ignore
  it.each([
    ['no service', inputFor(FOUNDING_EXAMPLE, TEMPLATE_EXAMPLE), 'spec.service: is missing: name the service, for example component:default/checkout'],
    ['no template', inputFor(releaseWith(SERIAL), PLACEMENT_EXAMPLE), 'spec.template: is missing, and the service has no ResourceTemplate: add one'],
    ['several templates', inputFor(releaseWith(SERIAL), PLACEMENT_EXAMPLE, TEMPLATE_EXAMPLE, SOURCE_EXAMPLES.inline.replace('name: checkout', 'name: settings')), 'spec.template: is missing, and the service has several: name one of checkout, settings'],
    ['blue-green', inputFor(releaseWith('type: BlueGreen\nblueGreen: {scope: Cluster, blue: [a], green: [b]}'), TEMPLATE_EXAMPLE, PLACEMENT_EXAMPLE), 'spec.strategy.type: BlueGreen is not built yet in this version'],
  ])('refuses %s', (_name, input, error) => {
    expect(errorsOf(input)).toEqual([error]);
  });
});
