import fc from 'fast-check';
import {
  documentJsonSchemas,
  notBuiltYet,
  parseDocuments,
  resolveReleaseSpec,
  type ClusterRelease,
} from '../model';
import { isRecord } from '../model/errors/path';
import { NOT_BUILT_RULES } from '../model/notBuilt/rules';
import { fromSchema, type Choose } from '../model/__testUtils__/fromSchema';
import { canonicalJson } from './canonicalJson';
import { compile, type CompileResult } from './compile';
import { selectTargets, type Selection } from './selectTargets';
import { countOf } from './shares';
import type { FleetCluster, ReleaseSpec } from './spec';
import type { ContentRef, Plan, PlanStage, PlanStep, TargetKey } from './types';

/*
 * Documents drawn from the schemas themselves, with every strategy and every mix
 * of steps, over fleets of all sizes: what is accepted compiles, or it is named
 * why not.
 */

const CLUSTERS = ['a', 'b', 'c', 'd', 'e', 'f'];
const name = fc.constantFrom(...CLUSTERS);
const gateJobs = fc.subarray(['smoke', 'load']).map(names =>
  names.map(jobName => ({
    manifest: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: jobName },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main' }] } } },
    },
  })),
);
const orders = fc.constantFrom<unknown>(
  'groups',
  'all',
  { by: 'all' },
  { by: 'priority', label: 'priority' },
  { by: 'priority', label: 'ring' },
);
const few = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  fc.uniqueArray(name, { maxLength: 3 }),
);
const range = fc.constantFrom('>=1.30', '1.x');
const labels = fc.dictionary(fc.constantFrom('env', 'ring'), fc.constantFrom('canary', 'gray'), {
  maxKeys: 1,
});

/** Texts that have a form which a schema cannot say. */
const TEXTS: [RegExp, fc.Arbitrary<unknown>][] = [
  [/\.cron$/, fc.constantFrom('0 9 * * 1-5', '*/15 * * * *', '0 18 1,15 jan-mar *')],
  [/\.timeZone$/, fc.constantFrom('UTC', 'Asia/Shanghai', 'Europe/London')],
  [/\.(duration|expires|timeout)$/, fc.constantFrom('45s', '10m', '1h30m')],
  [/steps\.\*\.jobs$/, gateJobs],
  [/\.order$/, orders],
  [/\.approval\.required$/, fc.constantFrom(1, 2)],
  [/canary\.clusters$/, fc.uniqueArray(name, { minLength: 1, maxLength: 3 }).map(asNamed)],
  [/\.from\.\*$/, fc.constantFrom('group:default/sre', 'user:default/ann', 'User:default/Bob')],
  [/\.kubernetesVersion$|dependsOn\.\*\.version$/, range],
  [/\.labels$/, labels],
  [/\.service$/, fc.constantFrom('component:default/config', 'component:default/vault')],
  [/\.(select|match)\.(clusters|exclude)$/, few],
  [/\.(select|match)\.regions$/, fc.constantFrom([], ['eu'], ['eu', 'cn'])],
  [/steps\.\*\.group$/, fc.constantFrom('canary', 'gray', 'rest', 'nobody')],
  [/steps\.\*\.clusters\.\*$|\.on\.\*$/, name],
  [/\.(name|namespace|region)$/, fc.constantFrom('canary', 'gray', 'rest')],
];

function asNamed(names: string[]): object[] {
  return names.map(each => ({ name: each }));
}

/** Fields that are not built are drawn seldom: they would hide everything else. */
const unbuilt = new Set(
  Object.values(NOT_BUILT_RULES).flatMap(rules => rules.map(({ path }) => path.join('.'))),
);

function chooser(withUnbuilt: boolean): Choose {
  return path => {
    if (!withUnbuilt && unbuilt.has(path) && path !== 'spec.strategy.type') {
      return fc.constant(undefined);
    }
    return TEXTS.find(([pattern]) => pattern.test(path))?.[1];
  };
}

const schemas = documentJsonSchemas();

function schemaAt(kind: keyof typeof schemas, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (schema, key) =>
      isRecord(schema) && isRecord(schema.properties) ? schema.properties[key] : {},
    schemas[kind],
  );
}

function drawn(kind: keyof typeof schemas, path: string[], withUnbuilt: boolean) {
  return fromSchema(schemaAt(kind, ...path), chooser(withUnbuilt), path.join('.'));
}

/** Blocks go with their type, a step takes one way to choose, shares grow: the rest is as drawn. */
function strategies(withUnbuilt: boolean): fc.Arbitrary<object> {
  const block = (key: string) => drawn('ClusterRelease', ['spec', 'strategy', key], withUnbuilt);
  return fc.oneof(
    block('canary').map(canary => ({ type: 'Canary', canary: sensible(canary as Canary) })),
    block('rollingUpdate').map(rollingUpdate => ({
      type: 'RollingUpdate',
      rollingUpdate: fitting(rollingUpdate as Rolling),
    })),
    ...(withUnbuilt
      ? [block('blueGreen').map(blueGreen => ({ type: 'BlueGreen', blueGreen }))]
      : []),
  );
}

interface Canary {
  clusters?: object[];
  steps: Record<string, unknown>[];
}

function sensible({ clusters, steps }: Canary): Canary {
  let reached = 0;
  const chosen = steps.map(step => {
    const { group, clusters: named, share, ...rest } = step;
    if (clusters) {
      return rest;
    }
    reached = Math.max(reached, parseInt(String(share ?? '0'), 10));
    return { ...rest, ...oneOf({ group, clusters: named, share: share && `${reached}%` }) };
  });
  return clusters ? { clusters, steps: chosen } : { steps: chosen };
}

function oneOf(choices: Record<string, unknown>): object {
  const given = Object.entries(choices).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.slice(0, 1));
}

interface Rolling {
  mode: string;
  batches?: unknown;
}

function fitting({ batches = 'groups', ...rest }: Rolling): object {
  if (rest.mode !== 'Batched') {
    return rest;
  }
  const shares = Array.isArray(batches) ? batches.map(share => parseInt(String(share), 10)) : [];
  const growing = [...shares.sort((a, b) => a - b), 100].map(share => `${share}%`);
  return { ...rest, batches: Array.isArray(batches) ? growing : batches };
}

/** Groups have names of their own. */
function grouped(placement: unknown): unknown {
  const { groups = [], ...rest } = placement as { groups?: { name: string }[] };
  return { ...rest, groups: [...new Map(groups.map(group => [group.name, group])).values()] };
}

const fleets: fc.Arbitrary<FleetCluster[]> = fc
  .oneof(fc.subarray(CLUSTERS), { weight: 3, arbitrary: fc.constant(CLUSTERS) })
  .chain(names =>
    fc.tuple(
      ...names.map(cluster =>
        fc.record({
          name: fc.constant(cluster),
          labels: fc.record(
            {
              env: fc.constantFrom('canary', 'gray'),
              ring: fc.constantFrom('canary', 'gray'),
              priority: fc.constantFrom('1', '2', 'high', '1.5'),
            },
            { requiredKeys: [] },
          ),
          region: fc.constantFrom('eu', 'cn', undefined),
          kubernetesVersion: fc.constantFrom('v1.30.1', 'v1.29.0', undefined),
        }),
      ),
    ),
  );

interface Drawn {
  text: string;
  fleet: FleetCluster[];
}

const HEADER = { apiVersion: 'multicluster-release.io/v1', metadata: { name: 'drawn' } };

function worlds(withUnbuilt: boolean): fc.Arbitrary<Drawn> {
  const listed = fc
    .uniqueArray(name, { minLength: 1 })
    .map(names => ({ clusters: names.map(each => ({ name: each, namespace: 'production' })) }));
  return fc
    .record({
      strategy: strategies(withUnbuilt),
      policy: fc.option(drawn('ClusterRelease', ['spec', 'policy'], withUnbuilt), { nil: {} }),
      place: fc.oneof(fc.constant({ placement: 'drawn' }), listed),
      placement: drawn('PlacementRule', ['spec'], withUnbuilt).map(grouped),
      dependsOn: fc.option(drawn('ResourceTemplate', ['spec', 'dependsOn'], withUnbuilt), {
        nil: undefined,
      }),
      fleet: fleets,
    })
    .map(({ strategy, policy, place, placement, dependsOn, fleet }) => ({
      fleet,
      text: [
        {
          ...HEADER,
          kind: 'ClusterRelease',
          spec: {
            targetVersion: '2.0.0',
            ...place,
            policy: isRecord(policy) ? policy : {},
            strategy,
          },
        },
        { ...HEADER, kind: 'PlacementRule', spec: placement },
        {
          ...HEADER,
          kind: 'ResourceTemplate',
          spec: { source: { manifests: { inline: [] } }, dependsOn },
        },
      ]
        .map(document => JSON.stringify(document))
        .join('\n---\n'),
    }));
}

/** How far a text came, with what is known there. */
type Ended =
  | { at: 'refused'; reasons: string[] }
  | { at: 'compiled'; spec: ReleaseSpec; selection: Selection; result: CompileResult };

const words = (text: string) => Buffer.from(text).toString('hex');

function run({ text, fleet }: Drawn): Ended {
  const { documents, errors } = parseDocuments(text);
  if (errors.length > 0) {
    return { at: 'refused', reasons: errors.map(({ path, message }) => `${path}: ${message}`) };
  }
  const unfit = notBuiltYet(documents);
  if (unfit.length > 0) {
    return { at: 'refused', reasons: unfit.map(({ message }) => message) };
  }
  const all = documents.map(({ document }) => document);
  const release = all.find(
    (document): document is ClusterRelease => document.kind === 'ClusterRelease',
  );
  const resolved =
    release &&
    resolveReleaseSpec({
      service: 'component:default/checkout',
      release,
      documents: all,
      sharedPolicies: [],
      sharedPlacements: [],
    });
  if (!resolved || 'errors' in resolved) {
    return { at: 'refused', reasons: (resolved?.errors ?? []).map(({ message }) => message) };
  }
  const { spec } = resolved;
  const selection = selectTargets(spec.placement, fleet);
  const contents = new Map<TargetKey, ContentRef>(
    selection.targets.map(({ key }) => [key, { digest: `new@${key}`, version: '2.0.0' }]),
  );
  const result = compile({ spec, selection, contents, current: new Map(), sha256: words });
  return { at: 'compiled', spec, selection, result };
}

const isApply = ({ instruction }: PlanStep) => instruction === 'apply';

/** Each in full in exactly one stage, which is the last that it comes by. */
function checkPlaces(plan: Plan, { targets }: Selection): void {
  const selected = targets.map(({ key }) => key).sort();
  const inFull = plan.stages.filter(({ steps }) => steps.some(isApply));
  expect(inFull.flatMap(stage => stage.targets).sort()).toEqual(selected);
  const last = new Map(plan.stages.flatMap(stage => stage.targets.map(key => [key, stage])));
  expect([...last.values()].every(stage => inFull.includes(stage))).toBe(true);
  expect(plan.targets.map(({ key }) => key).sort()).toEqual(selected);
}

/** After each share at least so many clusters are reached. */
function checkShares(plan: Plan, { strategy }: ReleaseSpec): void {
  if (strategy.type !== 'Canary') {
    return;
  }
  const reached = new Set<TargetKey>();
  for (const [index, step] of strategy.steps.entries()) {
    plan.stages[index].targets.forEach(key => reached.add(key));
    if (step.sharePercent !== undefined) {
      expect(reached.size).toBeGreaterThanOrEqual(
        countOf({ percent: step.sharePercent }, plan.targets.length),
      );
    }
  }
}

const ORDER = ['check', 'weight', 'apply', 'wait healthy', 'analyse', 'remove', 'wait soak'];

/** Of each stage: numbered steps, targets walk one track in one order, and nobody is asked for nothing. */
function checkStage(stage: PlanStage): void {
  const { index, steps, targets, concurrency } = stage;
  expect(steps.map(({ id }) => id)).toEqual(steps.map((_, position) => `${index}.${position}`));
  const track = steps
    .filter(({ scope }) => scope === 'target')
    .map(({ instruction, wait }) => (wait ? `${instruction} ${wait.for}` : instruction));
  expect(track).toEqual(ORDER.filter(word => track.includes(word)));
  if (targets.length === 0) {
    expect({ track, concurrency }).toEqual({ track: [], concurrency: 0 });
  } else {
    const bring = track.includes('weight') ? 'weight' : 'apply';
    expect(track.slice(0, 3)).toEqual(['check', bring, 'wait healthy']);
    expect(concurrency).toBeGreaterThanOrEqual(1);
    expect(concurrency).toBeLessThanOrEqual(targets.length);
  }
  for (const { instruction, approve, jobs, when } of steps) {
    expect([approve !== undefined, jobs !== undefined, when !== undefined]).toEqual([
      instruction === 'approve',
      instruction === 'analyse',
      instruction === 'approve',
    ]);
  }
}

describe('any document', () => {
  function check(withUnbuilt: boolean): { compiled: number; refused: number; named: number } {
    const counts = { compiled: 0, refused: 0, named: 0 };
    fc.assert(
      fc.property(worlds(withUnbuilt), world => {
        const ended = run(world);
        if (ended.at === 'refused') {
          counts.refused += 1;
          expect(ended.reasons.length).toBeGreaterThan(0);
          return;
        }
        const { result, selection, spec } = ended;
        if (!result.plan) {
          counts.named += 1;
          const errors = result.findings.filter(({ severity }) => severity === 'error');
          expect(errors.every(({ message }) => message.length > 0)).toBe(true);
          expect(errors.length).toBeGreaterThan(0);
          return;
        }
        counts.compiled += 1;
        checkPlaces(result.plan, selection);
        checkShares(result.plan, spec);
        result.plan.stages.forEach(checkStage);
        expect(canonicalJson(run(world))).toBe(canonicalJson(ended));
      }),
      { numRuns: 800 },
    );
    return counts;
  }

  it('that is accepted compiles, or it is named why not', () => {
    const { compiled, named } = check(false);
    // So that nothing here passes because nothing was drawn.
    expect(compiled).toBeGreaterThan(150);
    expect(named).toBeGreaterThan(50);
  });

  it('that asks for what is not built is refused by name', () => {
    expect(check(true).refused).toBeGreaterThan(200);
  });

  it('gives the same plan in whatever order its keys stand', () => {
    fc.assert(
      fc.property(worlds(false), world => {
        const turned = world.text
          .split('\n---\n')
          .map(text => JSON.stringify(withKeysTurned(JSON.parse(text))))
          .join('\n---\n');
        const [one, other] = [run(world), run({ ...world, text: turned })];
        fc.pre(one.at === 'compiled');
        expect(other).toEqual(one);
      }),
      { numRuns: 100 },
    );
  });
});

function withKeysTurned(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withKeysTurned);
  }
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value)
          .map(([key, member]) => [key, withKeysTurned(member)])
          .reverse(),
      )
    : value;
}
