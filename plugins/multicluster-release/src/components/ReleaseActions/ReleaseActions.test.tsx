import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ResponseError } from '@backstage/errors';
import type { ApprovalView, ReleaseView } from 'backstage-plugin-multicluster-release-common';
import {
  exampleActions,
  exampleMeasuredPlan,
  exampleRelease,
  exampleRule,
  exampleStages,
  exampleSummary,
  exampleTarget,
  FakeMulticlusterReleaseApi,
  NOW,
} from '../../testing';
import { refusal } from '../../__testUtils__/refusal';
import { renderContent } from '../../__testUtils__/renderContent';

const user = userEvent.setup({ delay: null });
const HASH = exampleRelease().plan.hash;

function question(changes: Partial<ApprovalView> = {}): ApprovalView {
  return {
    gate: '0.2',
    when: 'after',
    required: 2,
    from: ['group:default/sre'],
    selfApproval: false,
    askedAt: NOW - 60_000,
    votes: [{ by: 'user:default/jane', at: NOW - 30_000, reason: 'looks good' }],
    ...changes,
  };
}

function withRelease(changes: Partial<ReleaseView>, approvals?: ApprovalView[]) {
  const api = new FakeMulticlusterReleaseApi();
  const release = exampleRelease(changes);
  const [canary, production] = exampleStages();
  api.releases = [release];
  api.stages = [{ ...canary, approvals }, production];
  api.summary = exampleSummary({ activeRelease: release, lastRelease: release });
  return api;
}

function withQuestion(changes: Partial<ReleaseView['actions']> = {}, asked = question()) {
  const params = { gate: '0.2' };
  return withRelease(
    {
      actions: {
        ...exampleActions(['pause']),
        approve: { allowed: true, expectedStage: 0, params },
        reject: { allowed: true, params },
        ...changes,
      },
    },
    [asked],
  );
}

async function openDialog(button: string) {
  await user.click(await screen.findByRole('button', { name: button }));
  return screen.findByRole('dialog');
}

async function openFromMenu(item: string) {
  await user.click(await screen.findByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
  return screen.findByRole('dialog', { name: item.replace('…', '') });
}

describe('approvals', () => {
  it('approves the plan that was seen, once, after what is known of the question', async () => {
    const api = withQuestion();
    renderContent(api);
    const dialog = await openDialog('Approve…');
    expect(dialog).toHaveTextContent('1 of 2 approvals');
    expect(dialog).toHaveTextContent('jane at 13:01 UTC: looks good');
    expect(dialog).toHaveTextContent('sre can approve');
    expect(dialog).toHaveTextContent('Your approval is the last one needed.');
    await user.dblClick(within(dialog).getByRole('button', { name: 'Approve' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.sentActions.map(({ action, request }) => ({ action, request }))).toEqual([
      { action: 'approve', request: { expectedStage: 0, gate: '0.2', planHash: HASH } },
    ]);
  });

  it('shows what the plan changes, and says where that cannot be shown', async () => {
    const api = withQuestion();
    api.failures.set(
      'getPlanDiff',
      await refusal(404, { name: 'NotFoundError', message: 'No preview of plan x is kept' }),
    );
    renderContent(api);
    const dialog = within(await openDialog('Approve…'));
    const told = await dialog.findByRole('alert');
    expect(told).toHaveTextContent('you would answer without having seen it');
    expect(told).toHaveTextContent('No preview of plan x is kept');
    await user.click(within(told).getByRole('button', { name: 'Retry' }));
    expect(await dialog.findByText('checkout:2.0.0')).toBeInTheDocument();
    expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
    expect(api.askedDiffs).toEqual([HASH, HASH]);
  });

  it('can be rejected where it was to be approved', async () => {
    const api = withQuestion();
    renderContent(api, { at: '/?release=r-2&approve=0.2' });
    const dialog = await screen.findByRole('dialog', { name: 'Approve' });
    await user.click(within(dialog).getByRole('radio', { name: 'Reject' }));
    const reject = within(dialog).getByRole('button', { name: 'Reject' });
    expect(reject).toBeDisabled();
    await user.type(within(dialog).getByRole('textbox'), 'not on a Friday');
    await user.click(reject);
    await waitFor(() => expect(api.sentActions).toHaveLength(1));
    expect(api.sentActions[0]).toMatchObject({
      action: 'reject',
      request: { gate: '0.2', reason: 'not on a Friday', planHash: undefined },
    });
  });

  it('say why only one answer can be given', async () => {
    const approve = { allowed: false, reasonCode: 'SelfApproval' };
    renderContent(withQuestion({ approve }));
    const dialog = within(await openDialog('Reject…'));
    expect(dialog.getByRole('radio', { name: 'Approve' })).toBeDisabled();
    expect(dialog.getByRole('radio', { name: 'Reject' })).toBeChecked();
    expect(dialog.getByText(/who started the release cannot approve it/)).toBeVisible();
  });

  it('rejects only with a reason', async () => {
    const api = withQuestion();
    renderContent(api);
    const dialog = await openDialog('Reject…');
    const reject = within(dialog).getByRole('button', { name: 'Reject' });
    const reason = within(dialog).getByRole('textbox', { name: /at least 10 characters/ });
    await user.type(reason, 'too slow');
    expect(reject).toBeDisabled();
    await user.type(reason, ' under load');
    await user.click(reject);
    await waitFor(() => expect(api.sentActions).toHaveLength(1));
    expect(api.sentActions[0]).toMatchObject({
      action: 'reject',
      request: { gate: '0.2', reason: 'too slow under load' },
    });
  });

  it('says to whom is not asked who is', async () => {
    const denied = {
      allowed: false,
      reasonCode: 'NotAsked',
      params: { who: 'group:default/sre, user:default/jane' },
    };
    renderContent(withQuestion({ approve: denied, reject: denied }));
    const approve = await screen.findByRole('button', { name: 'Approve…' });
    expect(approve).toHaveAccessibleDescription('Approve, Reject: only sre and jane can answer');
  });

  it('opens the dialog that a link leads to, and sends nothing before the click', async () => {
    const api = withQuestion();
    renderContent(api, { at: '/?release=r-2&approve=0.2' });
    const dialog = await screen.findByRole('dialog', { name: 'Approve' });
    expect(api.sentActions).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.sentActions).toEqual([]);
  });

  it('says who has answered a question that a link leads to too late', async () => {
    const api = withQuestion(
      { approve: { allowed: false, reasonCode: 'NothingToApprove' } },
      question({ required: 1, passedAt: NOW }),
    );
    renderContent(api, { at: '/?release=r-2&approve=0.2' });
    const told = await screen.findByText('This question has been answered; nothing is left to do.');
    expect(told.parentElement).toHaveTextContent('1 of 1 approval');
    expect(told.parentElement).toHaveTextContent('jane at 13:01 UTC: looks good');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('a way back', () => {
  const went = (cluster: string, version: string) =>
    exampleTarget(cluster, { state: 'Done', from: { version, digest: `sha256:${version}` } });

  it('says which cluster goes to which version, and follows the choice', async () => {
    const api = withRelease({ actions: exampleActions(['rollback']) });
    api.targets = [
      went('cluster-a', '1.0.0'),
      went('cluster-b', '1.1.0'),
      went('cluster-c', '1.0.0'),
      went('cluster-d', 'before adoption'),
    ];
    renderContent(api);
    await user.click(await screen.findByRole('button', { name: /^Roll back/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Roll back checkout' }));
    const ways = () => dialog.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(ways()).toEqual([
      '1.0.0: cluster-a/production, cluster-c/production',
      '1.1.0: cluster-b/production',
      'what ran before the first release: cluster-d/production',
    ]);
    await user.click(dialog.getByRole('radio', { name: 'Only some of them' }));
    expect(dialog.queryByRole('listitem')).not.toBeInTheDocument();
    await user.click(dialog.getByRole('checkbox', { name: 'cluster-b/production' }));
    expect(ways()).toEqual(['1.1.0: cluster-b/production']);
  });

  it('names the only cluster that goes back', async () => {
    const api = withRelease({ actions: exampleActions(['rollback']) });
    api.targets = [went('cluster-a', '1.0.0'), exampleTarget('cluster-b')];
    renderContent(api);
    await user.click(await screen.findByRole('button', { name: /^Roll back/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Roll back checkout' }));
    expect(dialog.getByRole('listitem')).toHaveTextContent('1.0.0: cluster-a/production');
  });

  it('counts names where there are many', async () => {
    const api = withRelease({ actions: exampleActions(['rollback']) });
    api.targets = Array.from({ length: 30 }, (_, index) => went(`eu-${index}`, '1.0.0'));
    renderContent(api);
    await user.click(await screen.findByRole('button', { name: /^Roll back/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Roll back checkout' }));
    expect(dialog.getByRole('listitem')).toHaveTextContent(/eu-7\/production, \+22$/);
  });
});

describe('a reason', () => {
  it.each([
    ['promote', 'Promote to production (2)…', 'Promote'],
    ['resume', 'Resume…', 'Resume'],
    ['abort', 'Stop here…', 'Stop here'],
  ] as const)('can be given to %s, and is not needed', async (action, button, confirm) => {
    const state = action === 'resume' ? 'Paused' : 'Progressing';
    const api = withRelease({ state, actions: exampleActions([action]) });
    renderContent(api);
    const dialog = within(await openDialog(button));
    expect(dialog.getByRole('button', { name: confirm })).toBeEnabled();
    await user.type(dialog.getByRole('textbox', { name: 'Reason (optional)' }), 'as agreed');
    await user.click(dialog.getByRole('button', { name: confirm }));
    await waitFor(() => expect(api.sentActions).toHaveLength(1));
    expect(api.sentActions[0]).toMatchObject({ action, request: { reason: 'as agreed' } });
  });
});

describe('promote to the end', () => {
  it('says so to the server, once (C51)', async () => {
    const api = withRelease({});
    api.stages = api.stages.map(stage => ({ ...stage, untilPromoted: true }));
    renderContent(api);
    const dialog = await openDialog('Promote to the end…');
    await user.dblClick(within(dialog).getByRole('button', { name: 'Promote' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.sentActions.map(({ request }) => request)).toEqual([
      { expectedStage: 0, full: true },
    ]);
  });

  it('is not offered where one step is all', async () => {
    renderContent(withRelease({}));
    expect(await screen.findByRole('button', { name: 'Promote to production (2)…' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /to the end/ })).not.toBeInTheDocument();
  });
});

describe('a changed plan', () => {
  it('asks before it releases a hold, and sends that as another click', async () => {
    const api = withRelease({
      waiting: [
        {
          code: 'planChanged',
          params: { what: '2.0.0 was put on hold meanwhile' },
          message: '',
          since: NOW,
          blocking: true,
        },
      ],
      actions: {
        ...exampleActions(['pause']),
        accept: { allowed: true, params: { planHash: 'sha256:2' } },
      },
    });
    const error = { name: 'ConflictError', code: 'OnHold', message: 'on hold' };
    const body = { error, request: {}, response: { statusCode: 409 } };
    const response = new Response(JSON.stringify(body), {
      status: 409,
      headers: { 'Content-Type': 'application/json' },
    });
    api.failures.set('act', await ResponseError.fromResponse(response));
    renderContent(api);
    const dialog = await openDialog('Accept the change…');
    expect(dialog).toHaveTextContent('2.0.0 was put on hold meanwhile');
    await user.click(within(dialog).getByRole('button', { name: 'Accept' }));
    await user.click(
      await within(dialog).findByRole('button', { name: 'Release the hold and go on' }),
    );
    await waitFor(() => expect(api.sentActions).toHaveLength(2));
    const [first, second] = api.sentActions;
    expect(first.request).toEqual({ planHash: 'sha256:2' });
    expect(second.request).toEqual({ planHash: 'sha256:2', releaseHold: true });
    expect(second.idempotencyKey).not.toBe(first.idempotencyKey);
  });
});

describe('changes on clusters since the preview', () => {
  const NAMES = Array.from({ length: 10 }, (_, index) => `cluster-${index}`);

  function withBlocked(names: string[], risksHash: string) {
    const api = withRelease({
      actions: { ...exampleActions(['pause']), accept: { allowed: true, params: { risksHash } } },
    });
    api.targets = names.map(name =>
      exampleTarget(name, { state: 'Blocked', message: `removes a port on ${name}` }),
    );
    return api;
  }

  it('lists every one of them and accepts those that are listed', async () => {
    const api = withBlocked(NAMES, 'hash-1');
    renderContent(api);
    const dialog = await openDialog('Accept the change…');
    for (const name of NAMES) {
      expect(dialog).toHaveTextContent(`${name}/production: removes a port on ${name}`);
    }
    await user.click(within(dialog).getByRole('button', { name: 'Accept' }));
    await waitFor(() => expect(api.sentActions).toHaveLength(1));
    expect(api.sentActions[0].request).toEqual({
      risksHash: 'hash-1',
      targets: NAMES.map(cluster => ({ cluster, namespace: 'production' })),
    });
  });
});

describe('a change that comes while its dialog is open', () => {
  it('is shown, and accepted only after another look', async () => {
    const acceptable = (risksHash: string) => ({
      actions: { ...exampleActions(['pause']), accept: { allowed: true, params: { risksHash } } },
    });
    const blocked = (name: string) => exampleTarget(name, { state: 'Blocked', message: 'less' });
    const api = withRelease(acceptable('hash-1'));
    api.targets = [blocked('cluster-a')];
    renderContent(api);
    const dialog = await openDialog('Accept the change…');
    api.releases = [exampleRelease(acceptable('hash-2'))];
    api.targets = [blocked('cluster-a'), blocked('cluster-b')];
    window.dispatchEvent(new Event('focus'));
    expect(await within(dialog).findByText(/has moved on while this was open/)).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Accept' })).toBeDisabled();
    expect(dialog).toHaveTextContent('cluster-b/production: less');
    await user.click(within(dialog).getByRole('button', { name: 'Review again' }));
    await user.click(within(dialog).getByRole('button', { name: 'Accept' }));
    await waitFor(() => expect(api.sentActions).toHaveLength(1));
    expect(api.sentActions[0].request).toMatchObject({ risksHash: 'hash-2' });
    expect(api.sentActions[0].request.targets).toHaveLength(2);
  });
});

describe('what is needed seldom', () => {
  it('skips chosen clusters that are not done', async () => {
    const api = withRelease({ actions: exampleActions(['pause', 'skip-cluster']) });
    renderContent(api);
    const dialog = await openFromMenu('Skip clusters…');
    const skip = within(dialog).getByRole('button', { name: 'Skip' });
    expect(skip).toBeDisabled();
    expect(within(dialog).getAllByRole('checkbox')).toHaveLength(2);
    await user.click(within(dialog).getByRole('checkbox', { name: 'cluster-c/production' }));
    await user.click(skip);
    await waitFor(() => expect(api.sentActions).toHaveLength(1));
    expect(api.sentActions[0]).toMatchObject({
      action: 'skip-cluster',
      request: { targets: [{ cluster: 'cluster-c', namespace: 'production' }] },
    });
  });

  it('skips a gate only with a reason, and names whose it is', async () => {
    const skip = { allowed: true, expectedStage: 0, params: { gate: '0.2' } };
    const api = withQuestion({ 'skip-gate': skip });
    renderContent(api);
    const dialog = await openFromMenu('Skip the gate…');
    expect(dialog).toHaveTextContent('The release goes on without the approval of sre.');
    const button = within(dialog).getByRole('button', { name: 'Skip' });
    expect(button).toBeDisabled();
    await user.type(within(dialog).getByRole('textbox'), 'nobody of sre is awake');
    await user.click(button);
    await waitFor(() => expect(api.sentActions).toHaveLength(1));
    expect(api.sentActions[0].request).toMatchObject({
      expectedStage: 0,
      gate: '0.2',
      reason: 'nobody of sre is awake',
    });
  });

  describe('a gate that is no question', () => {
    const skip = { allowed: true, expectedStage: 0, params: { gate: '0.4' } };
    const actions = { ...exampleActions(['pause']), 'skip-gate': skip };

    it('names what it measures, with the limit', async () => {
      const api = withRelease({ actions });
      const latency = { name: 'latency', unit: 'ms', limit: { max: 300 } };
      api.plan = exampleMeasuredPlan([exampleRule(), exampleRule(latency)]);
      renderContent(api);
      await screen.findByRole('region', { name: 'Measurements' });
      const dialog = await openFromMenu('Skip the gate…');
      expect(dialog).toHaveTextContent(
        'Measurementserror_rate, at most 1 %; latency, at most 300 ms',
      );
      expect(dialog).toHaveTextContent('The release goes on without these measurements.');
      await user.type(within(dialog).getByRole('textbox'), 'Prometheus is being moved');
      await user.click(within(dialog).getByRole('button', { name: 'Skip' }));
      await waitFor(() => expect(api.sentActions).toHaveLength(1));
      expect(api.sentActions[0].request).toMatchObject({ gate: '0.4', expectedStage: 0 });
    });

    it('names the Jobs where nothing is measured there', async () => {
      const api = withRelease({ actions });
      renderContent(api);
      const dialog = await openFromMenu('Skip the gate…');
      await waitFor(() =>
        expect(dialog).toHaveTextContent('without waiting for the Jobs of this step'),
      );
      expect(within(dialog).queryByText('Measurements')).toBeNull();
    });

    it('names neither where it is not known which it is', async () => {
      const api = withRelease({ actions });
      jest.spyOn(api, 'listSteps').mockRejectedValue(new Error('the database is away'));
      renderContent(api);
      const dialog = await openFromMenu('Skip the gate…');
      expect(dialog).toHaveTextContent('The release goes on without waiting for this gate.');
    });
  });

  it('ends an observation of the stage that was seen', async () => {
    const skip = { allowed: true, expectedStage: 0 };
    const actions = { ...exampleActions(['pause']), 'skip-wait': skip };
    const api = withRelease({ actions });
    renderContent(api);
    const dialog = await openFromMenu('Skip the wait…');
    await user.click(within(dialog).getByRole('button', { name: 'Skip' }));
    await waitFor(() => expect(api.sentActions).toHaveLength(1));
    expect(api.sentActions[0].request).toEqual({ expectedStage: 0 });
  });

  it('is not there where there is nothing to skip', async () => {
    renderContent(withRelease({}));
    expect(await screen.findByRole('button', { name: 'Pause' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'More' })).not.toBeInTheDocument();
  });
});

describe('rolling back while a release runs', () => {
  it('sends back all that it changed, or chosen clusters alone', async () => {
    const api = withRelease({});
    api.targets = ['cluster-a', 'cluster-b'].map(name => exampleTarget(name, { state: 'Done' }));
    renderContent(api);
    const dialog = await openDialog('Roll back to 1.0.0…');
    expect(dialog).toHaveTextContent(
      '2.0.0 is then on hold: it does not come again until somebody releases the hold.',
    );
    await user.click(within(dialog).getByRole('radio', { name: 'Only some of them' }));
    expect(dialog).toHaveTextContent('the release goes on with the others');
    await user.click(within(dialog).getByRole('checkbox', { name: 'cluster-b/production' }));
    await user.click(within(dialog).getByRole('button', { name: 'Roll back' }));
    await waitFor(() => expect(api.sentActions).toHaveLength(1));
    expect(api.sentActions[0].request.targets).toEqual([
      { cluster: 'cluster-b', namespace: 'production' },
    ]);
  });

  it('says so and sends the whole release back where all that it changed is chosen', async () => {
    const api = withRelease({});
    api.targets = ['cluster-a', 'cluster-b'].map(name => exampleTarget(name, { state: 'Done' }));
    renderContent(api);
    const dialog = await openDialog('Roll back to 1.0.0…');
    await user.click(within(dialog).getByRole('radio', { name: 'Only some of them' }));
    for (const box of within(dialog).getAllByRole('checkbox')) {
      await user.click(box);
    }
    expect(dialog).toHaveTextContent('so the whole release is rolled back');
    expect(dialog).toHaveTextContent('is then on hold');
    expect(dialog).not.toHaveTextContent('goes on with the others');
    await user.click(within(dialog).getByRole('button', { name: 'Roll back' }));
    await waitFor(() => expect(api.sentActions).toHaveLength(1));
    expect(api.sentActions[0].request.targets).toBeUndefined();
  });

  it('says so where it has changed no cluster yet', async () => {
    const api = withRelease({});
    api.targets = [exampleTarget('cluster-a')];
    renderContent(api);
    const dialog = await openDialog('Roll back to 1.0.0…');
    expect(dialog).toHaveTextContent('This release has changed no cluster yet.');
    expect(dialog).toHaveTextContent('Nothing has to be put back; the release ends.');
    expect(dialog).not.toHaveTextContent(/\(0\)|on hold|go back to/);
  });

  it('lists only what the release wrote to and has not put back', async () => {
    const api = withRelease({});
    api.targets = [
      exampleTarget('cluster-a', { state: 'Done' }),
      exampleTarget('cluster-b', { state: 'Pending', canGoBack: true }),
      exampleTarget('cluster-c', { state: 'Offline', canGoBack: false }),
      exampleTarget('cluster-d', { state: 'Blocked', canGoBack: false }),
    ];
    renderContent(api);
    const dialog = await openDialog('Roll back to 1.0.0…');
    await user.click(within(dialog).getByRole('radio', { name: 'Only some of them' }));
    expect(within(dialog).getAllByRole('checkbox')).toHaveLength(2);
    expect(dialog).toHaveTextContent('cluster-a/production');
    expect(dialog).toHaveTextContent('cluster-b/production');
  });
});
