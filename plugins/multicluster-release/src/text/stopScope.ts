import type { Reach, StopScope } from 'backstage-plugin-multicluster-release-common';
import { entityName } from './names';
import type { Texts } from './Texts';

export type StopKind = 'all' | 'regions' | 'groups' | 'services' | 'clusters';

/** The scope by kind and names; `all` has none. */
export function scopeParts(scope: StopScope): { kind: StopKind; names: string[] } {
  if ('all' in scope) {
    return { kind: 'all', names: [] };
  }
  const [[kind, names]] = Object.entries(scope) as [StopKind, string[]][];
  return { kind, names };
}

/** For example `regions cn-east-1 and cn-north-1`. */
export function scopeWords(scope: StopScope, { text, list }: Texts): string {
  const { kind, names } = scopeParts(scope);
  return kind === 'all'
    ? text('stops.everything')
    : text(`stops.scope.${kind}`, { count: names.length, names: list(names.map(entityName)) });
}

/** What a person types to show that this very scope is meant. */
export function scopeToType(scope: StopScope, { text }: Texts): string {
  const { kind, names } = scopeParts(scope);
  return kind === 'all' ? text('stops.everything') : names.join(', ');
}

/** How far an order goes: `14 services, 212 clusters, …`. */
export function reachWords({ services, clusters, releases }: Reach, { text, list }: Texts): string {
  return list([
    text('stops.services', { count: services }),
    text('stops.clusters', { count: clusters }),
    text('stops.releases', { count: releases }),
  ]);
}
