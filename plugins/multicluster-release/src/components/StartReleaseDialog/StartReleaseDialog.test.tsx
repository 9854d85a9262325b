import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  exampleHold,
  exampleMeasuredPlan,
  examplePreview,
  exampleRule,
  FakeMulticlusterReleaseApi,
} from '../../testing';
import { confirmRelease } from '../../__testUtils__/confirmRelease';
import { withActiveRelease, withFinishedRelease } from '../../__testUtils__/examples';
import { refusal } from '../../__testUtils__/refusal';
import { renderContent } from '../../__testUtils__/renderContent';

// Without pauses between keys and clicks: a slow machine stretches each of them.
const user = userEvent.setup({ delay: null });

describe('starting a release', () => {
  /** The button is there before it is known whether the viewer may start. */
  async function startButton() {
    const button = await screen.findByRole('button', { name: 'Start a release…' });
    await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'false'));
    return button;
  }

  async function openDialog(api: FakeMulticlusterReleaseApi) {
    renderContent(api);
    await user.click(await startButton());
    return screen.findByRole('dialog', { name: 'Start a release of checkout' });
  }

  async function typeVersion(dialog: HTMLElement, version: string) {
    await user.type(
      await within(dialog).findByRole('textbox', { name: 'Or type a version' }),
      version,
    );
    await user.click(within(dialog).getByRole('button', { name: 'Preview' }));
  }

  it('previews a typed version and starts exactly that plan', async () => {
    const api = withFinishedRelease();
    const dialog = await openDialog(api);
    await typeVersion(dialog, 'v2.0.0');
    const start = await within(dialog).findByRole('button', {
      name: 'Start 2.0.0 on 3 clusters',
    });
    expect(dialog).toHaveTextContent('canary: cluster-a, then waits until someone promotes');
    expect(dialog).toHaveTextContent('cluster-green: select.exclude names it');
    expect(dialog).toHaveTextContent('Same change on 3 clusters');
    expect(api.previews[0].spec.targetVersion).toBe('2.0.0');
    const reason = within(dialog).getByRole('textbox', { name: 'Reason (optional)' });
    await user.type(reason, 'asked for by support');
    await user.dblClick(start);
    await waitFor(() => expect(api.sentStarts).toHaveLength(1));
    expect(api.sentStarts[0]).toMatchObject({
      document: { spec: { targetVersion: '2.0.0', strategy: { type: 'Canary' } } },
      options: { reason: 'asked for by support', planHash: 'sha256:abcdef0123456789' },
    });
  });

  it('says that the preview tells what comes of the release that is under way', async () => {
    const api = withActiveRelease();
    const message = '3.0.0 takes the place of the release of 2.0.0, which ends where it is';
    const finding = { code: 'WillSupersede', params: {}, severity: 'warning', message } as const;
    api.previewAnswer = examplePreview({ findings: [finding] });
    renderContent(api);
    const button = await startButton();
    expect(button).toHaveAccessibleDescription(
      'A release is under way. The preview says whether the new one waits for it or takes its place.',
    );
    await user.click(button);
    const dialog = await screen.findByRole('dialog', { name: 'Start a release of checkout' });
    await typeVersion(dialog, '3.0.0');
    expect(await within(dialog).findByText(message)).toBeVisible();
  });

  it('says what each stage will measure', async () => {
    const api = withFinishedRelease();
    api.previewAnswer = examplePreview({ plan: exampleMeasuredPlan([exampleRule()]) });
    const dialog = await openDialog(api);
    await typeVersion(dialog, '2.0.0');
    expect(
      await within(dialog).findByText(
        'canary: cluster-a, then observes for 5 min, measures error_rate, at most 1 %',
      ),
    ).toBeVisible();
  });

  it('comes back to the version with every fault', async () => {
    const api = withFinishedRelease();
    const details = [
      { code: 'A', path: 'spec.placement', message: 'is not known' },
      { code: 'B', path: 'spec.targetVersion', message: 'is no version (line 9)' },
    ];
    api.failures.set(
      'preview',
      await refusal(400, { name: 'InputError', message: 'two', details }),
    );
    const dialog = await openDialog(api);
    await typeVersion(dialog, '2.x');
    const alert = await within(dialog).findByRole('alert');
    expect(
      within(alert)
        .getAllByRole('listitem')
        .map(item => item.textContent),
    ).toEqual(['spec.placement: is not known', 'spec.targetVersion: is no version']);
    expect(within(dialog).getByRole('textbox', { name: 'Or type a version' })).toHaveValue('2.x');
  });

  it('shows the new plan when the previewed one is no longer there', async () => {
    const api = withFinishedRelease();
    const dialog = await openDialog(api);
    await typeVersion(dialog, '2.0.0');
    api.failures.set(
      'start',
      await refusal(409, { name: 'ConflictError', code: 'PlanChanged', message: 'moved' }),
    );
    await user.click(await within(dialog).findByRole('button', { name: /^Start 2.0.0/ }));
    expect(
      await within(dialog).findByText(/The plan has changed since this preview/),
    ).toBeVisible();
    expect(api.previews).toHaveLength(2);
  });

  it('does not start what the preview refuses', async () => {
    const api = withFinishedRelease();
    api.previewAnswer = examplePreview({
      plan: undefined,
      diff: [],
      findings: [{ severity: 'error', code: 'X', params: {}, message: 'cluster-a refuses it' }],
    });
    const dialog = await openDialog(api);
    await typeVersion(dialog, '2.0.0');
    expect(await within(dialog).findByText('cluster-a refuses it')).toBeVisible();
    expect(within(dialog).getByRole('button', { name: /^Start 2.0.0/ })).toBeDisabled();
  });

  it('shows why a version is on hold, and releases the hold', async () => {
    const api = withFinishedRelease();
    const hold = exampleHold();
    api.versions = [{ version: '3.0.0', source: 'list', runningOn: [], hold }];
    const dialog = await openDialog(api);
    await user.click(await within(dialog).findByRole('radio', { name: /3.0.0.*On hold/ }));
    expect(within(dialog).getByText(/3.0.0 is on hold since .*: it crashed/)).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Release the hold' }));
    await confirmRelease();
    await waitFor(() => expect(within(dialog).queryByText(/it crashed/)).not.toBeInTheDocument());
    expect(api.releasedHolds).toEqual(['h-1']);
  });

  it('releases a hold where the preview refuses it, and looks again', async () => {
    const api = withFinishedRelease();
    const preview = examplePreview();
    api.versions = [{ version: '3.0.0', source: 'list', runningOn: [], hold: exampleHold() }];
    api.previewAnswer = examplePreview({
      findings: [{ severity: 'error', code: 'OnHold', params: {}, message: 'on hold' }],
      plan: undefined,
    });
    const dialog = await openDialog(api);
    await typeVersion(dialog, 'v3.0.0');
    expect(await within(dialog).findByText('on hold')).toBeVisible();
    expect(within(dialog).getByRole('button', { name: 'Start v3.0.0' })).toBeDisabled();
    api.previewAnswer = preview;
    const release = within(dialog).getByRole('button', { name: 'Release the hold' });
    await waitFor(() => expect(release).toHaveAttribute('aria-disabled', 'false'));
    await user.click(release);
    await confirmRelease();
    expect(
      await within(dialog).findByRole('button', { name: 'Start 2.0.0 on 3 clusters' }),
    ).toBeEnabled();
    expect(api.releasedHolds).toEqual(['h-1']);
  });

  it('says that a typed version is not among those that are known', async () => {
    const api = withFinishedRelease();
    api.versions = [{ version: '2.0.0', source: 'list', runningOn: [] }];
    const dialog = await openDialog(api);
    const field = await within(dialog).findByRole('textbox', { name: 'Or type a version' });
    await user.type(field, 'v2.0.0');
    expect(field).toHaveAccessibleDescription(/^SemVer/);
    await user.type(field, '1');
    expect(field).toHaveAccessibleDescription(/^2.0.01 is not in the list of versions/);
  });

  it('keeps what was entered when the dialog is closed', async () => {
    const api = withFinishedRelease();
    const dialog = await openDialog(api);
    await user.type(
      await within(dialog).findByRole('textbox', { name: 'Or type a version' }),
      '2.1.0',
    );
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await user.click(await startButton());
    expect(await screen.findByRole('textbox', { name: 'Or type a version' })).toHaveValue('2.1.0');
  });

  it('says which permission is missing', async () => {
    renderContent(withFinishedRelease(), { mayStart: false });
    const button = await screen.findByRole('button', { name: 'Start a release…' });
    await waitFor(() =>
      expect(button).toHaveAccessibleDescription(/multicluster-release.release.create/),
    );
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(await screen.findByRole('table', { name: 'History' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Release .* again/ })).not.toBeInTheDocument();
  });
});
