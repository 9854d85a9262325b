import { compile } from './compile';
import { selectTargets } from './selectTargets';
import type { ApprovalSpec, FleetCluster, ReleaseSpec } from './spec';
import { specOf } from './testing';
import type { ContentRef, TargetKey } from './types';

/*
 * Field case C24: clusters that do not fit the stages. What happens to joiners and
 * leavers while a release runs is the executor's part.
 */

const cluster = (name: string, labels: Record<string, string>): FleetCluster => ({ name, labels });
const AT_START = [
  cluster('a', { app: 'shop', ring: '0' }),
  cluster('b', { app: 'shop', ring: '2' }),
  cluster('c', { app: 'shop', ring: '2' }),
  cluster('d', { app: 'shop' }),
];
const approval: ApprovalSpec = { required: 1, from: [], selfApproval: false, when: 'before' };

function specFor(ungrouped: 'refuse' | 'ignore'): ReleaseSpec {
  return {
    ...specOf({
      type: 'Canary',
      steps: [{ group: 's1' }, { group: 's2', approval }, { group: 's3', approval }],
    }),
    placement: {
      kind: 'rule',
      name: 'shop',
      select: { matchLabels: { app: 'shop' } },
      namespace: 'production',
      groups: ['0', '1', '2'].map((ring, index) => ({
        name: `s${index + 1}`,
        match: { matchLabels: { ring } },
      })),
      ungrouped,
    },
  };
}

function run(ungrouped: 'refuse' | 'ignore', fleet: FleetCluster[]) {
  const spec = specFor(ungrouped);
  const selection = selectTargets(spec.placement, fleet);
  const contents = new Map<TargetKey, ContentRef>(
    selection.targets.map(({ key }) => [key, { digest: key, version: '2.0.0' }]),
  );
  const compiled = compile({ spec, selection, contents, current: new Map(), sha256: text => text });
  return { ...compiled, excluded: selection.excluded };
}

describe('clusters that do not fit the stages (field case C24)', () => {
  it('are refused before the start, by name', () => {
    const { plan, findings } = run('refuse', AT_START);
    expect(plan).toBeUndefined();
    expect(findings).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        code: 'ClusterInNoGroup',
        params: { clusters: 'd', count: 1 },
      }),
    );
  });

  it('are left out where the document says so; an empty stage asks nobody', () => {
    const { plan, findings, excluded } = run('ignore', AT_START);
    const asks = ({ steps }: { steps: { instruction: string }[] }) =>
      steps.some(({ instruction }) => instruction === 'approve');
    expect(plan?.stages.map(stage => [stage.name, stage.targets, asks(stage)])).toEqual([
      ['s1', ['a/production'], false],
      ['s2', [], false],
      ['s3', ['b/production', 'c/production'], true],
    ]);
    expect(findings.map(({ severity, code }) => `${severity} ${code}`).sort()).toEqual([
      'info EmptyStage',
      'warning ClusterInNoGroup',
    ]);
    expect(excluded).toEqual([{ cluster: 'd', rule: 'is in no group' }]);
  });

  it('that nobody selects are no success', () => {
    const { plan, findings } = run('ignore', [cluster('z', { app: 'cart' })]);
    expect(plan).toBeUndefined();
    expect(findings).toContainEqual(
      expect.objectContaining({ severity: 'error', code: 'NothingSelected' }),
    );
  });
});
