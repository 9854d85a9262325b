import { keepOrder } from '../../hooks';
import { exampleTarget, NOW } from '../../testing';
import { axisOf, barsOf } from './axis';
import { groupsOf, matches } from './groups';
import { laneOrder } from './laneOrder';

describe('laneOrder', () => {
  it('puts failed first, then waiting, running, not started, done; the plan decides among equals', () => {
    const targets = [
      exampleTarget('done', { state: 'Done' }),
      exampleTarget('pending-2'),
      exampleTarget('pending-1'),
      exampleTarget('applying', { state: 'Applying' }),
      exampleTarget('soaking', { state: 'Soaking' }),
      exampleTarget('failed', { state: 'Failed' }),
      exampleTarget('offline', { state: 'Offline' }),
    ];
    expect(laneOrder(targets).map(key => key.split('/')[0])).toEqual([
      'failed',
      'offline',
      'applying',
      'soaking',
      'pending-2',
      'pending-1',
      'done',
    ]);
  });

  it('keeps what is on the screen where it is', () => {
    expect(keepOrder(['a', 'b', 'c'], ['c', 'd', 'a'])).toEqual(['a', 'c', 'd']);
  });
});

describe('groupsOf', () => {
  it('counts what is done apart from what had it already, and keeps the order of the plan for groups', () => {
    const targets = [
      exampleTarget('a', { group: 'canary', state: 'Done' }),
      exampleTarget('b'),
      exampleTarget('c', { state: 'Unchanged' }),
    ];
    const groups = groupsOf(targets, ['c/production', 'b/production', 'a/production']);
    expect(groups.map(({ name, done, unchanged }) => [name, done, unchanged])).toEqual([
      ['canary', 1, 0],
      ['production', 0, 1],
    ]);
    expect(groups[1].targets.map(({ cluster }) => cluster)).toEqual(['c', 'b']);
  });

  it.each<[query: string, found: boolean]>([
    ['CLUSTER-a', true],
    ['cn-east', true],
    ['env=prod', true],
    ['cluster-b', false],
  ])('finds %s: %s', (query, found) => {
    expect(matches(exampleTarget('cluster-a'), query)).toBe(found);
  });
});

describe('axis', () => {
  const phases = [
    { name: 'apply' as const, from: NOW - 100_000, to: NOW - 75_000 },
    { name: 'ready' as const, from: NOW - 75_000 },
  ];

  it('reaches to now while something runs, and bars lie on it by their share', () => {
    const axis = axisOf([exampleTarget('a', { phases })], NOW, true);
    expect(axis).toEqual({ from: NOW - 100_000, to: NOW });
    expect(axis && barsOf(phases, axis)).toEqual([
      { name: 'apply', left: 0, width: 25 },
      { name: 'ready', left: 25, width: 75 },
    ]);
  });

  it('ends with the last phase of a release that has ended', () => {
    const target = exampleTarget('a', { phases: phases.slice(0, 1) });
    expect(axisOf([target], NOW, false)).toEqual({ from: NOW - 100_000, to: NOW - 75_000 });
  });

  it('is not there before anything has happened', () => {
    expect(axisOf([exampleTarget('a')], NOW, true)).toBeUndefined();
  });
});
