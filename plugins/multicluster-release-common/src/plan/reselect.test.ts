import { createHash } from 'crypto';
import { compile } from './compile';
import { reselect } from './reselect';
import { selectTargets } from './selectTargets';
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
const names = (targets: { cluster: string }[]) => targets.map(each => each.cluster);

describe('reselect', () => {
  it('keeps who is still there with the content that was made for it', () => {
    const { spec, plan } = planned();
    const again = reselect(spec, plan, FLEET.slice(0, 3));
    expect(again.selection.targets.map(({ key }) => key)).toEqual(
      plan.targets.map(({ key }) => key),
    );
    expect([...again.contents.values()]).toEqual(plan.targets.map(({ to }) => to));
    expect(again).toMatchObject({ joined: [], left: [], without: [] });
  });

  it('gives who joined what was made for the same overrides', () => {
    const { spec, plan } = planned();
    const fleet = [...FLEET.slice(0, 3), cluster('e', 'cn'), cluster('f', 'us')];
    const { joined, contents } = reselect(spec, plan, fleet);
    expect(names(joined)).toEqual(['e', 'f']);
    expect(contents.get('e/production')?.digest).toBe('made for cn');
    expect(contents.get('f/production')?.digest).toBe('made for eu');
  });

  it('leaves out who joined where nothing fits, or nobody knows whether it does', () => {
    const { spec, plan } = planned();
    const fleet = [...FLEET.slice(0, 2), cluster('e', 'cn')];
    const onlyEu = { ...plan, targets: plan.targets.filter(target => target.cluster !== 'c') };
    const unfit = reselect(spec, onlyEu, fleet);
    expect([names(unfit.joined), names(unfit.without)]).toEqual([[], ['e']]);
    expect(names(unfit.selection.targets)).toEqual(['a', 'b']);
    const older = reselect({ ...spec, overrideMatches: undefined }, plan, fleet);
    expect(names(older.without)).toEqual(['e']);
  });

  it('names who left, and finds another group', () => {
    const { spec, plan } = planned();
    const [a] = FLEET;
    const again = reselect(spec, plan, [a, cluster('b', 'eu')]);
    expect(again.left).toEqual(['c']);
    expect(again.selection.targets.map(({ group }) => group)).toEqual(['canary', 'production']);
  });
});
