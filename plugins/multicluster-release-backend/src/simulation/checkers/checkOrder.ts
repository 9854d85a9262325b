import { isFinalRelease, type ActionName } from 'backstage-plugin-multicluster-release-common';
import { actionStates } from '../../commands/actions/allowed';
import { applyOrder, type Order } from '../../commands/actions/changes';
import type { ReleaseRun } from '../../decide';
import { samePlain } from '../plainClone';
import { violation } from './violation';

/** What pages offer works, what they do not offer changes nothing, and a second time counts for nothing. */
export function checkOrder(action: ActionName, run: ReleaseRun, order: Order): void {
  if (isFinalRelease(run.state) && action === 'rollback') {
    return;
  }
  const state = actionStates(run, order.facts)[action];
  const first = applyOrder(action, run, order);
  const changed = 'run' in first && (first.events.length > 0 || !samePlain(first.run, run));
  if (!state.allowed && changed) {
    violation('what is not offered does nothing', `${action} on ${run.id}: ${state.message}`);
  }
  const { expectedStage, targets, toVersion } = order.request;
  const current = expectedStage === undefined || expectedStage === state.expectedStage;
  // A version of choice need not be on record.
  const complete = action !== 'skip-cluster' && !targets && toVersion === undefined;
  if (state.allowed && current && complete && 'refusal' in first) {
    violation('what is offered works', `${action} on ${run.id}: ${first.refusal.message}`);
  }
  if (state.expectedStage !== undefined && expectedStage !== undefined && !current && changed) {
    violation('orders are for the stage that was seen', `${action} on ${run.id}`);
  }
  if ('run' in first) {
    checkTwice(action, first.run, order);
  }
}

function checkTwice(action: ActionName, run: ReleaseRun, order: Order): void {
  if (action === 'reject') {
    // Another no is told like the first one; only what it changes must not come again.
    return;
  }
  const second = applyOrder(action, run, order);
  if ('run' in second && (second.events.length > 0 || !samePlain(second.run, run))) {
    violation('each order counts once', `${action} on ${run.id} did something again`);
  }
}
