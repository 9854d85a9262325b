import {
  parseDuration,
  type WindowRequest,
  type WindowSpec,
} from 'backstage-plugin-multicluster-release-common';
import { checkWindow } from '../../controls';
import type { Fault } from '../errors';
import { normalServices } from './checkNames';
import { reasonFaults } from './faults';

/** A window as it will be stored. */
export interface ReadWindow {
  spec: WindowSpec & { name: string };
  /** Undefined: all services. */
  services?: string[];
}

const MAX_NAME = 100;

/** What was sent in its one normal form, with every fault but those of names of services. */
export function readWindow(request: WindowRequest): { window: ReadWindow; faults: Fault[] } {
  const spec = {
    name: request.name.trim(),
    cron: request.cron.trim(),
    durationMilliseconds: parseDuration(request.duration) ?? 0,
    timeZone: request.timeZone ?? 'UTC',
    kind: request.kind,
  };
  const services = request.services && [...new Set(normalServices(request.services))].sort();
  return {
    window: { spec, services },
    faults: [
      ...nameFaults(spec.name),
      ...timesFaults(request, spec),
      ...reasonFaults(request.reason),
    ],
  };
}

function nameFaults(name: string): Fault[] {
  if (name.length > 0 && name.length <= MAX_NAME) {
    return [];
  }
  const message = `has ${name.length} characters; give 1 to ${MAX_NAME}`;
  return [{ code: 'InvalidWindow', path: 'name', message }];
}

function timesFaults({ duration }: WindowRequest, spec: WindowSpec): Fault[] {
  return checkWindow(spec).map(({ field, message }) =>
    field === 'durationMilliseconds'
      ? {
          code: 'InvalidWindow',
          path: 'duration',
          message: `is ${JSON.stringify(
            duration,
          )}; write a duration above zero such as 8h or 1h30m`,
        }
      : { code: 'InvalidWindow', path: field, message },
  );
}
