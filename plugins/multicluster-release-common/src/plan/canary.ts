import type { Finding } from '../status/findings';
import type { SelectedTarget } from './selectTargets';
import { countOf } from './shares';
import type { CanaryStepSpec, Pause, StrategySpec } from './spec';
import type { StageDraft } from './stages';

type Canary = Extract<StrategySpec, { type: 'Canary' }>;

/**
 * Canary by clusters: each step brings its group, named clusters or cumulative
 * share to the new version, then its gates run. What is left joins at the
 * promotion, in placement order, one at a time unless the policy says more.
 *
 * A step without clusters of its own, because it names none or only those of
 * earlier steps, still has its gates and watches the earlier ones. A step whose
 * group has no cluster, or whose share is reached, is skipped with its gates (C24).
 */
export function canaryStages(
  strategy: Canary,
  targets: SelectedTarget[],
): { stages: StageDraft[]; findings: Finding[] } {
  const findings: Finding[] = [];
  const reached = new Set<string>();
  const stages = strategy.steps.map((step, index) => {
    const chosen = chooseTargets(step, index, targets, findings);
    // A cluster that a step names twice has one place all the same.
    const fresh = [...new Set(chosen)].filter(target => !reached.has(target.key));
    fresh.forEach(target => reached.add(target.key));
    return stepStage(step, index, { chosen, fresh }, findings);
  });
  const rest = targets.filter(target => !reached.has(target.key));
  if (rest.length > 0) {
    stages.push({
      name: 'promotion',
      kind: 'promotion',
      targets: rest,
      targetSoakMilliseconds: promotionSoak(strategy.steps),
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
  { chosen, fresh }: { chosen: SelectedTarget[]; fresh: SelectedTarget[] },
  findings: Finding[],
): StageDraft {
  const name = stepName(step, index);
  const isShare = step.sharePercent !== undefined;
  const namesNone = step.group === undefined && !step.clusters && !isShare;
  const watchesEarlier =
    fresh.length === 0 && (namesNone || (chosen.length > 0 && !isShare && hasGate(step)));
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
    gate: step.pause,
    targetSoakMilliseconds: step.stabilizeMilliseconds,
    jobs: step.jobs,
    approval: step.approval,
    watchesEarlier,
  };
}

function hasGate({ pause, approval, jobs }: CanaryStepSpec): boolean {
  return pause !== undefined || approval !== undefined || jobs !== undefined;
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

function stepName(step: CanaryStepSpec, index: number): string {
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
