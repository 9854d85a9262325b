import fc from 'fast-check';
import { canonicalJson } from './canonicalJson';
import { compile } from './compile';
import { selectTargets } from './selectTargets';
import type { FleetCluster, PolicySpec, StrategySpec } from './spec';
import { FLEET, specOf } from './testing';
import type { ContentRef, Plan, TargetKey } from './types';

// Long enough for tests: equal texts give equal words, different texts different ones.
const words = (text: string) => Buffer.from(text).toString('hex');

function contents(version: string, fleet: FleetCluster[] = FLEET): Map<TargetKey, ContentRef> {
  return new Map(
    fleet.map(({ name }) => [`${name}/production`, { digest: `${version}@${name}`, version }]),
  );
}

function plan(
  strategy: StrategySpec,
  policy: Partial<PolicySpec> = {},
  current = contents('1.0.0'),
): Plan {
  const spec = specOf(strategy, policy);
  const selection = selectTargets(spec.placement, FLEET);
  const result = compile({ spec, selection, contents: contents('2.0.0'), current, sha256: words });
  if (!result.plan) {
    throw new Error(canonicalJson(result.findings));
  }
  return result.plan;
}

const shape = ({ stages }: Plan) =>
  stages.map(({ name, targets, concurrency, steps }) => [
    name,
    targets.map(key => key.split('/')[0]).join(' '),
    concurrency,
    steps.map(word).join(' '),
  ]);

function word({
  wait,
  scope,
  approve,
  when,
  instruction,
  weight,
}: Plan['stages'][number]['steps'][number]) {
  if (wait) {
    return `${scope}:${wait.for}`;
  }
  if (instruction === 'weight') {
    return `weight:${weight?.percent}`;
  }
  return approve ? `${instruction}:${when}` : instruction;
}

const AFTER = {
  required: 2,
  from: ['group:default/sre'],
  selfApproval: false,
  when: 'after' as const,
};
const BEFORE = { required: 1, from: [], selfApproval: false, when: 'before' as const };
const TRACK = 'check apply target:healthy remove';
const weightOf = (percent: number) => ({ percent, approximate: false });
const partly = (percent: number) => `check weight:${percent} target:healthy`;
const rolling = (mode: 'Parallel' | 'Serial' | 'Batched', more: object = {}): StrategySpec => ({
  type: 'RollingUpdate',
  mode,
  batches: { by: 'groups' },
  stabilizeMilliseconds: 0,
  ...more,
});

describe('compile', () => {
  it.each<[string, StrategySpec, Partial<PolicySpec>, unknown[]]>([
    ['Parallel: all at once', rolling('Parallel'), {}, [['all clusters', 'a b c d', 4, TRACK]]],
    [
      'Parallel within the concurrency of the policy',
      rolling('Parallel'),
      { maxConcurrency: { percent: 30 } },
      [['all clusters', 'a b c d', 1, TRACK]],
    ],
    [
      'Serial: one by one, each with its soak',
      rolling('Serial', { stabilizeMilliseconds: 5 }),
      {},
      [['one by one', 'a b c d', 1, `${TRACK} target:soak`]],
    ],
    [
      'Serial by priority, lower first, unlabelled last',
      rolling('Serial'),
      { order: { by: 'priority', label: 'priority' } },
      [['one by one', 'c b a d', 1, TRACK]],
    ],
    [
      'Batched by groups, with a wait between',
      rolling('Batched', { stabilizeMilliseconds: 5 }),
      {},
      [
        ['canary', 'a', 1, `${TRACK} stage:soak`],
        ['gray', 'b', 1, `${TRACK} stage:soak`],
        ['production', 'c d', 2, `${TRACK} stage:soak`],
      ],
    ],
    [
      'Batched by size',
      rolling('Batched', { batches: { by: 'size', size: { count: 3 } } }),
      {},
      [
        ['batch 1', 'a b c', 3, TRACK],
        ['batch 2', 'd', 1, TRACK],
      ],
    ],
    [
      'a batch size of 0 holds until a person promotes',
      rolling('Batched', { batches: { by: 'size', size: { count: 0 } } }),
      {},
      [
        ['held', '', 0, 'stage:promotion'],
        ['batch 1', 'a b c d', 1, TRACK],
      ],
    ],
    [
      'Canary by groups; the rest joins at the promotion with the last pause as stabilize',
      {
        type: 'Canary',
        steps: [
          { group: 'canary', pause: { milliseconds: 7 } },
          { group: 'gray', pause: 'promotion' },
        ],
      },
      {},
      [
        ['canary', 'a', 1, `${TRACK} stage:soak`],
        ['gray', 'b', 1, `${TRACK} stage:promotion`],
        ['promotion', 'c d', 1, `${TRACK} target:soak`],
      ],
    ],
    [
      'Canary by shares, cumulative',
      {
        type: 'Canary',
        steps: [{ sharePercent: 10 }, { sharePercent: 30 }, { sharePercent: 100 }],
      },
      {},
      [
        ['10%', 'a', 1, TRACK],
        ['30%', '', 0, ''],
        ['100%', 'b c d', 3, TRACK],
      ],
    ],
    [
      'Canary by named clusters, and a step that watches all earlier ones',
      { type: 'Canary', steps: [{ clusters: ['c'] }, { pause: { milliseconds: 1 } }] },
      {},
      [
        ['c', 'c', 1, TRACK],
        ['step 2', '', 0, 'stage:soak'],
        ['promotion', 'a b d', 1, `${TRACK} target:soak`],
      ],
    ],
    [
      'every kind of step in one canary, in any order',
      {
        type: 'Canary',
        steps: [
          { group: 'gray', jobs: [{ kind: 'Job' }], stabilizeMilliseconds: 3, approval: AFTER },
          { approval: BEFORE, pause: 'promotion' },
          { sharePercent: 50, pause: { milliseconds: 2 } },
          { clusters: ['b', 'd'], approval: BEFORE },
          { group: 'gray', approval: AFTER },
        ],
      },
      { prune: false },
      [
        ['gray', 'b', 1, 'check apply target:healthy analyse remove target:soak approve:after'],
        ['step 2', '', 0, 'approve:before stage:promotion'],
        ['50%', 'a', 1, 'check apply target:healthy stage:soak'],
        ['b, d', 'd', 1, 'approve:before check apply target:healthy'],
        ['gray', '', 0, 'approve:after'],
        ['promotion', 'c', 1, 'check apply target:healthy target:soak'],
      ],
    ],
    [
      'weights first, then the same clusters in full; what is at a weight only is promoted',
      {
        type: 'Canary',
        steps: [
          { group: 'canary', weight: weightOf(10), jobs: [{}], stabilizeMilliseconds: 3 },
          { group: 'gray', weight: weightOf(20) },
          { group: 'canary', pause: { milliseconds: 2 } },
        ],
      },
      { prune: false },
      [
        ['canary (weight 10)', 'a', 1, `${partly(10)} analyse target:soak`],
        ['gray (weight 20)', 'b', 1, partly(20)],
        ['canary', 'a', 1, `${TRACK} stage:soak`],
        ['promotion', 'b c d', 1, `${TRACK} target:soak`],
      ],
    ],
    [
      'a step with nothing but a weight raises all earlier clusters, and the first brings all',
      {
        type: 'Canary',
        steps: [
          { weight: weightOf(10), pause: { milliseconds: 1 } },
          { weight: weightOf(50) },
          { weight: weightOf(100) },
        ],
      },
      {},
      [
        ['step 1 (weight 10)', 'a b c d', 4, `${partly(10)} stage:soak`],
        ['step 2 (weight 50)', 'a b c d', 4, partly(50)],
        ['step 3', 'a b c d', 4, TRACK],
      ],
    ],
    [
      'an equal weight brings nothing further, and a share leaves those that have more',
      {
        type: 'Canary',
        steps: [
          { clusters: ['a'], weight: weightOf(50) },
          { clusters: ['a'], weight: weightOf(50), pause: 'promotion' },
          { sharePercent: 50, weight: weightOf(20) },
          { sharePercent: 50 },
        ],
      },
      {},
      [
        ['a (weight 50)', 'a', 1, partly(50)],
        ['a (weight 50)', '', 0, 'stage:promotion'],
        ['50% (weight 20)', 'b', 1, partly(20)],
        ['50%', 'a b', 2, TRACK],
        ['promotion', 'c d', 1, TRACK],
      ],
    ],
    [
      'a cluster that is named twice has one place',
      { type: 'Canary', steps: [{ clusters: ['a', 'a'] }, { clusters: ['a', 'b'] }] },
      {},
      [
        ['a, a', 'a', 1, TRACK],
        ['a, b', 'b', 1, TRACK],
        ['promotion', 'c d', 1, TRACK],
      ],
    ],
    [
      'order all: one list by name, whatever the groups',
      rolling('Batched', { batches: { by: 'size', size: { count: 2 } } }),
      { order: { by: 'all' } },
      [
        ['batch 1', 'a b', 2, TRACK],
        ['batch 2', 'c d', 2, TRACK],
      ],
    ],
    [
      'batches by groups keep the order of the groups, and within each the order of the policy',
      rolling('Batched'),
      { order: { by: 'priority', label: 'priority' } },
      [
        ['canary', 'a', 1, TRACK],
        ['gray', 'b', 1, TRACK],
        ['production', 'c d', 2, TRACK],
      ],
    ],
    [
      'no pruning where the policy says so',
      rolling('Parallel'),
      { prune: false },
      [['all clusters', 'a b c d', 4, 'check apply target:healthy']],
    ],
  ])('%s', (_, strategy, policy, expected) => {
    expect(shape(plan(strategy, policy))).toEqual(expected);
  });

  it('skips an empty group with its gates and says so (C24)', () => {
    const spec = specOf({
      type: 'Canary',
      steps: [{ group: 'nobody', pause: 'promotion' }, { group: 'canary' }],
    });
    const { plan: compiled, findings } = compile({
      spec,
      selection: selectTargets(spec.placement, FLEET),
      contents: contents('2.0.0'),
      current: contents('1.0.0'),
      sha256: words,
    });
    expect(compiled?.stages[0].steps).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'EmptyStage', severity: 'info' }),
    );
  });

  it('does not ask for an approval before an empty stage (C24)', () => {
    const strategy: StrategySpec = {
      type: 'Canary',
      steps: [{ group: 'canary' }, { group: 'nobody', approval: BEFORE, jobs: [{}] }],
    };
    expect(plan(strategy).stages[1]).toMatchObject({ name: 'nobody', steps: [] });
  });

  it('carries who must approve, which Jobs run, and the rules of the policy', () => {
    const jobs = [
      { kind: 'Job', metadata: { name: 'smoke' } },
      { kind: 'Job', metadata: { name: 'load' }, spec: { activeDeadlineSeconds: 5 } },
    ];
    const window = {
      cron: '0 9 * * *',
      durationMilliseconds: 1,
      timeZone: 'UTC',
      kind: 'allow' as const,
    };
    const { stages, rules } = plan(
      { type: 'Canary', steps: [{ group: 'canary', jobs, approval: AFTER }] },
      {
        maxUnavailable: { percent: 50 },
        joining: 'CatchUp',
        windows: [window],
        onNewer: 'Supersede',
      },
    );
    const { when, ...approve } = AFTER;
    expect(stages[0].steps).toMatchObject([
      {},
      {},
      {},
      {
        id: '0.3',
        instruction: 'analyse',
        scope: 'target',
        // Named after the stage; the time-out of the policy is 10 m.
        jobs: [
          { metadata: { name: 'smoke-1' }, spec: { activeDeadlineSeconds: 600 } },
          { metadata: { name: 'load-1' }, spec: { activeDeadlineSeconds: 5 } },
        ],
      },
      {},
      { id: '0.5', instruction: 'approve', scope: 'stage', when, approve },
    ]);
    expect(rules).toMatchObject({
      maxUnavailable: 2,
      joining: 'CatchUp',
      windows: [window],
      onNewer: 'Supersede',
    });
  });

  it('carries what the service depends on, which changes the hash', () => {
    const dependsOn = [
      { service: 'component:default/config', version: '>=1.4', on: 'same' as const },
    ];
    const spec = { ...specOf(rolling('Parallel')), dependsOn };
    const selection = selectTargets(spec.placement, FLEET);
    const { plan: compiled } = compile({
      spec,
      selection,
      contents: contents('2.0.0'),
      current: contents('1.0.0'),
      sha256: words,
    });
    expect(compiled?.rules.dependsOn).toEqual(dependsOn);
    expect(compiled?.hash).not.toBe(plan(rolling('Parallel')).hash);
  });

  // prettier-ignore
  it.each<[string, StrategySpec, Partial<PolicySpec>, object]>([
    ['Jobs of a step that brings no cluster', { type: 'Canary', steps: [{ group: 'canary' }, { jobs: [{}] }] }, {}, { severity: 'error', code: 'StepBringsNoCluster', path: 'spec.strategy.canary.steps[1].jobs' }],
    ['a cool-down per cluster of a step that brings none', { type: 'Canary', steps: [{ group: 'canary' }, { stabilizeMilliseconds: 1 }] }, {}, { severity: 'error', code: 'StepBringsNoCluster', path: 'spec.strategy.canary.steps[1].stabilize' }],
    ['a weight that falls', { type: 'Canary', steps: [{ group: 'canary', weight: weightOf(50) }, { clusters: ['a', 'b'], weight: weightOf(20) }] }, {}, { severity: 'error', code: 'WeightFalls', cluster: 'a', params: { cluster: 'a', before: 50, weight: 20 }, path: 'spec.strategy.canary.steps[1].weight' }],
    ['a weight after the whole', { type: 'Canary', steps: [{ group: 'canary' }, { weight: weightOf(20) }] }, {}, { severity: 'error', code: 'WeightFalls', params: { cluster: 'a', before: 100, weight: 20 } }],
    ['a priority that is no number', rolling('Serial'), { order: { by: 'priority', label: 'ring' } }, { severity: 'warning', code: 'PriorityIsNoNumber', params: { label: 'ring', clusters: 'b (gray)', count: 1 } }],
    ['a bound that holds everything', rolling('Serial'), { maxUnavailable: { count: 0 } }, { severity: 'warning', code: 'NothingMayBecomeUnavailable' }],
  ])('says %s', (_name, strategy, policy, expected) => {
    const spec = specOf(strategy, policy);
    const selection = selectTargets(spec.placement, FLEET);
    const { findings } = compile({ spec, selection, contents: contents('2.0.0'), current: contents('1.0.0'), sha256: words });
    expect(findings).toContainEqual(expect.objectContaining(expected));
  });

  it('refuses a step whose cluster the placement does not select', () => {
    const strategy: StrategySpec = { type: 'Canary', steps: [{ clusters: ['z'] }] };
    expect(() => plan(strategy)).toThrow(
      'Cluster z is named in a step, but the placement does not select it.',
    );
  });

  it('marks what runs already', () => {
    const current = contents('1.0.0').set('b/production', { digest: '2.0.0@b', version: '2.0.0' });
    expect(plan(rolling('Parallel'), {}, current).targets.map(target => target.unchanged)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('brings a content again where something else was sent since and never proven, and says so in the hash', () => {
    const spec = specOf(rolling('Parallel'));
    const selection = selectTargets(spec.placement, FLEET);
    const there = contents('2.0.0');
    const [broken] = selection.targets;
    const input = { spec, selection, contents: there, current: there, sha256: words };
    const all = compile(input).plan;
    const again = compile({ ...input, unproven: new Set([broken.key]) }).plan;
    expect(all?.targets.filter(({ unchanged }) => !unchanged)).toEqual([]);
    expect(again?.targets.filter(({ unchanged }) => !unchanged).map(({ key }) => key)).toEqual([
      broken.key,
    ]);
    expect(again?.hash).not.toBe(all?.hash);
  });

  it.each<[string, Plan]>([
    ['another from-version', plan(rolling('Parallel'), {}, contents('0.9.0'))],
    ['another policy', plan(rolling('Parallel'), { retries: 1 })],
    ['another order', plan(rolling('Parallel'), { order: { by: 'priority', label: 'priority' } })],
  ])('gives another hash for %s', (_, other) => {
    expect(plan(rolling('Parallel')).hash).not.toBe(other.hash);
  });

  const count = fc.oneof(
    fc.record({ count: fc.integer({ min: 0, max: 9 }) }),
    fc.record({ percent: fc.integer({ min: 0, max: 100 }) }),
  );
  const strategies = fc.oneof(
    fc.record({
      type: fc.constant('RollingUpdate' as const),
      mode: fc.constantFrom('Parallel' as const, 'Serial' as const, 'Batched' as const),
      batches: fc.oneof(
        fc.constant({ by: 'groups' as const }),
        fc.record({ by: fc.constant('size' as const), size: count }),
        fc.record({
          by: fc.constant('shares' as const),
          percents: fc
            .array(fc.integer({ min: 1, max: 99 }), { maxLength: 3 })
            .map(list => [...list.sort((a, b) => a - b), 100]),
        }),
      ),
      stabilizeMilliseconds: fc.integer({ min: 0, max: 5 }),
    }),
    fc
      .record({
        type: fc.constant('Canary' as const),
        steps: fc.array(
          fc.oneof(
            fc.record({ group: fc.constantFrom('canary', 'gray', 'production', 'nobody') }),
            fc.record({ clusters: fc.subarray(['a', 'b', 'c', 'd'], { minLength: 1 }) }),
            fc.record({ sharePercent: fc.integer({ min: 0, max: 100 }) }, { requiredKeys: [] }),
          ),
          { maxLength: 4 },
        ),
        weights: fc.array(fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined })),
      })
      .map(({ steps, weights }) => {
        // Sorted, so that none falls; those without are in full and come last.
        const growing = weights.sort((a = 100, b = 100) => a - b);
        return {
          type: 'Canary' as const,
          steps: steps.map((step, index) => {
            const percent = growing[index];
            return percent === undefined ? step : { ...step, weight: weightOf(percent) };
          }),
        };
      }),
  );
  const brings =
    (wanted: string) =>
    ({ steps }: Plan['stages'][number]) =>
      steps.some(({ instruction }) => instruction === wanted);

  it('gives every selected cluster exactly one final place, and equal plans for equal input', () => {
    fc.assert(
      fc.property(strategies, strategy => {
        const [first, second] = [plan(strategy), plan(strategy)];
        expect(
          first.stages
            .filter(brings('apply'))
            .flatMap(({ targets }) => targets)
            .sort(),
        ).toEqual(FLEET.map(({ name }) => `${name}/production`));
        const final = new Map(
          first.stages.flatMap(stage => stage.targets.map(key => [key, stage])),
        );
        expect([...final.values()].every(brings('apply'))).toBe(true);
        expect(
          first.stages.filter(brings('weight')).filter(stage => brings('remove')(stage)),
        ).toEqual([]);
        expect(second).toEqual(first);
      }),
    );
  });
});
