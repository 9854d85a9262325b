import { mergeDiffs } from './mergeDiffs';

const change = (namespace: string, after: number) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  namespace,
  name: 'web',
  change: 'configured' as const,
  fields: [{ pointer: '/spec/replicas', kind: 'changed' as const, before: 1, after }],
});

it('merges equal changes, also in namespaces of different names, the largest class first', () => {
  const merged = mergeDiffs([
    { target: { cluster: 'a', namespace: 'x' }, changes: [change('x', 6)] },
    { target: { cluster: 'b', namespace: 'x' }, changes: [change('x', 2)] },
    { target: { cluster: 'c', namespace: 'y' }, changes: [change('y', 2)] },
    { target: { cluster: 'd', namespace: 'x' }, changes: [change('other', 2)] },
  ]);
  expect(merged.map(({ targets }) => targets.map(({ cluster }) => cluster))).toEqual([
    ['b', 'c'],
    ['a'],
    ['d'],
  ]);
});

it('keeps apart what creates different things', () => {
  const created = { ...change('x', 1), change: 'created' as const, fields: [] };
  const target = (cluster: string) => ({ cluster, namespace: 'x' });
  const merged = mergeDiffs([
    { target: target('a'), changes: [created], digest: 'one' },
    { target: target('b'), changes: [created], digest: 'one' },
    { target: target('c'), changes: [created], digest: 'other' },
  ]);
  expect(merged.map(({ targets }) => targets.length)).toEqual([2, 1]);
});
