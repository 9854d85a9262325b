import type { PlanStage, Waiting } from 'backstage-plugin-multicluster-release-common';
import { forwardPlan } from '../../decide/turn';
import type { ReleaseRun } from '../../decide/types';

/** Kinds of stages that the server has named, not a document. */
const NAMED_BY_SERVER = new Set<PlanStage['kind']>(['promotion', 'rollback']);

/**
 * One cause that a release waits for. Beside the name of a stage that the server has
 * given comes `stageKind`: it may be translated. Where a document gives a stage the
 * same name, nobody can tell which one is meant, and it stays as it is. Pure.
 */
export function waitingView(run: ReleaseRun, waiting: Waiting): Waiting {
  const { stages } = forwardPlan(run);
  const [kind, ...others] = new Set(
    stages.filter(({ name }) => name === waiting.params.stage).map(stage => stage.kind),
  );
  return kind !== undefined && others.length === 0 && NAMED_BY_SERVER.has(kind)
    ? { ...waiting, params: { ...waiting.params, stageKind: kind } }
    : waiting;
}
