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
  exampleTarget,
  NOW,
} from '../../testing';
import { apiWith } from '../../__testUtils__/apiWith';
import { openDialog } from '../../__testUtils__/openDialog';
import { renderContent } from '../../__testUtils__/renderContent';

const user = userEvent.setup({ delay: null });

const withRelease = (changes: Partial<ReleaseView>) => apiWith(exampleRelease(changes));

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

function withQuestion(changes: Partial<ReleaseView['actions']> = {}, asked = question()) {
  const params = { gate: '0.2' };
  const [canary, production] = exampleStages();
  const release = exampleRelease({
    actions: {
      ...exampleActions(['pause']),
      approve: { allowed: true, expectedStage: 0, params },
      reject: { allowed: true, params },
      ...changes,
    },
  });
  return apiWith(release, [{ ...canary, approvals: [asked] }, production]);
}

async function openFromMenu(item: string) {
  await user.click(await screen.findByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: item }));
  return screen.findByRole('dialog', { name: item.replace('…', '') });
}

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
