import { FIELD_MANAGER } from '../names';
import { serviceLabel } from '../serviceLabel';
import { isSharedKind } from '../sharedKinds';

/** The field manager that writes an object of this kind for this service. */
export function fieldManagerOf(kind: string, service: string): string {
  return isSharedKind(kind) ? `${FIELD_MANAGER}:${serviceLabel(service)}` : FIELD_MANAGER;
}

export function isOurManager(manager: string): boolean {
  return manager.startsWith(FIELD_MANAGER);
}
