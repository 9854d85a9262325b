import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type {
  MeasurementView,
  MetricRule,
  StageView,
} from 'backstage-plugin-multicluster-release-common';
import {
  exampleFinalRelease,
  exampleMeasuredPlan,
  exampleMeasurement,
  exampleRelease,
  exampleRule,
  exampleStages,
  exampleSummary,
  FakeMulticlusterReleaseApi,
  NOW,
} from '../../testing';
import { renderContent } from '../../__testUtils__/renderContent';

const user = userEvent.setup({ delay: null });

interface Measured {
  readings?: MeasurementView[];
  rules?: MetricRule[];
  clusters?: string[];
  stage?: Partial<StageView>;
  release?: Parameters<typeof exampleRelease>[0];
}

function measuring({ readings = [], rules = [exampleRule()], clusters, stage, release }: Measured) {
  const api = new FakeMulticlusterReleaseApi();
  const shown = exampleRelease(release);
  const [canary, production] = exampleStages();
  api.releases = [shown];
  api.summary = exampleSummary({ activeRelease: shown, lastRelease: shown });
  api.stages = [{ ...canary, ...stage }, production];
  api.plan = exampleMeasuredPlan(rules, clusters);
  api.measurements = readings;
  return api;
}

async function findSection() {
  return within(await screen.findByRole('region', { name: 'Measurements' }));
}

const THREE = [
  exampleMeasurement({ id: 1, value: 0.25, samples: 120 }),
  exampleMeasurement({
    ...{ id: 2, result: 'noData', value: undefined, message: 'the query gave no series' },
  }),
  exampleMeasurement({ id: 3, result: 'bad', value: 7 }),
];

describe('measurements of a stage', () => {
  it('say the rule in words, and the last reading as icon, word and value', async () => {
    renderContent(measuring({ readings: THREE }));
    const section = await findSection();
    expect(await section.findByRole('heading', { level: 5, name: 'error_rate' })).toBeVisible();
    expect(section.getByRole('heading', { level: 4, name: '1. canary' })).toBeVisible();
    expect(
      section.getByText(
        'must be at most 1 %, read every 30 sec, looks back 1 min, passes with 9 good readings on each cluster',
      ),
    ).toBeVisible();
    const [card] = within(
      section.getByRole('list', { name: 'Readings of error_rate' }),
    ).getAllByRole('listitem');
    expect(card).toHaveTextContent('cluster-a production');
    expect(card).toHaveTextContent('Bad 7 %, at 13:01:30 UTC');
    expect(card).toHaveTextContent('13:00:30 UTC to 13:01:30 UTC');
    expect(card).toHaveTextContent('Dashed: at most 1 %');
    expect(within(card).getByText('Bad').closest('[aria-hidden]')).toBeNull();
  });

  it('tell each reading by the arrow keys, and the last again where nobody looks', async () => {
    renderContent(measuring({ readings: THREE }));
    const section = await findSection();
    const chart = await section.findByRole('slider', { name: 'error_rate on cluster-a' });
    expect(chart).toHaveAttribute('aria-valuemax', '3');
    expect(chart).toHaveAttribute('aria-valuenow', '3');
    act(() => chart.focus());
    await user.keyboard('{ArrowLeft}');
    expect(chart).toHaveAttribute('aria-valuetext', 'No data, at 13:01:00 UTC');
    expect(section.getByText('the query gave no series')).toBeVisible();
    await user.keyboard('{Home}{ArrowLeft}');
    expect(chart).toHaveAttribute('aria-valuenow', '1');
    expect(chart).toHaveAttribute(
      'aria-valuetext',
      'Good, 0.25 %, from 120 requests, at 13:00:30 UTC',
    );
    await user.keyboard('{End}{ArrowRight}');
    expect(chart).toHaveAttribute('aria-valuenow', '3');
    await user.keyboard('{ArrowLeft}');
    act(() => chart.blur());
    expect(chart).toHaveAttribute('aria-valuenow', '3');
  });

  it('show the query as it was sent, on demand', async () => {
    renderContent(measuring({ readings: THREE }));
    const section = await findSection();
    const query = await section.findByText('errors{cluster="cluster-a"}');
    expect(query).not.toBeVisible();
    await user.click(section.getByText('Query as it was sent'));
    expect(query).toBeVisible();
  });

  it('show both queries where a value was compared, and in the table what was good beside what', async () => {
    const message = 'at most 0.6% beside 0.4% of the stable version now';
    const query = 'errors{version="1.0.0"}';
    renderContent(
      measuring({
        readings: [exampleMeasurement({ message, baseline: 0.4, baselineQuery: query })],
      }),
    );
    const section = await findSection();
    await user.click(await section.findByText('Query as it was sent'));
    expect(section.getByText('errors{cluster="cluster-a"}')).toBeVisible();
    expect(section.getByText(query)).toBeVisible();
    await user.click(section.getByRole('button', { name: 'Show as table: error_rate' }));
    expect(section.getByText(message)).toBeVisible();
  });

  it('are all in the table, newest first', async () => {
    renderContent(measuring({ readings: THREE }));
    const section = await findSection();
    await user.click(await section.findByRole('button', { name: 'Show as table: error_rate' }));
    const table = section.getByRole('table', { name: 'Readings of error_rate' });
    const [, ...rows] = within(table).getAllByRole('row');
    expect(rows.map(row => row.textContent)).toEqual([
      'cluster-a13:01:30 UTCBad7 %–',
      'cluster-a13:01:00 UTCNo data––the query gave no series',
      'cluster-a13:00:30 UTCGood0.25 %120',
    ]);
    expect(section.queryByRole('slider')).toBeNull();
    await user.click(section.getByRole('button', { name: 'Show as charts: error_rate' }));
    expect(section.getByRole('slider')).toBeVisible();
  });

  it('of many clusters show the worst first, and all on request', async () => {
    const clusters = Array.from({ length: 30 }, (_, i) => `cluster-${i + 10}`);
    const readings = clusters.map((cluster, i) =>
      exampleMeasurement({ id: i + 1, cluster, ...(i === 27 && { result: 'bad', value: 3 }) }),
    );
    renderContent(measuring({ clusters, readings }));
    const section = await findSection();
    const charts = () =>
      section.getAllByRole('slider').map(chart => chart.getAttribute('aria-label'));
    await section.findByRole('button', { name: 'Show all 30 clusters' });
    expect(charts()).toHaveLength(6);
    expect(charts()[0]).toBe('error_rate on cluster-37');
    await user.click(section.getByRole('button', { name: 'Show all 30 clusters' }));
    expect(new Set(charts()).size).toBe(30);
    await user.click(section.getByRole('button', { name: 'Show the 6 worst only' }));
    expect(charts()).toHaveLength(6);
  });

  it('name a cluster that was not read yet beside those that were', async () => {
    renderContent(measuring({ clusters: ['cluster-a', 'cluster-d'], readings: [THREE[0]] }));
    const section = await findSection();
    const cards = within(await section.findByRole('list', { name: 'Readings of error_rate' }));
    const [first] = cards.getAllByRole('listitem');
    expect(first).toHaveTextContent('cluster-d productionNo reading yet');
    expect(cards.getAllByRole('slider')).toHaveLength(1);
  });

  it('come without taking away what is open or focused', async () => {
    const api = measuring({ readings: THREE });
    renderContent(api);
    const section = await findSection();
    const chart = await section.findByRole('slider');
    await user.click(section.getByText('Query as it was sent'));
    act(() => chart.focus());
    await user.keyboard('{Home}');
    api.measurements = [...THREE, exampleMeasurement({ id: 4 })];
    act(() => {
      window.dispatchEvent(new Event('focus'));
    });
    await waitFor(() => expect(chart).toHaveAttribute('aria-valuemax', '4'));
    expect(section.getByRole('slider')).toBe(chart);
    expect(chart).toHaveFocus();
    expect(chart).toHaveAttribute('aria-valuenow', '1');
    expect(section.getByText('errors{cluster="cluster-a"}')).toBeVisible();
  });
});

describe('where nothing was read', () => {
  const observing = (since: number) => ({
    gates: [
      {
        code: 'soak' as const,
        params: { stage: 'canary' },
        message: 'Observing canary',
        since,
        until: since + 5 * 60_000,
        blocking: true,
      },
    ],
  });

  it.each<[name: string, measured: Measured, words: string]>([
    [
      'a stage that has not started',
      { stage: { state: 'pending', startedAt: undefined } },
      'Nothing is read before all clusters of this stage are healthy.',
    ],
    [
      'a stage whose gate has not begun',
      { stage: { state: 'running' } },
      'Nothing is read before all clusters of this stage are healthy.',
    ],
    [
      'a first reading that is to come',
      { stage: observing(NOW - 20_000) },
      'No reading yet; the first is due at 13:02:40 UTC.',
    ],
    [
      'a first reading on a faster clock',
      { stage: observing(NOW), release: { timeScale: 0.5 } },
      'No reading yet; the first is due at 13:02:30 UTC.',
    ],
    ['a first reading that is being taken', { stage: observing(NOW - 90_000) }, 'No reading yet.'],
    ['a gate that was let go', { stage: { state: 'done' } }, 'Nothing was read here.'],
    [
      'a release that ended before',
      {
        stage: { state: 'skipped' },
        release: exampleFinalRelease({ id: 'r-2', state: 'Aborted' }),
      },
      'Nothing was read here.',
    ],
  ])('%s says so, and what would be measured', async (_name, measured, words) => {
    renderContent(measuring(measured));
    const section = await findSection();
    expect(await section.findByText(words)).toBeVisible();
    expect(section.getByText('error_rate, at most 1 %')).toBeVisible();
    expect(section.queryByRole('slider')).toBeNull();
  });

  it('asks nothing of a gate whose stage has not started', async () => {
    const api = measuring({ stage: { state: 'pending', startedAt: undefined } });
    renderContent(api);
    await findSection();
    expect(api.askedMeasurements).toEqual([]);
  });

  it('is no section where a release measures nothing', async () => {
    const api = measuring({ rules: [] });
    api.plan = exampleMeasuredPlan([]);
    api.plan.stages[0].steps.pop();
    renderContent(api);
    expect(await screen.findByRole('region', { name: 'Events' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Measurements' })).toBeNull();
  });

  it.each(['getPlan', 'listMeasurements'] as const)(
    'is told apart from what could not be asked: %s',
    async method => {
      const api = measuring({ readings: THREE });
      const away = jest.spyOn(api, method).mockRejectedValue(new Error('the database is away'));
      renderContent(api);
      const section = await findSection();
      expect(await section.findByText('the database is away')).toBeVisible();
      expect(section.queryByText(/No reading|Nothing/)).toBeNull();
      away.mockRestore();
      await user.click(section.getByRole('button', { name: 'Retry' }));
      expect(await section.findByRole('slider')).toBeVisible();
      expect(section.queryByText('the database is away')).toBeNull();
    },
  );
});
