import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Finding } from 'backstage-plugin-multicluster-release-common';
import { FakeMulticlusterReleaseApi } from '../../testing';
import { renderAs } from '../../__testUtils__/renderAs';
import { Findings } from './Findings';
import type { MetricFinding } from './findingGroups';

const user = userEvent.setup({ delay: null });

const READS = 'error_rate reads 0.3% now, and must be at most 1%.';

function found(
  code: MetricFinding,
  cluster: string,
  message: string = READS,
  severity: Finding['severity'] = 'info',
): Finding {
  return { severity, code, cluster, message, params: { metric: 'error_rate', cluster } };
}

async function show(findings: Finding[]) {
  renderAs('ALLOW', <Findings findings={findings} />, new FakeMulticlusterReleaseApi());
  const section = await screen.findByRole('region', { name: 'Findings' });
  const [list] = within(section).getAllByRole('list');
  return [...list.children].map(item => item as HTMLElement);
}

describe('Findings', () => {
  it('name the cluster of a measurement, and leave what names its own as it is', async () => {
    const refused: Finding = {
      ...{ severity: 'error', code: 'ClusterNotPlaced', params: {}, cluster: 'cluster-b' },
      message: 'Cluster cluster-b is not placed.',
      path: 'spec.strategy',
    };
    const items = await show([found('MetricRead', 'cluster-a'), refused, refused]);
    expect(items.map(item => item.textContent)).toEqual([
      'Error spec.strategy: Cluster cluster-b is not placed.',
      `Note cluster-a: ${READS}`,
    ]);
  });

  it.each<[code: MetricFinding, severity: Finding['severity'], words: string]>([
    ['MetricRead', 'info', 'Note error_rate can be read on a and b'],
    ['MetricBadNow', 'warning', 'Warning error_rate is outside its limit now on a and b; if'],
    ['MetricWithoutData', 'info', 'Note error_rate has no data now on a and b; once'],
    ['MetricUnreadable', 'warning', 'Warning error_rate could not be read on a and b; if'],
  ])(
    'tell %s of several clusters once, and what each says below',
    async (code, severity, words) => {
      const [item, ...others] = await show([
        found(code, 'a', 'one', severity),
        found(code, 'b', 'two', severity),
      ]);
      expect(others).toEqual([]);
      expect(item.textContent?.startsWith(words)).toBe(true);
      const each = within(item).getAllByRole('listitem');
      expect(each.map(({ textContent }) => textContent)).toEqual(['a: one', 'b: two']);
      expect(each[0]).toBeVisible();
    },
  );

  it('fold what 30 clusters say, and put what is wrong first', async () => {
    const clusters = Array.from({ length: 30 }, (_, i) => `cluster-${i + 10}`);
    const items = await show([
      ...clusters.map(cluster => found('MetricRead', cluster)),
      found('MetricUnreadable', 'cluster-x', 'no answer', 'warning'),
    ]);
    expect(items).toHaveLength(2);
    expect(items[0]).toHaveTextContent('Warning cluster-x: no answer');
    expect(items[1]).toHaveTextContent('cluster-17, and +22');
    const last = within(items[1]).getByText('cluster-39:', { exact: false });
    expect(last).not.toBeVisible();
    await user.click(within(items[1]).getByText('What each cluster says'));
    expect(last).toBeVisible();
  });
});
