import type { Fault } from '../errors';

/** Shorter ones say nothing to who reads them later. */
const MIN_REASON = 10;

/** Orders for the fleet are read by people of other teams: each says why. */
export function reasonFaults(reason: string | undefined): Fault[] {
  const text = reason?.trim() ?? '';
  if (text.length >= MIN_REASON) {
    return [];
  }
  const message = `has ${text.length} characters; say why in at least ${MIN_REASON}, for those who have to wait`;
  return [{ code: 'InvalidReason', path: 'reason', message }];
}
