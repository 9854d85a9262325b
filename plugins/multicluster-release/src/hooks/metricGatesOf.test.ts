import type { PlanStage } from 'backstage-plugin-multicluster-release-common';
import { exampleMeasuredPlan, examplePlan, exampleRule } from '../testing';
import { metricGatesOf } from './metricGatesOf';

const MINUTE = 60_000;
const RULES = [exampleRule()];

function clustersOf(...[plan]: Parameters<typeof metricGatesOf>): string[][] {
  return metricGatesOf(plan).map(({ targets }) => targets.map(({ cluster }) => cluster));
}

describe('metricGatesOf', () => {
  it('finds none where a plan measures nothing', () => {
    expect(metricGatesOf(examplePlan())).toEqual([]);
  });

  it('finds what a stage measures, on its own clusters', () => {
    expect(metricGatesOf(exampleMeasuredPlan(RULES))).toEqual([
      {
        stage: 0,
        gate: '0.4',
        rules: RULES,
        targets: [{ cluster: 'cluster-a', namespace: 'production' }],
        pauseMilliseconds: 5 * MINUTE,
      },
    ]);
  });

  it('watches the clusters of earlier stages where a stage has none', () => {
    const plan = examplePlan();
    const watching: PlanStage = {
      ...plan.stages[1],
      targets: [],
      steps: [{ id: '1.1', instruction: 'analyse', scope: 'stage', metrics: RULES }],
    };
    const stages = [plan.stages[0], watching, { ...plan.stages[1], index: 2 }];
    expect(clustersOf({ ...plan, stages })).toEqual([['cluster-a']]);
  });

  it('leaves out clusters that the release does not touch', () => {
    const plan = exampleMeasuredPlan(RULES, ['cluster-a', 'cluster-d']);
    const targets = plan.targets.map(target => ({
      ...target,
      unchanged: target.cluster === 'cluster-a',
    }));
    expect(clustersOf({ ...plan, targets })).toEqual([['cluster-d']]);
  });
});
