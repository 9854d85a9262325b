import type { ReleaseRun, TargetRun } from '../../../decide/types';
import type { Refusal } from '../../errors';
import type { Order } from '../changes';
import { isChosen } from '../chosen';
import { risksHash } from '../risks';

/**
 * Goes on with what has changed since the preview: with a plan by its hash, and
 * with risks as far as the order says which ones were seen. Nothing that came
 * after a person looked is ever accepted unseen.
 */
export function accept(run: ReleaseRun, order: Order): Refusal | 'nothing' | undefined {
  const { request } = order;
  const blocked = run.targets.filter(target => target.changedRisks !== undefined);
  const saysRisks = request.targets !== undefined || request.risksHash !== undefined;
  const chosen = saysRisks ? blocked.filter(target => isChosen(target, request)) : [];
  const refusal = notSeen(run, order) ?? (saysRisks ? undefined : notSaid(run, blocked, order));
  if (refusal) {
    return refusal;
  }
  const takesPlan = run.planChanged !== undefined && order.request.planHash !== undefined;
  if (!takesPlan && chosen.length === 0) {
    return 'nothing';
  }
  if (takesPlan) {
    run.planChanged = undefined;
  }
  chosen.forEach(acceptRisks);
  return undefined;
}

/** Something else is there now than what was looked at. */
function notSeen(run: ReleaseRun, { request }: Order): Refusal | undefined {
  const { planChanged } = run;
  if (planChanged && request.planHash !== undefined && request.planHash !== planChanged.hash) {
    return {
      code: 'PlanChanged',
      message: 'The plan has changed again. Look at it before you accept it.',
      params: { hash: planChanged.hash },
    };
  }
  const hash = risksHash(run) ?? '';
  if (request.risksHash !== undefined && request.risksHash !== hash) {
    return {
      code: 'PlanChanged',
      message: 'More has changed since you looked. Look at the clusters again before you accept.',
      params: { risksHash: hash },
    };
  }
  return undefined;
}

function notSaid(
  { planChanged }: ReleaseRun,
  blocked: TargetRun[],
  { request }: Order,
): Refusal | undefined {
  if (planChanged !== undefined && request.planHash === undefined) {
    return {
      code: 'PlanNotNamed',
      message: `Say which plan you accept: planHash, as actions.accept.params of the release has it. Now: ${planChanged.message}.`,
    };
  }
  if (blocked.length === 0 || planChanged !== undefined) {
    return undefined;
  }
  const names = blocked.map(({ cluster }) => cluster).join(', ');
  return {
    code: 'RisksNotNamed',
    message: `Say what you accept: targets with the clusters that you mean, or risksHash as actions.accept.params of the release has it. Blocked now: ${names}.`,
  };
}

function acceptRisks(target: TargetRun): void {
  target.acceptedRisks = [
    ...new Set([...target.acceptedRisks, ...(target.changedRisks?.risks ?? [])]),
  ];
  target.changedRisks = undefined;
}
