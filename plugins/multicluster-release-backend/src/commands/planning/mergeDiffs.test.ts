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
  expect(merged.map(({ targets }) => targets.map(({ cluster }) => cluster))).toEqual([['b', 'c'], ['a'], ['d']]);
});
