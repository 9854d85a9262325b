import {
  isFinalRelease,
  type ActionName,
  type ActionRequest,
} from 'backstage-plugin-multicluster-release-common';
import type { ReleaseRun } from '../../decide/types';
import type { HoldRecord, RunChange } from '../../store';
import type { Refusal } from '../errors';
import type { ApprovingViewer, Asker } from './approving';
import { applyOrder, type Order } from './changes';

export interface Act extends Pick<Order, 'by' | 'now' | 'request' | 'contents'> {
  action: ActionName;
  /** Who approves, rejects or lets a gate go, with their groups. */
  approver?: ApprovingViewer;
  /** Who started the release: the caller, and for whom it called. */
  starters?: Asker['starters'];
}

/** The way back of an ended release is a new release. */
export const ENDED: Refusal = { code: 'NotAllowed', message: 'The release has ended.' };

/**
 * What an order makes of a release that is locked, with the holds that it meets:
 * what is on hold comes back only where the order says so. Pure.
 */
export function changeByAct(
  run: ReleaseRun,
  holds: HoldRecord[],
  { action, by, now, request, approver, starters, contents }: Act,
): RunChange<Refusal> {
  // Asked with the release locked: one that ends meanwhile would take the order and never act on it.
  if (action === 'rollback' && isFinalRelease(run.state)) {
    return { refusal: ENDED };
  }
  const facts = { viewer: approver, starters };
  const applied = applyOrder(action, run, { by, now, request, facts, contents });
  const versions = broughtBack(action, request, run).filter(version =>
    holds.some(hold => hold.version === version),
  );
  if ('refusal' in applied || versions.length === 0) {
    return applied;
  }
  return request.releaseHold === true
    ? { ...applied, liftHolds: { versions, by, reason: request.reason } }
    : { refusal: onHold(versions[0], holds) };
}

/** Versions that an order brings back and that a hold may stand against. */
function broughtBack(action: ActionName, request: ActionRequest, run: ReleaseRun): string[] {
  if (action === 'accept') {
    // The clusters of risks alone leave the plan as it waits.
    const { hold } = run.planChanged ?? {};
    return hold && request.planHash !== undefined ? [hold.version] : [];
  }
  return action === 'rollback' && request.toVersion !== undefined ? [request.toVersion] : [];
}

function onHold(version: string, holds: HoldRecord[]): Refusal {
  const why = holds.find(hold => hold.version === version)?.reason ?? '';
  return {
    code: 'OnHold',
    message: `${version} is on hold: ${why}. Say releaseHold to release the hold and go on.`,
    params: { version, why },
  };
}
