import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  exampleActions,
  exampleRelease,
  exampleSummary,
  FakeMulticlusterReleaseApi,
} from '../../testing';
import { renderContent } from '../../__testUtils__/renderContent';

const user = userEvent.setup({ delay: null });
const before = window.matchMedia;

describe('the button bar of a narrow screen', () => {
  beforeAll(() => {
    window.matchMedia = query => ({
      matches: true,
      media: query,
      onchange: null,
      addListener: () => {},
      removeListener: () => {},
      addEventListener: () => {},
      removeEventListener: () => {},
      dispatchEvent: () => true,
    });
  });
  afterAll(() => {
    window.matchMedia = before;
  });

  function withRelease() {
    const api = new FakeMulticlusterReleaseApi();
    const denied = { allowed: false, reasonCode: 'NothingToPromote' };
    const actions = exampleActions(['pause', 'abort', 'rollback', 'skip-wait'], denied);
    const release = exampleRelease({ actions });
    api.releases = [release];
    api.summary = exampleSummary({ activeRelease: release, lastRelease: release });
    return api;
  }

  it('holds what is urgent; the rest is in a menu, where what is denied says why', async () => {
    const api = withRelease();
    renderContent(api);
    const bar = within(await screen.findByRole('group', { name: 'Actions' }));
    const labels = bar.getAllByRole('button').map(({ textContent }) => textContent);
    expect(labels).toEqual(['Pause', 'Stop here…', 'Roll back to 1.0.0…', 'More']);
    await user.click(bar.getByRole('button', { name: 'More' }));
    const promote = await screen.findByRole('menuitem', { name: /^Promote to production/ });
    expect(promote).toHaveAttribute('aria-disabled', 'true');
    expect(promote).toHaveTextContent('nothing waits for a promotion');
    await user.click(promote);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('tells plainly what was done after a dialog, and when', async () => {
    const api = withRelease();
    const [release] = api.releases;
    const approve = { allowed: true, params: { gate: '0.2' } };
    api.releases = [
      exampleRelease({
        actions: { ...release.actions, approve },
        waiting: [{ ...release.waiting[0], code: 'approval', params: { n: 1, who: 'sre' } }],
      }),
    ];
    renderContent(api);
    const bar = within(await screen.findByRole('group', { name: 'Actions' }));
    await user.click(bar.getByRole('button', { name: 'Approve…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Approve' });
    await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
    const told = await screen.findByText('Your approval is recorded');
    expect(told.parentElement).toHaveTextContent(
      'Your approval is recorded Requested at 13:02 UTC',
    );
  });

  it('tells what was done inside of it, where nothing lies over the buttons', async () => {
    const api = withRelease();
    renderContent(api);
    const bar = within(await screen.findByRole('group', { name: 'Actions' }));
    await user.click(bar.getByRole('button', { name: 'Pause' }));
    const told = await bar.findByRole('status');
    expect(told).toHaveTextContent('Paused. Running clusters finish their current step.');
    await user.click(within(told).getByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(api.sentActions.map(({ action }) => action)).toEqual(['pause', 'resume']),
    );
    await waitFor(() => expect(bar.queryByRole('status')).not.toBeInTheDocument());
  });
});
