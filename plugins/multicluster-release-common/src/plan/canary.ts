import type { Finding } from '../status/findings';
import type { SelectedTarget } from './selectTargets';
import { countOf } from './shares';
import type { CanaryStepSpec, Pause, StrategySpec } from './spec';
import type { StageDraft } from './stages';
import type { TargetKey } from './types';
import { fallingWeights, FULL } from './weights';

type Canary = Extract<StrategySpec, { type: 'Canary' }>;

/**
 * Canary by clusters: each step brings its group, named clusters or cumulative
 * share to the new version, in full or to a weight, then its gates run. What is
 * not yet in full is promoted at the end, in placement order, one at a time
 * unless the policy says more.
 *
 * A step without clusters of its own, because it names none or only those of
 * earlier steps, still has its gates and watches the earlier ones; with a weight
 * it raises them to it, and where there are none brings all there. A step whose
 * group has no cluster, or whose share is reached, is skipped with its gates (C24).
 */
export function canaryStages(
  strategy: Canary,
  targets: SelectedTarget[],
): { stages: StageDraft[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const reached: Reached = new Map();
  const stages = strategy.steps.map((step, index) => {
    const { percent } = step.weight ?? { percent: FULL };
    const candidates = namesNone(step) ? earlierOrAll(targets, reached) : targets;
    // A cluster that a step names twice has one place all the same.
    const chosen = [...new Set(chooseTargets(step, index, candidates, findings))];
    const fresh = chosen.filter(({ key }) => (reached.get(key) ?? 0) < percent);
    findings.push(...fallingWeights(step, stepPath(index), chosen, reached));
    const clearsHelpers = fresh.some(({ key }) => reached.has(key));
    fresh.forEach(({ key }) => reached.set(key, percent));
    return { ...stepStage(step, index, { chosen, fresh }, findings), clearsHelpers };
  });
  const rest = targets.filter(({ key }) => (reached.get(key) ?? 0) < FULL);
  if (rest.length > 0) {
    stages.push({
      name: 'promotion',
      kind: 'promotion',
      targets: rest,
      clearsHelpers: rest.some(({ key }) => reached.has(key)),
      targetSoakMilliseconds: promotionSoak(strategy.steps),
      defaultConcurrency: 1,
    });
  }
  return { stages, findings };
}

/** Per cent of its traffic that each target gets by now; none where no step has reached it. */
type Reached = Map<TargetKey, number>;

function namesNone({ group, clusters, sharePercent }: CanaryStepSpec): boolean {
  return group === undefined && !clusters && sharePercent === undefined;
}

function earlierOrAll(targets: SelectedTarget[], reached: Reached): SelectedTarget[] {
  return reached.size > 0 ? targets.filter(({ key }) => reached.has(key)) : targets;
}

function chooseTargets(
  step: CanaryStepSpec,
  index: number,
  targets: SelectedTarget[],
  findings: Finding[],
): SelectedTarget[] {
  const path = stepPath(index);
  if (step.group !== undefined) {
    return chooseGroup(step.group, path, targets, findings);
  }
  if (step.clusters) {
    return step.clusters.flatMap(name => chooseCluster(name, path, targets, findings));
  }
  if (step.sharePercent !== undefined) {
    return targets.slice(0, countOf({ percent: step.sharePercent }, targets.length));
  }
  return step.weight ? targets : [];
}

function chooseGroup(
  group: string,
  path: string,
  targets: SelectedTarget[],
  findings: Finding[],
): SelectedTarget[] {
  const members = targets.filter(target => target.group === group);
  if (members.length === 0) {
    findings.push({
      severity: 'info',
      code: 'EmptyStage',
      params: { group },
      message: `Group ${group} has no cluster: the stage is skipped with its gates.`,
      path: `${path}.group`,
    });
  }
  return members;
}

function chooseCluster(
  name: string,
  path: string,
  targets: SelectedTarget[],
  findings: Finding[],
): SelectedTarget[] {
  const members = targets.filter(target => target.cluster === name);
  if (members.length === 0) {
    findings.push({
      severity: 'error',
      code: 'ClusterNotPlaced',
      params: { cluster: name },
      message: `Cluster ${name} is named in a step, but the placement does not select it. Add it to the placement, or take it out of the step.`,
      path: `${path}.clusters`,
      cluster: name,
    });
  }
  return members;
}

function stepStage(
  step: CanaryStepSpec,
  index: number,
  { chosen, fresh }: { chosen: SelectedTarget[]; fresh: SelectedTarget[] },
  findings: Finding[],
): StageDraft {
  const name = stepName(step, index);
  const isShare = step.sharePercent !== undefined;
  const onlyWatches = namesNone(step) && !step.weight;
  const watchesEarlier =
    fresh.length === 0 && (onlyWatches || (chosen.length > 0 && !isShare && hasGate(step)));
  if (fresh.length === 0 && chosen.length > 0) {
    findings.push(addsNoCluster(name, stepPath(index), watchesEarlier));
  }
  if (watchesEarlier) {
    findings.push(...needsClusters(step, name, stepPath(index)));
  }
  return {
    name,
    kind: 'step',
    targets: fresh,
    weight: partOf(step),
    gate: step.pause,
    targetSoakMilliseconds: step.stabilizeMilliseconds,
    jobs: step.jobs,
    metrics: step.metrics,
    approval: step.approval,
    watchesEarlier,
  };
}

function hasGate({ pause, approval, jobs, metrics }: CanaryStepSpec): boolean {
  return [pause, approval, jobs, metrics].some(gate => gate !== undefined);
}

function addsNoCluster(stage: string, path: string, gatesRun: boolean): Finding {
  return {
    severity: 'info',
    code: 'StageAlreadyReached',
    params: { stage },
    message: gatesRun
      ? `Stage ${stage} adds no cluster to the earlier ones: only its gates run.`
      : `Stage ${stage} adds no cluster to the earlier ones: it is skipped with its gates.`,
    path,
  };
}

/** What runs on the clusters that a step brings cannot run where it brings none. */
function needsClusters(step: CanaryStepSpec, stage: string, path: string): Finding[] {
  const fields = [
    ...(step.jobs ? ['jobs'] : []),
    ...(step.stabilizeMilliseconds ? ['stabilize'] : []),
  ];
  return fields.map(field => ({
    severity: 'error',
    code: 'StepBringsNoCluster',
    params: { stage, field },
    message: `Stage ${stage} has ${field}, which are for the clusters that a step brings, and it brings none. Move ${field} to the step that brings them.`,
    path: `${path}.${field}`,
  }));
}

/** The weight of a step that does not bring its targets in full. */
function partOf({ weight }: CanaryStepSpec): CanaryStepSpec['weight'] {
  return weight && weight.percent < FULL ? weight : undefined;
}

function stepName(step: CanaryStepSpec, index: number): string {
  const part = partOf(step);
  const name = placeName(step, index);
  return part ? `${name} (weight ${part.percent})` : name;
}

function placeName(step: CanaryStepSpec, index: number): string {
  if (step.group !== undefined) {
    return step.group;
  }
  if (step.clusters) {
    return step.clusters.join(', ');
  }
  return step.sharePercent === undefined ? `step ${index + 1}` : `${step.sharePercent}%`;
}

function stepPath(index: number): string {
  return `spec.strategy.canary.steps[${index}]`;
}

/** The last `stabilize`, else the last pause that has a duration. */
function promotionSoak(steps: CanaryStepSpec[]): number | undefined {
  const stabilize = steps
    .map(step => step.stabilizeMilliseconds)
    .filter(milliseconds => milliseconds !== undefined);
  const timed = steps
    .map(step => step.pause)
    .filter(
      (pause): pause is Exclude<Pause, 'promotion'> => pause !== undefined && pause !== 'promotion',
    );
  return stabilize.at(-1) ?? timed.at(-1)?.milliseconds;
}
