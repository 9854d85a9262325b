import type { Finding } from '../status/findings';
import type { SelectedTarget } from './selectTargets';
import { cumulativeBatches, equalBatches } from './shares';
import type { StrategySpec } from './spec';
import type { StageDraft } from './stages';

type Rolling = Extract<StrategySpec, { type: 'RollingUpdate' }>;

/** Rolling: all at once (Parallel), one after the other (Serial), or in batches. */
export function rollingStages(
  strategy: Rolling,
  targets: SelectedTarget[],
  groups: SelectedTarget['group'][],
): { stages: StageDraft[]; findings: Finding[] } {
  const soak = strategy.stabilizeMilliseconds;
  const gate = soak > 0 ? { milliseconds: soak } : undefined;
  if (strategy.mode === 'Serial') {
    // One stage, not one a cluster: the soak is on each target's own track.
    const serial: StageDraft = {
      name: 'one by one',
      kind: 'serial',
      targets,
      targetSoakMilliseconds: soak,
      defaultConcurrency: 1,
    };
    return { stages: [serial], findings: [] };
  }
  if (strategy.mode === 'Parallel') {
    return { stages: [{ name: 'all clusters', kind: 'all', targets, gate }], findings: [] };
  }
  return batchedStages(strategy, { targets, groups }, gate);
}

function batchedStages(
  { batches }: Rolling,
  { targets, groups }: { targets: SelectedTarget[]; groups: SelectedTarget['group'][] },
  gate: StageDraft['gate'],
): { stages: StageDraft[]; findings: Finding[] } {
  if (batches.by === 'groups') {
    const stages = groups.map(
      (group): StageDraft => ({
        name: group ?? 'all clusters',
        kind: 'batch',
        targets: targets.filter(target => target.group === group),
        gate,
      }),
    );
    return { stages, findings: [] };
  }
  const parts =
    batches.by === 'size'
      ? equalBatches(targets, batches.size)
      : cumulativeBatches(targets, batches.percents);
  if (parts.length === 0 && targets.length > 0) {
    return heldBatches(targets, gate);
  }
  const stages = parts.map(
    (part, index): StageDraft => ({
      name: `batch ${index + 1}`,
      kind: 'batch',
      targets: part,
      gate,
    }),
  );
  return { stages, findings: [] };
}

/** A size of 0 holds: nothing starts until a person promotes, then one cluster at a time. */
function heldBatches(
  targets: SelectedTarget[],
  gate: StageDraft['gate'],
): { stages: StageDraft[]; findings: Finding[] } {
  const held: StageDraft = {
    name: 'held',
    kind: 'batch',
    targets: [],
    gate: 'promotion',
    watchesEarlier: true,
  };
  const rest: StageDraft = { name: 'batch 1', kind: 'batch', targets, gate, defaultConcurrency: 1 };
  const finding: Finding = {
    severity: 'warning',
    code: 'BatchesHeld',
    params: {},
    message:
      'A batch size of 0 holds the release until a person promotes it; then it goes one cluster at a time.',
    path: 'spec.strategy.rollingUpdate.batches',
  };
  return { stages: [held, rest], findings: [finding] };
}
