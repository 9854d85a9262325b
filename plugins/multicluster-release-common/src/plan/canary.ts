import type { Finding } from '../status/findings';
import type { SelectedTarget } from './selectTargets';
import { countOf } from './shares';
import type { CanaryStepSpec, Pause, StrategySpec } from './spec';
import type { StageDraft } from './stages';

type Canary = Extract<StrategySpec, { type: 'Canary' }>;

/**
 * Canary by clusters: each step brings its group, named clusters or cumulative
 * share to the new version, then pauses. What is left joins at the promotion,
 * in placement order, one at a time unless the policy says more.
 */
export function canaryStages(
  strategy: Canary,
  targets: SelectedTarget[],
): { stages: StageDraft[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const reached = new Set<string>();
  const stages = strategy.steps.map((step, index) => {
    const chosen = chooseTargets(step, index, targets, findings);
    const fresh = chosen.filter(target => !reached.has(target.key));
    fresh.forEach(target => reached.add(target.key));
    return stepStage(step, index, fresh, findings);
  });
  const rest = targets.filter(target => !reached.has(target.key));
  if (rest.length > 0) {
    stages.push({
      name: 'promotion',
      kind: 'promotion',
      targets: rest,
      targetSoakMilliseconds: lastPause(strategy.steps),
      defaultConcurrency: 1,
    });
  }
  return { stages, findings };
}

function chooseTargets(
  step: CanaryStepSpec,
  index: number,
  targets: SelectedTarget[],
  findings: Finding[],
): SelectedTarget[] {
  const path = `spec.strategy.canary.steps[${index}]`;
  if (step.group !== undefined) {
    return chooseGroup(step.group, path, targets, findings);
  }
  if (step.clusters) {
    return step.clusters.flatMap(name => chooseCluster(name, path, targets, findings));
  }
  if (step.sharePercent !== undefined) {
    return targets.slice(0, countOf({ percent: step.sharePercent }, targets.length));
  }
  return [];
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
  targets: SelectedTarget[],
  findings: Finding[],
): StageDraft {
  const watchesEarlier =
    step.group === undefined && !step.clusters && step.sharePercent === undefined;
  if (targets.length === 0 && (step.clusters || step.sharePercent !== undefined)) {
    findings.push({
      severity: 'info',
      code: 'StageAlreadyReached',
      params: { stage: stepName(step, index) },
      message: `Stage ${stepName(
        step,
        index,
      )} adds no cluster to the earlier ones: it is skipped with its gates.`,
      path: `spec.strategy.canary.steps[${index}]`,
    });
  }
  return { name: stepName(step, index), kind: 'step', targets, gate: step.pause, watchesEarlier };
}

function stepName(step: CanaryStepSpec, index: number): string {
  if (step.group !== undefined) {
    return step.group;
  }
  if (step.clusters) {
    return step.clusters.join(', ');
  }
  return step.sharePercent === undefined ? `step ${index + 1}` : `${step.sharePercent}%`;
}

/** `stabilize` of the promotion defaults to the last pause that has a duration. */
function lastPause(steps: CanaryStepSpec[]): number | undefined {
  const timed = steps
    .map(step => step.pause)
    .filter(
      (pause): pause is Exclude<Pause, 'promotion'> => pause !== undefined && pause !== 'promotion',
    );
  return timed.at(-1)?.milliseconds;
}
