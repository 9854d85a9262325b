import { cycleFrom, placeWithout, type RunningThere } from './dependencies';
import type { Dependency } from './types';

const CONFIG = 'component:default/config';
const needs = (on: Dependency['on'], version?: string): Dependency => ({
  service: CONFIG,
  on,
  ...(version && { version }),
});
/** `a1.4.0 b`: cluster and version. */
const running = (text: string): RunningThere[] =>
  text.split(' ').flatMap(one => {
    const version = one.slice(1);
    return one ? [{ cluster: one[0], ...(version && { version }) }] : [];
  });

describe('placeWithout', () => {
  it.each<[string, Dependency, string, string | undefined]>([
    ['it runs on the same cluster', needs('same', '>=1.4'), 'a1.4.0', undefined],
    ['it runs there in any version', needs('same'), 'avanilla', undefined],
    ['it runs elsewhere', needs('same'), 'b1.4.0', 'a'],
    ['it is too old', needs('same', '>=1.4'), 'a1.3.9', 'a'],
    ['a version that is no SemVer satisfies no range', needs('same', '>=1.4'), 'avanilla', 'a'],
    ['a release candidate counts as newer', needs('same', '>=1.4'), 'a1.5.0-rc.1', undefined],
    ['its first release has not ended', needs('same'), 'a', 'a'],
    ['one of two namespaces is too old', needs('same', '>=1.4'), 'a1.4.0 a1.3.0', 'a'],
    ['all clusters where it runs', needs('all', '>=1.4'), 'b1.4.0 c1.5.0', undefined],
    ['not all are new enough', needs('all', '>=1.4'), 'b1.4.0 c1.3.0', 'c'],
    ['it runs nowhere', needs('all'), '', 'a'],
    ['named clusters', needs(['b']), 'b1.0.0', undefined],
    ['one of the named is without it', needs(['b', 'c']), 'b1.0.0', 'c'],
  ])('%s', (_name, dependency, there, expected) => {
    expect(placeWithout(dependency, 'a', running(there))).toBe(expected);
  });
});

describe('cycleFrom', () => {
  const graph = (edges: Record<string, string[]>) => new Map(Object.entries(edges));

  it.each<[string, Record<string, string[]>, string[] | undefined]>([
    ['none', { a: ['b'], b: ['c'] }, undefined],
    ['itself', { a: ['a'] }, ['a', 'a']],
    ['two', { a: ['b'], b: ['a'] }, ['a', 'b', 'a']],
    ['the shortest way back', { a: ['b', 'c'], b: ['d'], d: ['a'], c: ['a'] }, ['a', 'c', 'a']],
    ['a ring of others is theirs', { a: ['b'], b: ['c'], c: ['b'] }, undefined],
    ['two ways to the same service', { a: ['b', 'c'], b: ['d'], c: ['d'] }, undefined],
  ])('%s', (_name, edges, expected) => {
    expect(cycleFrom('a', graph(edges))).toEqual(expected);
  });
});
