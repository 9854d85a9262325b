import { selectTargets } from './selectTargets';
import type { ClusterSelector, PlacementSpec } from './spec';
import { FLEET, specOf } from './testing';

const rule = (
  select: ClusterSelector,
  more: Partial<Extract<PlacementSpec, { kind: 'rule' }>> = {},
) =>
  selectTargets(
    {
      ...(specOf({ type: 'Canary', steps: [] }).placement as Extract<
        PlacementSpec,
        { kind: 'rule' }
      >),
      select,
      ...more,
    },
    FLEET,
  );

const names = (selection: ReturnType<typeof selectTargets>) =>
  selection.targets.map(target => target.cluster);

describe('selectTargets', () => {
  it.each<[string, ClusterSelector, string[]]>([
    ['an empty selector selects all, in group order', {}, ['a', 'b', 'c', 'd']],
    ['an empty list is no criterion', { clusters: [], regions: [] }, ['a', 'b', 'c', 'd']],
    ['labels', { matchLabels: { env: 'staging' } }, ['a']],
    [
      'In',
      { matchExpressions: [{ key: 'priority', operator: 'In', values: ['1', '2'] }] },
      ['b', 'c'],
    ],
    [
      'NotIn also where the label is absent',
      { matchExpressions: [{ key: 'env', operator: 'NotIn', values: ['staging'] }] },
      ['b', 'c', 'd'],
    ],
    ['Exists', { matchExpressions: [{ key: 'ring', operator: 'Exists' }] }, ['b']],
    [
      'DoesNotExist',
      { matchExpressions: [{ key: 'priority', operator: 'DoesNotExist' }] },
      ['a', 'd'],
    ],
    ['regions', { regions: ['cn'] }, ['c', 'd']],
    [
      'Kubernetes versions with a suffix; unknown never satisfies',
      { kubernetesVersion: '>=1.30' },
      ['a', 'b'],
    ],
    ['named clusters', { clusters: ['c', 'a'] }, ['a', 'c']],
    ['exclusions', { exclude: ['a'] }, ['b', 'c', 'd']],
    ['all criteria together', { regions: ['eu'], exclude: ['a'] }, ['b']],
  ])('understands %s', (_, select, expected) => {
    const selection = rule(select);
    expect(names(selection)).toEqual(expected);
    expect(selection.excluded.map(({ cluster }) => cluster)).toEqual(
      FLEET.map(({ name }) => name).filter(name => !expected.includes(name)),
    );
  });

  it('says by which rule a cluster is left out', () => {
    expect(rule({ regions: ['eu'] }).excluded).toContainEqual({
      cluster: 'c',
      rule: 'region cn is not among eu',
    });
  });

  it('refuses a selected cluster that is in no group, unless it may be ignored (C24)', () => {
    const groups = [{ name: 'canary', match: { matchLabels: { env: 'staging' } } }];
    const refused = rule({}, { groups });
    expect(refused.findings).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        code: 'ClusterInNoGroup',
        params: { clusters: 'b, c, d', count: 3 },
      }),
    );
    const ignored = rule({}, { groups, ungrouped: 'ignore' });
    expect(ignored.findings).toContainEqual(
      expect.objectContaining({ severity: 'warning', code: 'ClusterInNoGroup' }),
    );
    expect(names(ignored)).toEqual(['a']);
  });

  it('never calls an empty placement a success', () => {
    expect(rule({ regions: ['moon'] }).findings).toContainEqual(
      expect.objectContaining({ severity: 'error', code: 'NothingSelected' }),
    );
  });

  it('names unknown clusters and the known ones', () => {
    const selection = selectTargets(
      {
        kind: 'list',
        clusters: [
          { name: 'x', namespace: 'n' },
          { name: 'b', namespace: 'n' },
        ],
      },
      FLEET,
    );
    expect(names(selection)).toEqual(['b']);
    expect(selection.findings[0].message).toBe(
      'Cluster x is not configured. Known clusters: a, b, c, d.',
    );
  });

  it('keeps the order of an explicit list', () => {
    const clusters = ['c', 'a'].map(name => ({ name, namespace: 'n' }));
    expect(names(selectTargets({ kind: 'list', clusters }, FLEET))).toEqual(['c', 'a']);
  });
});
