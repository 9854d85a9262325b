/* How a release of a simulated world goes from cluster to cluster, and by which rules; drawn at random. */
import type {
  ApprovalSpec,
  BatchesSpec,
  CanaryStepSpec,
  Dependency,
  Pause,
  PolicySpec,
  StrategySpec,
  WeightRule,
} from 'backstage-plugin-multicluster-release-common';
import { AUDIT, CHECKOUT, MACHINE, SRE } from './persons';
import type { Random } from './random';
import { DEPENDENCY } from './SimulatedControls';
import { windowEach } from './windows';

const MINUTE = 60_000;

export function drawStrategy(random: Random): StrategySpec {
  const pause = { milliseconds: random.between(0, 2) * MINUTE };
  const steps = [...plainSteps(pause), ...gatedSteps(random, pause)];
  return random.pick<StrategySpec>([
    rolling('Parallel', { by: 'groups' }, 0),
    rolling('Serial', { by: 'groups' }, MINUTE),
    rolling('Batched', { by: 'shares', percents: [30, 60, 100] }, MINUTE),
    ...steps.map(each => ({ type: 'Canary' as const, steps: each })),
  ]);
}

export function rolling(
  mode: 'Parallel' | 'Serial' | 'Batched',
  batches: BatchesSpec,
  stabilizeMilliseconds: number,
): StrategySpec {
  return { type: 'RollingUpdate', mode, batches, stabilizeMilliseconds };
}

function plainSteps(pause: Pause): CanaryStepSpec[][] {
  return [
    [{ group: 'canary', pause }, { group: 'rest' }],
    [{ group: 'canary', pause: 'promotion' }],
    [{ sharePercent: 10, pause }, { sharePercent: 50, pause: 'promotion' }, { sharePercent: 100 }],
    [
      { sharePercent: 100, weight: weightOf(10), pause },
      { weight: weightOf(50), pause: 'promotion' },
      { weight: weightOf(100), pause },
    ],
  ];
}

/** With people or Jobs that have to agree. */
function gatedSteps(random: Random, pause: Pause): CanaryStepSpec[][] {
  return [
    [{ group: 'canary', approval: drawApproval(random) }],
    [{ group: 'canary', jobs: [SMOKE_TEST], pause }, { group: 'rest' }],
    [
      { group: 'canary', weight: weightOf(25), pause },
      { group: 'canary', jobs: [SMOKE_TEST] },
      { sharePercent: 100 },
    ],
    [
      { group: 'canary', stabilizeMilliseconds: MINUTE, approval: drawApproval(random) },
      { sharePercent: 60, pause },
      { sharePercent: 100, approval: drawApproval(random) },
    ],
  ];
}

function weightOf(percent: number): WeightRule {
  return { percent, approximate: true };
}

const SMOKE_TEST = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'smoke-test' } };

function drawApproval(random: Random): ApprovalSpec {
  return {
    required: random.between(1, 2),
    from: [],
    selfApproval: random.chance(0.5),
    when: random.pick(['before', 'after'] as const),
    ...(random.chance(0.3) && { expiresMilliseconds: 4 * MINUTE }),
  };
}

function drawDependency(random: Random): Dependency {
  const { service, range: version } = DEPENDENCY;
  return { service, version, on: random.pick(['same', 'all'] as const) };
}

export function drawPolicy(random: Random): PolicySpec {
  return {
    order: { by: 'groups' },
    maxConcurrency: random.pick([undefined, { count: 1 }, { count: 2 }, { percent: 50 }]),
    timeoutMilliseconds: 5 * MINUTE,
    retries: random.pick([0, 0, 1]),
    maxFailures: random.pick([0, 0, 1]),
    onFailure: random.pick([
      'RollbackTouched',
      'RollbackTouched',
      'RollbackStage',
      'RollbackFailedOnly',
      'Pause',
      'Continue',
    ]),
    onNewer: random.pick(['Queue', 'Queue', 'Supersede'] as const),
    offline: { policy: random.pick(['Wait', 'Skip', 'Fail']), afterMilliseconds: 2 * MINUTE },
    prune: true,
    ...(random.chance(0.1) && { maxUnavailable: { count: 1 } }),
    ...(random.chance(0.08) && { dependsOn: [drawDependency(random)] }),
    ...(random.chance(0.08) && { windows: [windowEach('allow', 6, 2)] }),
  };
}

/** Whom an approval may be asked of, and how many of them there are besides who starts. */
const LISTS: [from: string[], people: number][] = [
  [[SRE], 2],
  [['user:default/bob', AUDIT], 2],
  [['user:default/eve', SRE], 2],
  [[AUDIT], 1],
  [[MACHINE], 1],
  [[MACHINE, CHECKOUT, 'user:default/bob'], 2],
];

/** The same question to one of the lists, which can answer it. */
export function askedOf(random: Random, approval: ApprovalSpec): ApprovalSpec {
  const [from, people] = random.pick(LISTS);
  return { ...approval, from, required: Math.min(approval.required, people) };
}
