import {
  compile,
  selectTargets,
  targetKey,
  type ContentRef,
  type FleetCluster,
  type Plan,
  type PolicySpec,
  type ReleaseSpec,
  type StrategySpec,
} from 'backstage-plugin-multicluster-release-common';
import { sha256 } from '../decide/sha256';
import type { Random } from './random';

const NAMESPACE = 'production';
const MINUTE = 60_000;

export interface Scenario {
  plan: Plan;
  clusterNames: string[];
  /** Digests that crash, by cluster. */
  bad: Map<string, Set<string>>;
}

/** A release by chance: fleet, strategy, policy, and which clusters the new version crashes on. */
export function drawScenario(random: Random): Scenario {
  const count = random.between(2, 6);
  const fleet: FleetCluster[] = Array.from({ length: count }, (_, index) => ({
    name: `c${index + 1}`,
    labels: { ring: index === 0 ? 'canary' : 'rest' },
  }));
  const spec: ReleaseSpec = {
    service: 'component:default/checkout',
    targetVersion: '2.0.0',
    strategy: drawStrategy(random),
    placement: {
      kind: 'rule',
      name: 'all',
      select: {},
      namespace: NAMESPACE,
      groups: [
        { name: 'canary', match: { matchLabels: { ring: 'canary' } } },
        { name: 'rest', match: {} },
      ],
      ungrouped: 'refuse',
    },
    policy: drawPolicy(random),
    rollbackOn: ['HealthFailed', 'MetricFailed', 'Timeout'],
    pruneAlso: [],
  };
  return {
    plan: compileAll(spec, fleet),
    clusterNames: fleet.map(({ name }) => name),
    bad: drawBad(random, fleet),
  };
}

function drawStrategy(random: Random): StrategySpec {
  const pause = { milliseconds: random.between(0, 3) * MINUTE };
  return random.pick<StrategySpec>([
    {
      type: 'RollingUpdate',
      mode: 'Parallel',
      batches: { by: 'groups' },
      stabilizeMilliseconds: 0,
    },
    {
      type: 'RollingUpdate',
      mode: 'Serial',
      batches: { by: 'groups' },
      stabilizeMilliseconds: MINUTE,
    },
    {
      type: 'RollingUpdate',
      mode: 'Batched',
      batches: { by: 'shares', percents: [30, 60, 100] },
      stabilizeMilliseconds: MINUTE,
    },
    { type: 'Canary', steps: [{ group: 'canary', pause }, { group: 'rest' }] },
    { type: 'Canary', steps: [{ group: 'canary', pause: 'promotion' }] },
    {
      type: 'Canary',
      steps: [
        { sharePercent: 10, pause },
        { sharePercent: 50, pause: 'promotion' },
        { sharePercent: 100 },
      ],
    },
  ]);
}

function drawPolicy(random: Random): PolicySpec {
  return {
    order: { by: 'groups' },
    maxConcurrency: random.pick([undefined, { count: 1 }, { count: 2 }, { percent: 50 }]),
    timeoutMilliseconds: 5 * MINUTE,
    retries: random.between(0, 1),
    maxFailures: random.between(0, 1),
    onFailure: random.pick([
      'RollbackTouched',
      'RollbackStage',
      'RollbackFailedOnly',
      'Pause',
      'Continue',
    ]),
    onNewer: 'Queue',
    offline: { policy: random.pick(['Wait', 'Skip', 'Fail']), afterMilliseconds: 2 * MINUTE },
    prune: true,
  };
}

function drawBad(random: Random, fleet: FleetCluster[]): Map<string, Set<string>> {
  const everywhere = random.chance(0.15);
  const share = random.chance(0.3) ? 0.4 : 0;
  const crashes = fleet.map(({ name }) => [name, everywhere || random.chance(share)] as const);
  return new Map(
    crashes.map(([name, bad]) => [name, new Set(bad ? [contentOf(name, '2.0.0').digest] : [])]),
  );
}

export function contentOf(cluster: string, version: string): ContentRef {
  return { digest: `${version}@${cluster}`, version };
}

export function keyOf(cluster: string): string {
  return targetKey({ cluster, namespace: NAMESPACE });
}

function compileAll(spec: ReleaseSpec, fleet: FleetCluster[]): Plan {
  const of = (version: string) =>
    new Map(fleet.map(({ name }) => [keyOf(name), contentOf(name, version)]));
  const selection = selectTargets(spec.placement, fleet);
  const { plan, findings } = compile({
    spec,
    selection,
    contents: of('2.0.0'),
    current: of('1.0.0'),
    sha256,
  });
  if (!plan) {
    throw new Error(`the scenario does not compile: ${JSON.stringify(findings)}`);
  }
  return plan;
}
