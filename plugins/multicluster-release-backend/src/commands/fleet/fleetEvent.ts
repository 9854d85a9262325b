import type { RunEvent } from '../../decide/types';
import { FLEET, type EventToWrite } from '../../store';

/** The same event as one of the fleet: the audit shows it also where no release was reached. */
export function fleetEvent(event: RunEvent, at: number, cluster?: string): EventToWrite {
  return { ...event, kind: 'fleet', service: FLEET, cluster, at };
}
