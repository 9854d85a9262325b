import { planHash } from './compile';
import type { ContentRef, Plan, PlanRules, PlanStage, PlanTarget, TargetRef } from './types';
import { targetKey } from './types';

export interface RollbackTarget extends TargetRef {
  group?: string;
  /** What may be there now. */
  from?: ContentRef;
  /** What was there before; undefined: nothing of ours, so what we created is removed. */
  to?: ContentRef;
}

export interface RollbackInput {
  service: string;
  /** The version that people will read as where it goes back to. */
  targetVersion: string;
  targets: RollbackTarget[];
  number: number;
  rules: PlanRules;
  /** What people read as the name of its only stage; default: `rollback`. */
  stageName?: string;
  timeoutMilliseconds: number;
  sha256: (text: string) => string;
}

/**
 * Compiles the way back from the record: every target in parallel, free of
 * concurrency (design.md 4.9), from stored content only. There is no `check`:
 * a rollback must not be held up by what changed since a preview.
 */
export function compileRollback(input: RollbackInput): Plan {
  const targets = input.targets.map(
    ({ cluster, namespace, group, from, to }): PlanTarget => ({
      key: targetKey({ cluster, namespace }),
      cluster,
      namespace,
      group,
      from,
      to,
      unchanged: false,
    }),
  );
  return {
    format: 1,
    number: input.number,
    hash: planHash({ kind: 'rollback', service: input.service }, targets, input.sha256),
    kind: 'rollback',
    service: input.service,
    targetVersion: input.targetVersion,
    targets,
    stages: [rollbackStage(targets, input)],
    rules: input.rules,
  };
}

function rollbackStage(
  targets: PlanTarget[],
  { stageName = 'rollback', timeoutMilliseconds }: RollbackInput,
): PlanStage {
  return {
    index: 0,
    name: stageName,
    kind: 'rollback',
    targets: targets.map(target => target.key),
    concurrency: targets.length,
    timeoutMilliseconds,
    steps: [
      { id: '0.0', instruction: 'apply', scope: 'target' },
      { id: '0.1', instruction: 'wait', scope: 'target', wait: { for: 'healthy' } },
      { id: '0.2', instruction: 'remove', scope: 'target' },
    ],
  };
}
