import { describeOnEachDatabase } from '../../__testUtils__/eachDatabase';
import { NOON, sampleRelease, SERVICE } from '../../__testUtils__/samples';
import type { PreviewedPlan } from '../../types';
import { findPreviewedPlan } from './findPreviewedPlan';
import { savePreviewedPlan } from './savePreviewedPlan';

const DAY = 24 * 60 * 60 * 1000;
const { spec, plan } = sampleRelease({ id: 'r1' });
const preview: PreviewedPlan = {
  hash: plan.hash,
  service: SERVICE,
  spec,
  plan,
  findings: [{ severity: 'warning', code: 'x', params: {}, message: 'x' }],
  diff: [
    {
      targets: [{ cluster: 'cluster-a', namespace: 'production' }],
      changes: [],
    },
  ],
  excluded: [{ cluster: 'cluster-z', rule: 'regions' }],
  risks: { 'cluster-a/production': ['remove ConfigMap production/old'] },
  createdAt: NOON,
};

describeOnEachDatabase('plans', open => {
  it('gives back a preview by its hash, to be started for 24 hours', async () => {
    const database = await open();
    await savePreviewedPlan(database, preview);
    const find = (more: { service?: string; now?: number }) =>
      findPreviewedPlan(database, { hash: plan.hash, now: NOON, ...more });
    expect(await find({})).toEqual(preview);
    expect(await find({ service: SERVICE, now: NOON + DAY - 1 })).toEqual(preview);
    expect(await find({ service: 'component:default/other' })).toBeUndefined();
    expect(await find({ now: NOON + DAY })).toBeUndefined();
    expect(await find({ now: undefined })).toEqual(preview);
  });

  it('renews a preview that is made again', async () => {
    const database = await open();
    await savePreviewedPlan(database, preview);
    await savePreviewedPlan(database, {
      ...preview,
      findings: [],
      createdAt: NOON + DAY,
    });
    const found = await findPreviewedPlan(database, {
      hash: plan.hash,
      now: NOON + DAY + 1,
    });
    expect(found?.findings).toEqual([]);
    expect(await database('previewed_plans')).toHaveLength(1);
  });
});
