import type {
  MetricRule,
  Plan,
  PlanStage,
  TargetRef,
} from 'backstage-plugin-multicluster-release-common';

/** What a stage measures, and where. */
export interface MetricGate {
  /** Index of the stage. */
  stage: number;
  /** Id of the step. */
  gate: string;
  rules: MetricRule[];
  /** What it may read on; who was not touched by the release is not among them. */
  targets: TargetRef[];
  /** How long the stage observes its clusters, unscaled; 0: until a person promotes, or not at all. */
  pauseMilliseconds: number;
}

/** The metric gates of a plan, in the order of its stages. */
export function metricGatesOf(plan: Plan): MetricGate[] {
  return plan.stages.flatMap(stage =>
    stage.steps.flatMap(({ id, metrics }) =>
      metrics
        ? {
            stage: stage.index,
            gate: id,
            rules: metrics,
            targets: watchedOf(plan, stage),
            pauseMilliseconds: pauseOf(stage),
          }
        : [],
    ),
  );
}

/** A stage without clusters of its own watches those of the earlier ones. */
function watchedOf({ stages, targets }: Plan, { index, targets: own }: PlanStage): TargetRef[] {
  const earlier = stages.slice(0, index).flatMap(stage => stage.targets);
  const keys = new Set(own.length > 0 ? own : earlier);
  return targets
    .filter(({ key, unchanged }) => keys.has(key) && !unchanged)
    .map(({ cluster, namespace }) => ({ cluster, namespace }));
}

function pauseOf({ steps }: PlanStage): number {
  const waits = steps.flatMap(({ scope, wait }) =>
    scope === 'stage' && wait?.for === 'soak' ? wait.milliseconds : [],
  );
  return Math.max(0, ...waits);
}
