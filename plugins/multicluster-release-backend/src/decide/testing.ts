import {
  targetKey,
  type ApprovalRule,
  type MetricRule,
  type Plan,
  type PlanRules,
  type PlanStage,
  type PlanTarget,
} from 'backstage-plugin-multicluster-release-common';
import type {
  Effect,
  Outcome,
  Reading,
  TargetObservation,
} from 'backstage-plugin-multicluster-release-node';
import { createRun } from './createRun';
import { decide } from './decide';
import type {
  Controls,
  Decision,
  Inputs,
  Measured,
  MeasurementToWrite,
  MeasureRequest,
  ReleaseRun,
  RunEvent,
} from './types';

export const MINUTE = 60_000;
const NAMESPACE = 'production';

const RULES: PlanRules = {
  maxFailures: 0,
  onFailure: 'RollbackTouched',
  retries: 0,
  rollbackOn: ['HealthFailed', 'MetricFailed', 'Timeout'],
  offline: { policy: 'Wait', afterMilliseconds: 10 * MINUTE },
  prune: true,
  pruneAlso: [],
  onNewer: 'Queue',
};

const METRIC: MetricRule = {
  name: 'error_rate',
  provider: { kind: 'prometheus', query: 'errors' },
  unit: '%',
  limit: { max: 1 },
  intervalMilliseconds: MINUTE,
  windowMilliseconds: MINUTE,
  initialDelayMilliseconds: MINUTE,
  failureLimit: 0,
  consecutiveErrorLimit: 4,
  noData: 'hold',
};

export interface StageSketch {
  clusters: string[];
  concurrency?: number;
  soakEach?: number;
  gate?: number | 'promotion';
  before?: Partial<ApprovalRule>;
  after?: Partial<ApprovalRule>;
  jobs?: Record<string, unknown>[];
  metrics?: Partial<MetricRule>[];
  /** Only to this per cent. */
  weight?: number;
}

/** A plan in few words. */
export function planOf(stages: StageSketch[], rules: Partial<PlanRules> = {}): Plan {
  const targets = [...new Set(stages.flatMap(({ clusters }) => clusters))].map(planTarget);
  return {
    format: 1,
    number: 1,
    hash: 'sha256:test',
    kind: 'forward',
    service: 'component:default/checkout',
    targetVersion: '2.0.0',
    targets,
    stages: stages.map(planStage),
    rules: { ...RULES, ...rules },
  };
}

export const keyOf = (cluster: string) => targetKey({ cluster, namespace: NAMESPACE });

function planTarget(cluster: string): PlanTarget {
  const content = (version: string) => ({ digest: `${version}@${cluster}`, version });
  return {
    key: keyOf(cluster),
    cluster,
    namespace: NAMESPACE,
    from: content('1.0.0'),
    to: content('2.0.0'),
    unchanged: false,
  };
}

function planStage(sketch: StageSketch, index: number): PlanStage {
  const steps: Omit<PlanStage['steps'][number], 'id'>[] = [
    ...askedBy(sketch.before, 'before'),
    { instruction: 'check', scope: 'target' },
    sketch.weight === undefined
      ? { instruction: 'apply', scope: 'target' }
      : {
          instruction: 'weight',
          scope: 'target',
          weight: { percent: sketch.weight, approximate: false },
        },
    { instruction: 'wait', scope: 'target', wait: { for: 'healthy' } },
    ...(sketch.jobs
      ? [{ instruction: 'analyse', scope: 'target', jobs: sketch.jobs } as const]
      : []),
    ...(sketch.weight === undefined ? [{ instruction: 'remove', scope: 'target' } as const] : []),
  ];
  if (sketch.soakEach) {
    steps.push({
      instruction: 'wait',
      scope: 'target',
      wait: { for: 'soak', milliseconds: sketch.soakEach },
    });
  }
  if (sketch.gate === 'promotion') {
    steps.push({ instruction: 'wait', scope: 'stage', wait: { for: 'promotion' } });
  } else if (sketch.gate) {
    steps.push({
      instruction: 'wait',
      scope: 'stage',
      wait: { for: 'soak', milliseconds: sketch.gate },
    });
  }
  if (sketch.metrics) {
    const metrics = sketch.metrics.map(rule => ({ ...METRIC, ...rule }));
    steps.push({ instruction: 'analyse', scope: 'stage', metrics });
  }
  steps.push(...askedBy(sketch.after, 'after'));
  return {
    index,
    name: `stage ${index + 1}`,
    kind: 'batch',
    targets: sketch.clusters.map(keyOf),
    concurrency: sketch.concurrency ?? sketch.clusters.length,
    timeoutMilliseconds: 10 * MINUTE,
    steps: steps.map((step, position) => ({ ...step, id: `${index}.${position}` })),
  };
}

function askedBy(
  rule: Partial<ApprovalRule> | undefined,
  when: 'before' | 'after',
): Omit<PlanStage['steps'][number], 'id'>[] {
  const approve = { required: 1, from: [], selfApproval: false, ...rule };
  return rule ? [{ instruction: 'approve', scope: 'stage', when, approve }] : [];
}

type Seen = {
  health?: 'Healthy' | 'Progressing' | 'Failed';
  reachable?: boolean;
  stamp?: TargetObservation['stamp'];
  stampless?: boolean;
  pods?: number;
};

/** Plays hands and clock for decide, step by step. */
export class Bench {
  run: ReleaseRun;
  now = Date.UTC(2026, 10, 30, 12);
  ticket = 1;
  events: RunEvent[] = [];
  queue: Inputs['queue'];
  controls: Controls = { stops: [], cordons: {}, windows: [], left: [], dependencies: [] };
  effects: Effect[] = [];
  /** Readings that are due and were not answered yet. */
  due: MeasureRequest[] = [];
  measurements: MeasurementToWrite[] = [];
  decision?: Decision;
  private readonly seen = new Map<string, Seen>();
  private measured: Measured[] = [];
  private outcomes: { effect: Effect; outcome: Outcome; at: number }[] = [];

  constructor(plan: Plan) {
    const current = new Map(
      plan.targets.map(({ key, from }) => [key, { content: from, sequence: 4, inventory: [] }]),
    );
    this.run = createRun({
      id: 'r1',
      plan,
      sequence: 5,
      current,
      acceptedRisks: new Map(),
      now: this.now,
    });
  }

  /** From now on the cluster looks like this to the observer. */
  sees(cluster: string, seen: Seen): this {
    this.seen.set(keyOf(cluster), seen);
    return this;
  }

  turn(aheadMilliseconds = 0): this {
    this.now += aheadMilliseconds;
    const inputs = {
      observations: [...this.seen].map(([key, seen]) => this.observation(key, seen)),
      outcomes: this.outcomes,
      inFlight: new Map(this.effects.map(effect => [effect.key, effect.id])),
      ticket: this.ticket,
      measured: this.measured,
      measuring: new Set(this.due.map(({ id }) => id)),
      queue: this.queue,
      controls: this.controls,
    };
    const decision = decide(this.run, inputs, this.now, {
      timeScale: 1,
      freshMilliseconds: 60_000,
    });
    this.outcomes = [];
    this.measured = [];
    this.run = decision.run;
    this.decision = decision;
    this.events.push(...decision.events);
    this.compareWithTold();
    this.effects.push(...decision.effects);
    this.due.push(...decision.measure);
    this.measurements.push(...decision.measurements);
    return this;
  }

  /** Whatever a test does, the events alone must tell the states (docs/states.md). */
  private compareWithTold(): void {
    const told = new Map(
      this.events.flatMap(({ key, params }) => (params.state ? [[key, params.state]] : [])),
    );
    for (const { key, state } of this.run.targets) {
      if (told.has(key) && told.get(key) !== state) {
        throw new Error(`${key} is ${state}, and its events say ${told.get(key)}`);
      }
    }
  }

  /** Answers all readings that are due: with a value, or as said. */
  reads(reading: number | Omit<Reading, 'query'>): this {
    for (const { id, since } of this.due) {
      const said = typeof reading === 'number' ? { result: 'value', value: reading } : reading;
      this.measured.push({ id, since, at: this.now, reading: { ...said, query: 'q' } as Reading });
    }
    this.due = [];
    return this;
  }

  /** Ends all running effects: well, or as said for a cluster. */
  finish(ends: Record<string, Outcome> = {}): this {
    for (const effect of this.effects) {
      const outcome = ends[effect.target.cluster] ?? wellDone(effect);
      this.outcomes.push({ effect, outcome, at: this.now });
    }
    this.effects = [];
    return this;
  }

  /** Lets effects end and turns follow until nothing new comes. */
  settle(): this {
    this.turn();
    while (this.effects.length > 0) {
      this.finish().turn();
    }
    return this;
  }

  states(): Record<string, string> {
    return Object.fromEntries(this.run.targets.map(({ cluster, state }) => [cluster, state]));
  }

  applied(): string[] {
    return this.run.targets.filter(target => target.touched).map(({ cluster }) => cluster);
  }

  private observation(
    key: string,
    { health = 'Progressing', reachable = true, stamp, stampless, pods = 3 }: Seen,
  ): TargetObservation {
    const target = this.run.targets.find(other => other.key === key);
    const newest = { sequence: target?.sequence ?? 0, ticket: target?.ticket ?? this.ticket };
    return {
      key,
      at: this.now,
      reachable,
      clusterState: reachable ? 'ok' : 'unreachable',
      stamp: stampless ? undefined : stamp ?? newest,
      stampless,
      health: {
        state: reachable ? health : 'Unknown',
        ready: health === 'Healthy' ? pods : 0,
        total: pods,
      },
    };
  }
}

function wellDone(effect: Effect): Outcome {
  const inventory = [
    { apiVersion: 'apps/v1', kind: 'Deployment', name: 'checkout', createdByUs: true },
  ];
  switch (effect.kind) {
    case 'check':
      return { result: 'done', data: { kind: 'check', inventory } };
    case 'apply':
      return {
        result: 'done',
        data: { kind: 'apply', inventory, created: 0, configured: 1, unchanged: 0 },
      };
    case 'weight': {
      const reached = effect.weight?.percent ?? 0;
      const pods = { canary: 1, stable: 3 };
      return { result: 'done', data: { kind: 'weight', inventory, pods, reached } };
    }
    case 'analyse':
      return { result: 'done', data: { kind: 'analyse', verdict: 'passed', inventory } };
    default:
      return { result: 'done' };
  }
}
