import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  exampleActions,
  exampleEvent,
  exampleFinalRelease,
  exampleHold,
  exampleRelease,
  exampleRunning,
  exampleStages,
  exampleSummary,
  exampleTarget,
  FakeMulticlusterReleaseApi,
  NOW,
} from '../../testing';
import { confirmRelease } from '../../__testUtils__/confirmRelease';
import { withActiveRelease, withFinishedRelease } from '../../__testUtils__/examples';
import { refusal } from '../../__testUtils__/refusal';
import { renderContent } from '../../__testUtils__/renderContent';

// Without pauses between keys and clicks: a slow machine stretches each of them.
const user = userEvent.setup({ delay: null });

const ID_OF_RETURN = '0b1c2d3e-1111-2222-3333-444455556666';

describe('ReleasesContent', () => {
  it('says what the release waits for, in which stage, and what runs where', async () => {
    renderContent(withActiveRelease());
    expect(
      await screen.findByRole('heading', {
        level: 2,
        name: /Waiting for someone to promote to production, since/,
      }),
    ).toBeVisible();
    const stages = screen
      .getAllByRole('listitem')
      .filter(item => item.hasAttribute('aria-current'));
    expect(stages).toHaveLength(1);
    expect(stages[0]).toHaveTextContent('1. canary');
    expect(stages[0]).toHaveAttribute('aria-current', 'step');
    const lanes = within(screen.getByRole('group', { name: 'Clusters' }));
    const lane = lanes.getByRole('row', { name: /cluster-a/ });
    expect(lane).toHaveTextContent('1.0.0 → 2.0.0');
    expect(lane).toHaveTextContent('Apply 30 sec, Become ready 1 min 30 sec');
    const versions = await screen.findByRole('table', { name: 'What runs where' });
    expect(within(versions).getAllByRole('row')).toHaveLength(4);
  });

  it('tells of a rolled back release what it did, and nothing that is still to come', async () => {
    const api = withFinishedRelease();
    api.releases[0] = exampleFinalRelease({
      ...api.releases[0],
      state: 'RolledBack',
      counts: { total: 2, done: 1, running: 0, failed: 0, pending: 0, rolledBack: 1 },
    });
    const [canary, production] = exampleStages();
    const startedAt = NOW - 51 * 60_000;
    api.stages = [
      { ...canary, state: 'rolledBack', done: 0, gates: [], startedAt, finishedAt: undefined },
      { ...production, state: 'skipped', done: 1, gates: [], startedAt: undefined },
    ];
    api.targets = [
      exampleTarget('cluster-a', { state: 'RolledBack' }),
      exampleTarget('cluster-b', { state: 'Unchanged' }),
    ];
    renderContent(api);
    const stages = await screen.findByRole('region', { name: 'Stages' });
    const [first, second] = within(stages).getAllByRole('listitem');
    expect(first).toHaveTextContent('took 1 min');
    expect(second).toHaveTextContent(/^2\. productionSkipped/);
    expect(second).not.toHaveTextContent(/done|observes/);
    expect(screen.queryByText(/of 2 clusters/)).toBeNull();
    const lanes = within(screen.getByRole('group', { name: 'Clusters' }));
    expect(lanes.getByRole('row', { name: /cluster-a/ })).not.toHaveTextContent('→');
    expect(lanes.getByRole('row', { name: /cluster-b/ })).not.toHaveTextContent('→');
  });

  it('shows what is not known as unknown, with why, and counts who answered', async () => {
    const api = withActiveRelease();
    api.summary = {
      ...api.summary,
      versions: [
        exampleRunning('cluster-a'),
        exampleRunning('cluster-b', { clusterState: 'unreachable', message: 'connection refused' }),
      ],
      clustersAnswered: { answered: 1, total: 2 },
    };
    renderContent(api);
    expect(await screen.findByText('1 of 2 clusters reported')).toBeVisible();
    expect(
      screen.getByText('1 of 2 clusters did not answer (cluster-b). Others are current.'),
    ).toBeVisible();
    const row = within(screen.getByRole('table', { name: 'What runs where' })).getByRole('row', {
      name: /cluster-b/,
    });
    expect(row).toHaveTextContent('connection refused');
    expect(within(row).getAllByText('Unknown')).toHaveLength(2);
  });

  it('warns that time runs faster', async () => {
    renderContent(withActiveRelease({ timeScale: 0.02 }));
    expect(await screen.findByText(/run at 2% of their length/)).toBeVisible();
    expect(screen.getByText('then observes for 5 min, here at 2% of that length')).toBeVisible();
  });

  describe('what was rolled back', () => {
    const REASON = 'cluster-a/production: pod checkout-1: CrashLoopBackOff';
    const RETURNED = {
      state: 'RolledBack',
      targetVersion: '3.0.0',
      counts: { total: 3, done: 2, running: 0, failed: 0, pending: 0, rolledBack: 1 },
    } as const;

    function withReturnedRelease() {
      const api = withFinishedRelease();
      api.releases[0] = exampleFinalRelease({ ...api.releases[0], ...RETURNED });
      api.summary = exampleSummary({
        lastRelease: api.releases[0],
        holds: [exampleHold({ reason: REASON, releaseId: 'r-2' })],
      });
      api.events = [exampleEvent({ code: 'RollbackStarted', reason: REASON, actor: 'system' })];
      return api;
    }

    it('says why, and that its version is on hold until a person releases it', async () => {
      const api = withReturnedRelease();
      renderContent(api);
      const sentence = await screen.findByRole('heading', { level: 2, name: /^Rolled back: 3/ });
      expect(await screen.findByText(REASON)).toBeVisible();
      expect(sentence.parentElement).toHaveTextContent(`Why: ${REASON}`);
      expect(screen.getByText(/^3.0.0 is on hold since/)).toBeVisible();
      const release = screen.getByRole('button', { name: 'Release the hold' });
      await waitFor(() => expect(release).toHaveAttribute('aria-disabled', 'false'));
      await user.click(release);
      const question = await screen.findByRole('dialog', { name: 'Release the hold on 3.0.0' });
      expect(question).toHaveTextContent(REASON);
      expect(question).toHaveTextContent('Nothing starts by itself');
      expect(api.releasedHolds).toEqual([]);
      await user.dblClick(within(question).getByRole('button', { name: 'Release the hold' }));
      await waitFor(() => expect(screen.queryByText(/is on hold/)).not.toBeInTheDocument());
      expect(api.releasedHolds).toEqual(['h-1']);
      expect(sentence.parentElement).toHaveTextContent(`Why: ${REASON}`);
    });

    it('no longer says so once the hold was released in the start dialog', async () => {
      const api = withReturnedRelease();
      const [hold] = api.summary.holds;
      api.versions = [{ version: '3.0.0', source: 'list', runningOn: [], hold }];
      renderContent(api);
      expect(await screen.findByText(/^3.0.0 is on hold since/)).toBeVisible();
      const start = screen.getByRole('button', { name: 'Start a release…' });
      await waitFor(() => expect(start).toHaveAttribute('aria-disabled', 'false'));
      await user.click(start);
      const dialog = await screen.findByRole('dialog');
      await user.click(await within(dialog).findByRole('radio', { name: /3.0.0/ }));
      await user.click(within(dialog).getByRole('button', { name: 'Release the hold' }));
      await confirmRelease();
      await waitFor(() => expect(screen.queryByText(/is on hold/)).not.toBeInTheDocument());
    });

    it('says who may release the hold, where the viewer may not', async () => {
      const api = withReturnedRelease();
      const hold = exampleHold({ releaseId: 'r-2', service: 'component:others/checkout' });
      api.summary = { ...api.summary, holds: [hold] };
      renderContent(api, { mayStart: false });
      const release = await screen.findByRole('button', { name: 'Release the hold' });
      await waitFor(() =>
        expect(release).toHaveAccessibleDescription(/multicluster-release.hold.release/),
      );
      await user.click(release);
      expect(api.releasedHolds).toEqual([]);
    });

    it('names releases by what they are, and opens them', async () => {
      const api = withFinishedRelease();
      const back = exampleFinalRelease({ id: ID_OF_RETURN, rolledBackFrom: 'r-2' });
      api.releases = [back, { ...api.releases[0], rolledBackBy: ID_OF_RETURN }, api.releases[1]];
      api.summary = exampleSummary({ lastRelease: back });
      renderContent(api);
      const history = await screen.findByRole('table', { name: 'History' });
      expect(within(history).getAllByText('Rollback to 1.0.0')).toHaveLength(1);
      const [link] = screen.getAllByRole('button', {
        name: 'Rolls back the release of 2.0.0 from 12:02 UTC',
      });
      await user.click(link);
      expect(
        (await screen.findAllByText('Rolled back by the release of 1.0.0 from 12:02 UTC'))[0],
      ).toBeVisible();
      expect(document.body).not.toHaveTextContent(new RegExp(ID_OF_RETURN));
    });
  });

  it('tells events to the second, and each actor once', async () => {
    const api = withActiveRelease();
    api.events = [
      exampleEvent({ id: 1, reason: 'looking' }),
      exampleEvent({ id: 2, actor: 'system', message: 'release of 2.0.0 to 1 cluster starts' }),
    ];
    renderContent(api);
    const events = await screen.findByRole('region', { name: 'Events' });
    await waitFor(() => expect(within(events).getAllByRole('listitem')).toHaveLength(2));
    const lines = within(events)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(lines).toEqual([
      '13:01:00 UTCrelease of 2.0.0 to 1 cluster starts – system',
      '13:01:00 UTCguest paused the release – Reason: looking',
    ]);
  });

  describe('actions', () => {
    it('promotes to the stage that was seen, once, after the facts', async () => {
      const api = withActiveRelease();
      renderContent(api);
      await user.click(await screen.findByRole('button', { name: 'Promote to production (2)…' }));
      const dialog = await screen.findByRole('dialog', { name: 'Promote to production (2)' });
      expect(dialog).toHaveTextContent('production starts on 2 clusters: cluster-b, cluster-c.');
      await user.dblClick(within(dialog).getByRole('button', { name: 'Promote' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
      expect(api.sentActions).toEqual([
        {
          releaseId: 'r-2',
          action: 'promote',
          request: { expectedStage: 0 },
          idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
      ]);
    });

    it('sends nothing when the release has moved on under the dialog, until it is looked at again', async () => {
      const api = withActiveRelease();
      renderContent(api);
      await user.click(await screen.findByRole('button', { name: /^Promote/ }));
      api.releases = [
        exampleRelease({
          stage: { index: 1, name: 'production', kind: 'step', total: 2 },
          actions: { ...api.releases[0].actions, promote: { allowed: true, expectedStage: 1 } },
        }),
      ];
      window.dispatchEvent(new Event('focus'));
      const dialog = await screen.findByRole('dialog');
      expect(await within(dialog).findByText(/has moved on while this was open/)).toBeVisible();
      expect(within(dialog).getByRole('button', { name: 'Promote' })).toBeDisabled();
      await user.click(within(dialog).getByRole('button', { name: 'Review again' }));
      await user.click(within(dialog).getByRole('button', { name: 'Promote' }));
      await waitFor(() => expect(api.sentActions).toHaveLength(1));
      expect(api.sentActions[0].request).toEqual({ expectedStage: 1 });
    });

    it('pauses without a dialog', async () => {
      const api = withActiveRelease();
      renderContent(api);
      await user.click(await screen.findByRole('button', { name: 'Pause' }));
      await waitFor(() => expect(api.sentActions.map(({ action }) => action)).toEqual(['pause']));
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    });

    it('keeps what is not allowed reachable, says why, and does nothing', async () => {
      const api = withActiveRelease({
        actions: exampleActions([], {
          allowed: false,
          reasonCode: 'NotAllowed',
          params: { permission: 'multicluster-release.release.control' },
        }),
      });
      renderContent(api);
      const pause = await screen.findByRole('button', { name: 'Pause' });
      expect(pause).toHaveAttribute('aria-disabled', 'true');
      expect(pause).toHaveAccessibleDescription(/you need multicluster-release.release.control/);
      pause.focus();
      expect(pause).toHaveFocus();
      await user.keyboard('{Enter}');
      expect(api.sentActions).toEqual([]);
    });

    it('shows why the server refused, and stays open', async () => {
      const api = withActiveRelease();
      renderContent(api);
      await user.click(await screen.findByRole('button', { name: 'Stop here…' }));
      api.failures.set(
        'act',
        await refusal(409, { name: 'ConflictError', message: 'It has ended.' }),
      );
      const dialog = await screen.findByRole('dialog');
      await user.click(within(dialog).getByRole('button', { name: 'Stop here' }));
      expect(await within(dialog).findByRole('alert')).toHaveTextContent('It has ended.');
    });

    it('rolls a running release back as a whole, with a reason if there is one', async () => {
      const api = withActiveRelease();
      renderContent(api);
      await user.click(await screen.findByRole('button', { name: 'Roll back to 1.0.0…' }));
      const dialog = await screen.findByRole('dialog');
      await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'slow');
      expect(within(dialog).queryByRole('radio')).not.toBeInTheDocument();
      await user.click(within(dialog).getByRole('button', { name: 'Roll back' }));
      await waitFor(() => expect(api.sentActions).toHaveLength(1));
      expect(api.sentActions[0]).toMatchObject({ action: 'rollback', request: { reason: 'slow' } });
    });

    it('rolls back chosen clusters of a release that has ended, and shows the new release', async () => {
      const api = withFinishedRelease();
      renderContent(api);
      const [button] = await screen.findAllByRole('button', { name: 'Roll back to 1.0.0…' });
      await user.click(button);
      const dialog = await screen.findByRole('dialog');
      await user.click(within(dialog).getByRole('radio', { name: 'Only some of them' }));
      expect(within(dialog).getByRole('button', { name: 'Roll back' })).toBeDisabled();
      await user.click(within(dialog).getByRole('checkbox', { name: 'cluster-b/production' }));
      api.newReleaseId = 'r-3';
      api.releases = [exampleRelease({ id: 'r-3', targetVersion: '1.0.0' }), ...api.releases];
      await user.click(within(dialog).getByRole('button', { name: 'Roll back' }));
      expect(
        await screen.findByRole('heading', { level: 2, name: /^Waiting for someone/ }),
      ).toBeVisible();
      expect(api.sentActions[0].request.targets).toEqual([
        { cluster: 'cluster-b', namespace: 'production' },
      ]);
    });

    it('asks before it releases a hold, and sends that as another click', async () => {
      const api = withFinishedRelease();
      renderContent(api);
      await user.click(
        await screen.findByRole('button', { name: /^Roll back to 1.0.0, released/ }),
      );
      // By its name: until the release is read, another dialog holds its place.
      const dialog = await screen.findByRole('dialog', { name: 'Roll back checkout' });
      api.failures.set(
        'act',
        await refusal(409, { name: 'ConflictError', code: 'OnHold', message: 'on hold' }),
      );
      await user.click(within(dialog).getByRole('button', { name: 'Roll back' }));
      await user.click(
        await within(dialog).findByRole('button', { name: 'Release the hold and roll back' }),
      );
      await waitFor(() => expect(api.sentActions).toHaveLength(2));
      const [first, second] = api.sentActions;
      expect(first.request).toMatchObject({ toVersion: '1.0.0', releaseHold: undefined });
      expect(second.request).toMatchObject({ toVersion: '1.0.0', releaseHold: true });
      expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
    });
  });

  describe('states', () => {
    it('names the annotation that is missing', async () => {
      const api = new FakeMulticlusterReleaseApi();
      api.summary = exampleSummary({ definition: undefined, versions: [] });
      renderContent(api);
      expect(await screen.findByText(/multicluster-release.io\/location/)).toBeVisible();
      expect(screen.getByRole('button', { name: 'Copy the annotation' })).toBeVisible();
    });

    it('says that there is no release yet', async () => {
      const api = new FakeMulticlusterReleaseApi();
      api.summary = exampleSummary({ versions: [] });
      renderContent(api);
      expect(await screen.findByText(/No releases yet/)).toBeVisible();
      expect(screen.getByRole('button', { name: 'Start a release…' })).toBeVisible();
    });

    it('says what failed and tries again', async () => {
      const api = withFinishedRelease();
      api.failures.set(
        'getSummary',
        await refusal(503, { name: 'ServiceUnavailableError', message: 'no database' }),
      );
      renderContent(api);
      expect(await screen.findByRole('alert')).toHaveTextContent('no database');
      await user.click(screen.getByRole('button', { name: 'Retry' }));
      expect(
        await screen.findByRole('heading', { level: 2, name: /^Done: 2.0.0 in place/ }),
      ).toBeVisible();
    });

    it('names the owner to who may not look', async () => {
      const api = new FakeMulticlusterReleaseApi();
      api.failures.set(
        'getSummary',
        await refusal(403, { name: 'NotAllowedError', message: 'no' }),
      );
      renderContent(api);
      expect(
        await screen.findByText('You cannot see releases of this service. Owner: shop.'),
      ).toBeVisible();
    });
  });
});
