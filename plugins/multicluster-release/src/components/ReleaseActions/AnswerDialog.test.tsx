import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ApprovalView, ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { exampleActions, exampleRelease, exampleStages, NOW } from '../../testing';
import { apiWith } from '../../__testUtils__/apiWith';
import { openDialog } from '../../__testUtils__/openDialog';
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
