import type { ApprovingViewer } from '../commands/actions/approving';

/** Who presses buttons; the first one starts the releases. */
export const PEOPLE = ['user:default/ann', 'user:default/bob', 'user:default/eve'];

/** A token of a machine, and somebody who keeps the fleet. */
export const MACHINE = 'external:pipeline';
export const PLATFORM = 'user:default/olga';

/** All who may press a button. */
export const EVERYBODY = [...PEOPLE, MACHINE, PLATFORM];

export const SRE = 'group:default/sre';
export const AUDIT = 'group:default/audit';
export const CHECKOUT = 'group:default/checkout';

/** The groups that each person is in. */
export const GROUPS: Record<string, string[]> = {
  'user:default/ann': [CHECKOUT],
  'user:default/bob': [SRE],
  'user:default/eve': [SRE, AUDIT],
};

/** As the catalog and the permissions have them. */
export function viewerOf(ref: string): ApprovingViewer {
  return {
    ref,
    memberOf: ref === MACHINE ? [] : [ref, ...(GROUPS[ref] ?? [])],
    ...(ref === MACHINE && { isService: true }),
    ...(ref === PLATFORM && { isPlatform: true }),
  };
}
