import { createHash } from 'crypto';
import { compile } from './compile';
import { reselect } from './reselect';
import { selectTargets } from './selectTargets';
import type { FleetCluster } from './spec';
import { FLEET, specOf } from './testing';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Clusters of the region `cn` get content of their own. */
function planned() {
  const spec = {
    ...specOf({
      type: 'RollingUpdate',
      mode: 'Parallel',
      batches: { by: 'groups' },
      stabilizeMilliseconds: 0,
    }),
    overrideMatches: [{ regions: ['cn'] }],
  };
  const selection = selectTargets(spec.placement, FLEET.slice(0, 3));
  const contents = new Map(
    selection.targets.map(({ key, fleet }) => [
      key,
      { digest: `made for ${fleet.region}`, version: '2.0.0' },
    ]),
  );
  const { plan } = compile({ spec, selection, contents, current: new Map(), sha256 });
  if (!plan) {
    throw new Error('no plan');
  }
  return { spec, plan };
}

const cluster = (name: string, region: string, labels = {}) => ({ name, region, labels });
const now = (clusters: FleetCluster[], left: string[] = []) => ({ clusters, left: new Set(left) });
const names = (targets: { cluster: string }[]) => targets.map(each => each.cluster);

describe('reselect', () => {
  it('keeps who is still there with the content that was made for it', () => {
    const { spec, plan } = planned();
    const again = reselect(spec, plan, now(FLEET.slice(0, 3)));
    expect(again.selection.targets.map(({ key }) => key)).toEqual(
      plan.targets.map(({ key }) => key),
    );
    expect([...again.contents.values()]).toEqual(plan.targets.map(({ to }) => to));
    expect(again.joined).toEqual([]);
  });

  it('gives who joined what was made for the same overrides', () => {
    const { spec, plan } = planned();
    const fleet = [...FLEET.slice(0, 3), cluster('e', 'cn'), cluster('f', 'us')];
    const { joined, contents } = reselect(spec, plan, now(fleet));
    expect(names(joined)).toEqual(['e', 'f']);
    expect(contents.get('e/production')?.digest).toBe('made for cn');
    expect(contents.get('f/production')?.digest).toBe('made for eu');
  });

  it('leaves out who joined where nothing fits, or nobody knows whether it does', () => {
    const { spec, plan } = planned();
    const fleet = [...FLEET.slice(0, 2), cluster('e', 'cn')];
    const onlyEu = { ...plan, targets: plan.targets.filter(target => target.cluster !== 'c') };
    const unfit = reselect(spec, onlyEu, now(fleet));
    expect(names(unfit.joined)).toEqual([]);
    expect(names(unfit.selection.targets)).toEqual(['a', 'b']);
    const older = reselect({ ...spec, overrideMatches: undefined }, plan, now(fleet));
    expect(names(older.joined)).toEqual([]);
    const lowered = { ...plan.targets[0], key: 'x/production', cluster: 'x' };
    const to = { digest: 'with less surge', version: '2.0.0' };
    const several = { targets: [...plan.targets, { ...lowered, to }] };
    expect(
      names(reselect(spec, several, now([...FLEET.slice(0, 3), cluster('f', 'us')])).joined),
    ).toEqual([]);
  });

  it('keeps who is only missing from one list, in its place, until it has left', () => {
    const { spec, plan } = planned();
    const [a, , c] = FLEET;
    const missing = reselect(spec, plan, now([a, c]));
    expect(missing.selection.targets.map(({ key, group }) => [key, group])).toEqual(
      plan.targets.map(({ key, group }) => [key, group]),
    );
    expect(names(reselect(spec, plan, now([a, c], ['b'])).selection.targets)).toEqual(['a', 'c']);
  });

  it('decides nothing by a Kubernetes version that is not known yet', () => {
    const { spec, plan } = planned();
    const asking = { ...spec, overrideMatches: [{ kubernetesVersion: '>=1.30' }] };
    const unseen = FLEET.slice(0, 3).map(each => ({ ...each, kubernetesVersion: undefined }));
    const again = reselect(asking, plan, now([...unseen, cluster('e', 'cn')]));
    expect(names(again.selection.targets)).toEqual(['a', 'b', 'c']);
    expect(names(again.joined)).toEqual([]);
  });

  it('drops who is not selected any more, and finds another group', () => {
    const { spec, plan } = planned();
    const [a] = FLEET;
    const again = reselect(spec, plan, now([a, cluster('b', 'eu')], ['c']));
    expect(again.selection.targets.map(({ group }) => group)).toEqual(['canary', 'production']);
  });
});
