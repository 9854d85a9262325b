import { listNames } from '../errors/listNames';
import { nearest } from '../errors/nearest';

interface Named {
  kind: string;
  metadata: { name: string };
}

export type Found<D> =
  | { document: D; from: 'service' | 'shared' }
  | { message: string; suggestion?: string };

/** The service's own document of that name, else the platform's; where there is neither, the names there are. */
export function findByName<D extends Named>(
  kind: string,
  name: string,
  own: D[],
  shared: D[],
): Found<D> {
  const ownMatch = own.find(({ metadata }) => metadata.name === name);
  const sharedMatch = shared.find(({ metadata }) => metadata.name === name);
  if (ownMatch) {
    return { document: ownMatch, from: 'service' };
  }
  if (sharedMatch) {
    return { document: sharedMatch, from: 'shared' };
  }
  const names = [...new Set([...own, ...shared].map(({ metadata }) => metadata.name))].sort();
  const suggestion = nearest(name, names);
  const advice = names.length > 0 ? `there are: ${listNames(names)}` : 'there is none: add one';
  return {
    message: `names ${kind} ${name}, which does not exist; ${advice}`,
    ...(suggestion ? { suggestion } : {}),
  };
}
