import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ResponseError } from '@backstage/errors';
import type {
  ReleaseView,
  TargetView,
  Waiting,
} from 'backstage-plugin-multicluster-release-common';
import {
  exampleActions,
  exampleFinalRelease,
  exampleRelease,
  exampleRunning,
  exampleStages,
  exampleSummary,
  exampleTarget,
  FakeMulticlusterReleaseApi,
  NOW,
} from '../../testing';
import { apiWith } from '../../__testUtils__/apiWith';
import { renderContent } from '../../__testUtils__/renderContent';

const user = userEvent.setup({ delay: null });

const [CANARY, PRODUCTION] = exampleStages();

describe('a release that has ended', () => {
  it('says what it did, and what is otherwise since then', async () => {
    const release = exampleFinalRelease({ targetVersion: '2.0.0', fromVersions: ['1.0.0'] });
    const api = apiWith(release);
    api.targets = ['cluster-a', 'cluster-b', 'cluster-c'].map(name =>
      exampleTarget(name, {
        state: 'Done',
        from: { version: '1.0.0', configVersion: '1.0.0', digest: 'sha256:1' },
        to: { version: '2.0.0', configVersion: '1.0.1', digest: 'sha256:2' },
      }),
    );
    api.summary = exampleSummary({
      lastRelease: release,
      versions: [
        exampleRunning('cluster-a', { version: '2.0.0' }),
        exampleRunning('cluster-b'),
        exampleRunning('cluster-c', { version: '2.0.0' }),
      ],
    });
    renderContent(api);
    const sentence = await screen.findByRole('heading', { level: 2, name: /^Done: / });
    expect(sentence).toHaveTextContent('Done: 2.0.0 in place on 3 clusters');
    expect(sentence.parentElement).toHaveTextContent(
      'Since then 1 of these clusters has changed: 1.0.0 is now on cluster-b.',
    );
    const lanes = within(screen.getByRole('group', { name: 'Clusters' }));
    expect(lanes.getByRole('row', { name: /cluster-a/ })).toHaveTextContent(
      '1.0.0 → 2.0.0Template 1.0.0 → 1.0.1',
    );
  });
});

describe('a cluster that the newest plan of a queued release leaves out', () => {
  it('is under no stage, and no promotion is said to start there', async () => {
    const api = apiWith(exampleRelease(), [
      CANARY,
      { ...PRODUCTION, total: 1, clusters: ['cluster-b'] },
    ]);
    api.targets = [
      exampleTarget('cluster-a', { stage: 0, state: 'Done' }),
      exampleTarget('cluster-b'),
      exampleTarget('cluster-c', { stage: 1, state: 'Skipped' }),
    ];
    renderContent(api);
    const label = 'Promote to production (1)';
    await user.click(await screen.findByRole('button', { name: `${label}…` }));
    const dialog = await screen.findByRole('dialog', { name: label });
    expect(dialog).toHaveTextContent('production starts on 1 cluster: cluster-b.');
    const stages = within(screen.getByRole('region', { name: 'Stages', hidden: true }));
    expect(stages.getByText('cluster-b')).toBeInTheDocument();
    expect(stages.queryByText(/cluster-c/)).toBeNull();
  });
});

describe('a stage that raises the weight on clusters of an earlier one', () => {
  it('names them, and counts those that it does not name', async () => {
    const clusters = Array.from({ length: 8 }, (_, index) => `c${index + 1}`);
    const api = apiWith(exampleRelease(), [
      { ...CANARY, total: 1, clusters: ['c1'] },
      { ...PRODUCTION, total: 12, clusters },
    ]);
    api.targets = [exampleTarget('c1', { stage: 0, state: 'Soaking' })];
    renderContent(api);
    const label = 'Promote to production (12)';
    await user.click(await screen.findByRole('button', { name: `${label}…` }));
    const dialog = await screen.findByRole('dialog', { name: label });
    expect(dialog).toHaveTextContent(`on 12 clusters: ${clusters.join(', ')} +4.`);
  });
});

describe('clusters of a release that went back', () => {
  it.each<[name: string, changes: Partial<TargetView>, shown: RegExp]>([
    [
      'to what ran before',
      { state: 'RolledBack', to: { version: '1.0.0', digest: 'sha256:1' } },
      /staging1\.0\.0not started/,
    ],
    [
      'to a version of choice',
      { state: 'RolledBack', to: { version: '0.5.0', digest: 'sha256:0' } },
      /staging0\.5\.0not started/,
    ],
    [
      'to what was live before adoption',
      {
        state: 'RolledBack',
        from: undefined,
        to: { version: 'before adoption', digest: 'sha256:0' },
      },
      /stagingnothing releasednot started/,
    ],
    [
      'before it came there',
      { state: 'Unchanged', weight: { wanted: 0, observed: 0 } },
      /staging1\.0\.0not started/,
    ],
  ])('%s: the lane says what is there', async (_name, changes, shown) => {
    const release = exampleFinalRelease({ state: 'RolledBack', targetVersion: '2.0.0' });
    const api = apiWith(release, [CANARY]);
    api.targets = [
      exampleTarget('cluster-a', { namespace: 'staging', region: undefined, ...changes }),
    ];
    renderContent(api);
    const lanes = within(await screen.findByRole('group', { name: 'Clusters' }));
    expect(lanes.getByRole('row', { name: /cluster-a/ })).toHaveTextContent(shown);
  });
});

describe('clusters on their way back', () => {
  const before = { version: '1.0.0', digest: 'sha256:1' };

  it.each<
    [name: string, release: Partial<ReleaseView>, changes: Partial<TargetView>, shown: RegExp]
  >([
    [
      'of a release that brought them',
      { state: 'RollingBack' },
      { state: 'RollingBack', from: before, to: before },
      /staging2\.0\.0 → 1\.0\.0not started/,
    ],
    [
      'of a release that brought them, while the cluster is away',
      { state: 'RollingBack' },
      { state: 'RollbackPending', from: before, to: before },
      /staging2\.0\.0 → 1\.0\.0not started/,
    ],
    [
      'to what was live before adoption',
      { state: 'RollingBack' },
      {
        state: 'RollingBack',
        from: undefined,
        to: { version: 'before adoption', digest: 'sha256:0' },
      },
      /staging2\.0\.0 → nothing releasednot started/,
    ],
    [
      'by a removal that goes back',
      { state: 'RollingBack', strategy: 'Removal' },
      { state: 'RollingBack', from: before, to: before },
      /stagingnothing → 1\.0\.0not started/,
    ],
    [
      'by a release of their own',
      { strategy: 'Rollback', rolledBackFrom: 'r-1', targetVersion: '1.0.0' },
      { state: 'RollingBack', from: { version: '2.0.0', digest: 'sha256:2' }, to: before },
      /staging2\.0\.0 → 1\.0\.0not started/,
    ],
  ])(
    '%s: the lane says what they leave and where they go',
    async (_name, changes, target, shown) => {
      const api = apiWith(exampleRelease(changes), [CANARY]);
      api.targets = [
        exampleTarget('cluster-a', { namespace: 'staging', region: undefined, ...target }),
      ];
      renderContent(api);
      const lanes = within(await screen.findByRole('group', { name: 'Clusters' }));
      expect(lanes.getByRole('row', { name: /cluster-a/ })).toHaveTextContent(shown);
    },
  );
});

describe('a release among others of its service', () => {
  const older = exampleFinalRelease({ state: 'Superseded', actions: exampleActions([]) });

  it('that was superseded leads to the one that came next, and says that it runs', async () => {
    const api = apiWith(older);
    const newer = exampleRelease();
    api.releases = [newer, older];
    api.summary = exampleSummary({ activeRelease: newer, lastRelease: newer });
    renderContent(api);
    const history = within(await screen.findByRole('table', { name: 'History' }));
    expect(screen.queryByText('A newer release is under way:')).toBeNull();
    await user.click(history.getByRole('button', { name: /^Open the release of 1\.0\.0/ }));
    expect(await screen.findByText('A newer release is under way:')).toBeVisible();
    const next = 'Next came the release of 2.0.0 from 12:57 UTC';
    expect(screen.getAllByRole('button', { name: next })).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: '1.0.0 → 2.0.0 · Canary' }));
    await waitFor(() => expect(screen.queryByText('A newer release is under way:')).toBeNull());
  });

  it('that queues names the version that it is behind, and leads there', async () => {
    const ahead = exampleRelease({ id: 'r-1', targetVersion: '1.5.0' });
    const queue = { code: 'queue' as const, params: { id: 'r-1' }, message: '', since: NOW };
    const queued = exampleRelease({
      createdAt: NOW - 60_000,
      waiting: [{ ...queue, blocking: true }],
    });
    const api = apiWith(queued);
    api.releases = [queued, ahead];
    renderContent(api);
    const name = /^Behind the release of 1\.5\.0 of the same service/;
    expect(await screen.findByRole('heading', { level: 2, name })).toBeVisible();
    const [link] = await screen.findAllByRole('button', {
      name: 'Behind the release of 1.5.0 from 12:57 UTC',
    });
    expect(link).toHaveAttribute('title', 'r-1');
  });
});

describe('a release that put back what was live before adoption', () => {
  it('says so in words, and is not offered to be released again', async () => {
    const release = exampleFinalRelease({
      strategy: 'Rollback',
      targetVersion: 'before adoption',
      fromVersions: ['2.0.0'],
    });
    renderContent(apiWith(release));
    const history = await screen.findByRole('table', { name: 'History' });
    expect(history).toHaveTextContent('Rollback to what ran before the first release');
    expect(screen.getByText('2.0.0 → what ran before the first release')).toBeVisible();
    expect(history).not.toHaveTextContent('before adoption');
    expect(within(history).queryByRole('button', { name: /again/ })).toBeNull();
  });
});

describe('a stage without clusters', () => {
  it('is said to have none, and not to start on 0', async () => {
    const api = apiWith(exampleRelease(), [CANARY, { ...PRODUCTION, total: 0, clusters: [] }]);
    api.targets = [exampleTarget('cluster-a', { stage: 0, state: 'Done' })];
    renderContent(api);
    const label = 'Promote to production (no clusters of its own)';
    await user.click(await screen.findByRole('button', { name: `${label}…` }));
    const dialog = await screen.findByRole('dialog', { name: label });
    expect(dialog).toHaveTextContent('production begins. It has no clusters of its own');
    const [, production] = within(
      screen.getByRole('region', { name: 'Stages', hidden: true }),
    ).getAllByRole('listitem', { hidden: true });
    expect(production).toHaveTextContent('no clusters of its own');
    expect(document.body).not.toHaveTextContent(/\(0\)|\b0 of 0\b|\b0 clusters/);
  });
});

describe('a release that waits while it is under way', () => {
  function held(code: 'stopall' | 'soak', changes: Partial<ReleaseView> = {}) {
    const params: Waiting['params'] =
      code === 'stopall' ? { who: 'ops' } : { stage: 'canary', time: NOW + 60_000 };
    const cause = { code, params, message: '', since: NOW, until: NOW + 60_000, blocking: true };
    const release = exampleRelease({ state: 'Waiting', waiting: [cause], ...changes });
    return apiWith(release, [{ ...CANARY, state: 'running' }, PRODUCTION]);
  }

  it('is not said to run, neither is its stage', async () => {
    renderContent(held('stopall'));
    const name = /^Emergency stop by ops/;
    expect(await screen.findByRole('heading', { level: 2, name })).toBeVisible();
    const stages = within(screen.getByRole('region', { name: 'Stages' }));
    expect(stages.getAllByRole('listitem')[0]).toHaveTextContent('Waiting');
    expect(await screen.findByRole('table', { name: 'History' })).toBeVisible();
    expect(screen.queryByText('Running')).toBeNull();
    expect(screen.getAllByText('Waiting')).toHaveLength(3);
  });

  it('names the way on where it is observed', async () => {
    const actions = exampleActions(['pause', 'skip-wait'], {
      allowed: false,
      reasonCode: 'Observing',
      params: { stage: 'canary' },
    });
    renderContent(held('soak', { actions }));
    const promote = await screen.findByRole('button', { name: /^Promote/ });
    expect(promote).toHaveAccessibleDescription(
      /the observation time still runs; to go on now, choose “Skip the wait” under “More”$/,
    );
    await user.click(screen.getByRole('button', { name: 'More' }));
    expect(await screen.findByRole('menuitem', { name: 'Skip the wait…' })).toBeVisible();
  });
});

describe('a service that was not released before', () => {
  it('has the same word for that in the header and in the lanes', async () => {
    const api = apiWith(exampleRelease({ fromVersions: [] }));
    api.targets = [exampleTarget('cluster-a', { from: undefined })];
    renderContent(api);
    expect(await screen.findAllByText('nothing released → 2.0.0')).toHaveLength(2);
  });
});

describe('a removal', () => {
  it('is called so in its stage and its sentence', async () => {
    const stage = { index: 0, name: 'removal', kind: 'rollback', total: 1 };
    const api = apiWith(
      exampleRelease({ strategy: 'Removal', state: 'Progressing', waiting: [], stage }),
      [{ ...CANARY, name: 'removal', kind: 'rollback', state: 'running', gates: [] }],
    );
    renderContent(api);
    const name = 'Running: stage 1 of 1, Removal';
    expect(await screen.findByRole('heading', { level: 2, name })).toBeVisible();
    const [shown] = within(screen.getByRole('region', { name: 'Stages' })).getAllByRole('listitem');
    expect(shown).toHaveTextContent('1. Removal');
    expect(screen.queryByText(/Rollback/)).toBeNull();
  });
});

describe('what runs where', () => {
  const rows = () =>
    within(screen.getByRole('table', { name: 'What runs where' }))
      .getAllByRole('row')
      .slice(1)
      .map(row => row.textContent?.slice(0, 'cluster-a'.length));

  function health(api: FakeMulticlusterReleaseApi, state: 'Progressing' | 'Failed') {
    const [a, b, c] = api.summary.versions;
    api.summary = { ...api.summary, versions: [a, b, { ...c, health: { state } }] };
    window.dispatchEvent(new Event('focus'));
  }

  it('keeps its order while a cluster starts, and under a pointer also when one fails', async () => {
    const api = apiWith(exampleFinalRelease());
    renderContent(api);
    const table = await screen.findByRole('table', { name: 'What runs where' });
    const asRead = ['cluster-a', 'cluster-b', 'cluster-c'];
    health(api, 'Progressing');
    expect(await within(table).findByText('Starting up')).toBeVisible();
    expect(rows()).toEqual(asRead);
    await user.hover(table);
    health(api, 'Failed');
    expect(await within(table).findByText('Failing')).toBeVisible();
    expect(rows()).toEqual(asRead);
    await user.click(screen.getByRole('button', { name: '3 changes – apply order' }));
    expect(rows()).toEqual(['cluster-c', 'cluster-a', 'cluster-b']);
  });
});

describe('emergency stops that cannot be read', () => {
  it.each([
    [403, /^You may not see emergency stops/],
    [503, /^Emergency stops could not be read, so one may be in force: no database/],
  ])('are said to be unknown, quietly (%i)', async (status, words) => {
    const body = { error: { name: 'Error', message: 'no database' }, response: {} };
    const headers = { 'Content-Type': 'application/json' };
    const response = new Response(JSON.stringify(body), { status, headers });
    const api = apiWith(exampleFinalRelease());
    api.failures.set('listStops', await ResponseError.fromResponse(response));
    renderContent(api);
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    window.dispatchEvent(new Event('focus'));
    await waitFor(() => expect(screen.queryByText(words)).toBeNull());
  });
});
