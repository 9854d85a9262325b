import { parseEntityRef, stringifyEntityRef } from '@backstage/catalog-model';
import { nearest } from 'backstage-plugin-multicluster-release-common';
import type { Fault } from '../errors';
import { someNames } from './someNames';

export interface NamesToCheck {
  names: string[];
  /** Of the list, for example `scope.regions`. */
  path: string;
  /** `Region`, in the fault's code and, small, in its message. */
  what: 'Cluster' | 'Region' | 'Group' | 'Service';
  known: Iterable<string>;
}

/** Each compares a name with the whole fleet. */
const MAX_HINTS = 20;

/** Names that are not known, each with the nearest one that is. */
export function unknownNames({ names, path, what, known }: NamesToCheck): Fault[] {
  const candidates = new Set(known);
  let hints = 0;
  return names.flatMap((name, index) => {
    if (candidates.has(name)) {
      return [];
    }
    hints += 1;
    const meant = hints > MAX_HINTS ? undefined : nearest(name, candidates);
    const hint = meant
      ? `Did you mean ${meant}?`
      : `Known: ${someNames([...candidates].sort()) || 'none'}.`;
    const message = `the ${what.toLowerCase()} ${JSON.stringify(name)} is not known. ${hint}`;
    return [{ code: `Unknown${what}`, path: `${path}[${index}]`, message }];
  });
}

/** Full entity refs; what is none stays as it is, and is then not known. */
export function normalServices(services: string[]): string[] {
  return services.map(service => {
    try {
      return stringifyEntityRef(
        parseEntityRef(service, { defaultKind: 'component', defaultNamespace: 'default' }),
      );
    } catch {
      return service;
    }
  });
}

/** Of these services, those that the caller finds in the catalog. */
export type FindServices = (services: string[]) => Promise<string[]>;

/** Services that neither the catalog nor our record knows. */
export async function unknownServices(
  services: string[],
  path: string,
  { recorded, find }: { recorded: string[]; find: FindServices },
): Promise<Fault[]> {
  const strangers = services.filter(service => !recorded.includes(service));
  const known = [...recorded, ...(await find(strangers))];
  return unknownNames({ names: services, path, what: 'Service', known });
}
