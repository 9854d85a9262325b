import type { ContentRef, TargetState } from 'backstage-plugin-multicluster-release-common';
import { keyOf, planOf } from '../../decide/testing';
import { createRun } from '../../decide/createRun';
import type { ReleaseRun } from '../../decide/types';
import type { RunningRecord } from '../../store';
import { currentState } from '../planning/currentState';
import { wayBackTargets } from './wayBack';

const NOW = 1_800_000_000_000;
const SEQUENCE = 2;
const NEWER: ContentRef = { digest: 'newer', version: '3.0.0' };
const OLD: ContentRef = { digest: 'old', version: '1.0.0' };

/** A release on cluster-a that has ended, having written there. */
function ended(state: TargetState): ReleaseRun {
  const plan = planOf([{ clusters: ['a'] }]);
  const run = createRun({
    id: 'r',
    plan,
    sequence: SEQUENCE,
    current: new Map(),
    acceptedRisks: new Map(),
    now: NOW,
  });
  Object.assign(run.targets[0], { state, touched: true, sequence: SEQUENCE, from: OLD });
  return { ...run, state: 'Failed' };
}

/** What ran before is what was proven last; the newer content was sent with that sequence. */
function record(
  run: ReleaseRun,
  content: ContentRef,
  wantedSequence: number,
  observedSequence: number,
): RunningRecord {
  const [{ cluster, namespace }] = run.targets;
  return {
    ...{ service: run.service, cluster, namespace, wantedSequence, observedSequence },
    ...content,
    releaseId: 'r',
    inventory: [],
  };
}

describe('who goes back with a release that has ended', () => {
  it.each([
    ['failed', 'Failed', SEQUENCE],
    ['was passed over half done, because its cluster had left', 'Skipped', SEQUENCE],
  ] as const)('takes along what %s: it still bears it', (_, state, wanted) => {
    const run = ended(state);
    const running = [record(run, OLD, wanted, 1)];
    const current = currentState({ running, active: [], runs: [] });
    expect(wayBackTargets({ run, current, request: {} })).toMatchObject([
      { cluster: run.targets[0].cluster, from: OLD, to: OLD },
    ]);
  });

  it('leaves what a newer release has written to since', () => {
    const run = ended('Failed');
    const running = [record(run, NEWER, 3, 3)];
    const current = currentState({ running, active: [], runs: [] });
    expect(() => wayBackTargets({ run, current, request: {} })).toThrow('nothing to roll back');
  });

  it('leaves what a newer release has taken away', () => {
    const run = ended('Done');
    const current = currentState({ running: [], active: [], runs: [] });
    expect(() => wayBackTargets({ run, current, request: {} })).toThrow('nothing to roll back');
  });

  it('leaves what a newer release has failed with since', () => {
    const run = ended('Done');
    const running = [record(run, run.plans[0].targets[0].to ?? OLD, 3, SEQUENCE)];
    const current = currentState({ running, active: [], runs: [] });
    expect(() => wayBackTargets({ run, current, request: {} })).toThrow('nothing to roll back');
  });

  it('leaves what failed where a newer release is on its way', () => {
    const run = ended('Failed');
    const plans = run.plans.map(plan => ({
      ...plan,
      targets: plan.targets.map(target => ({ ...target, to: NEWER })),
    }));
    const newer = { ...ended('Pending'), id: 'newer', state: 'Progressing' as const, plans };
    const running = [record(run, OLD, SEQUENCE, 1)];
    const current = currentState({ running, active: [newer], runs: [newer] });
    expect(() => wayBackTargets({ run, current, request: {} })).toThrow('nothing to roll back');
  });

  it('goes to the version of choice, where that was brought', () => {
    const run = ended('Done');
    const { to } = run.plans[0].targets[0];
    const running = [record(run, to ?? OLD, SEQUENCE, SEQUENCE)];
    const current = currentState({ running, active: [], runs: [] });
    const chosen: ContentRef = { digest: 'chosen', version: '0.5.0' };
    const versions = new Map([[keyOf('a'), chosen]]);
    const request = { toVersion: '0.5.0' };
    expect(wayBackTargets({ run, current, request, versions })).toMatchObject([
      { from: to, to: chosen },
    ]);
    expect(() => wayBackTargets({ run, current, request, versions: new Map() })).toThrow(
      'version 0.5.0 is not on record',
    );
  });
});
