import type { StopScope } from 'backstage-plugin-multicluster-release-common';
import { someNames } from './someNames';

/** For events: the kind, the names, and English of both. */
export function describeScope(scope: StopScope): { kind: string; names: string; text: string } {
  if ('all' in scope) {
    return { kind: 'all', names: '', text: 'everything' };
  }
  const [[kind, list]] = Object.entries(scope);
  const names = someNames(list as string[]);
  return { kind, names, text: `${kind} ${names}` };
}
