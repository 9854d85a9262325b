import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { RemovalView } from 'backstage-plugin-multicluster-release-common';
import { renderContent } from '../../__testUtils__/renderContent';
import {
  exampleFinalRelease,
  exampleRelease,
  exampleSummary,
  FakeMulticlusterReleaseApi,
  SERVICE,
} from '../../testing';

const user = userEvent.setup({ delay: null });

const REMOVAL: RemovalView = {
  targets: [],
  changes: [
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      namespace: 'production',
      name: 'checkout',
      change: 'deleted',
      fields: [],
    },
  ],
  kept: [{ apiVersion: 'v1', kind: 'Namespace', name: 'production', why: 'was there before us' }],
  findings: [],
};

function createApi(removal: RemovalView = REMOVAL) {
  const api = new FakeMulticlusterReleaseApi();
  const release = exampleFinalRelease();
  api.releases = [release];
  api.summary = exampleSummary({ lastRelease: release });
  api.removal = removal;
  return api;
}

async function openDialog() {
  await user.click(
    await screen.findByRole('button', { name: 'Remove the service from cluster-b' }),
  );
  return screen.findByRole('dialog', { name: 'Remove checkout from cluster-b' });
}

describe('RemoveDialog', () => {
  it('says what goes and what stays, and removes once, with a reason', async () => {
    const api = createApi();
    renderContent(api);
    const dialog = await openDialog();
    expect(await within(dialog).findByText('1 object goes:')).toBeVisible();
    const objects = within(dialog).getAllByRole('listitem');
    expect(objects.map(({ textContent }) => textContent)).toEqual([
      'Deployment production/checkout',
      'Namespace production – was there before us',
    ]);
    const remove = within(dialog).getByRole('button', { name: 'Remove' });
    expect(remove).toBeDisabled();
    await user.type(within(dialog).getByRole('textbox'), 'it moves to cluster-c');
    api.releases = [
      exampleRelease({ id: 'r-removal', strategy: 'Removal', fromVersions: ['1.0.0'] }),
      ...api.releases,
    ];
    await user.dblClick(remove);
    expect(await screen.findByText('1.0.0 → nothing')).toBeVisible();
    expect(api.sentRemovals).toEqual([
      {
        target: { cluster: 'cluster-b', namespace: 'production' },
        options: {
          reason: 'it moves to cluster-c',
          last: false,
          idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
        },
      },
    ]);
  });

  it('takes the last place only where that is said to be meant', async () => {
    const message = `${SERVICE} would run nowhere`;
    const params = {};
    const finding = { severity: 'error', code: 'NoEligibleCluster', params, message } as const;
    const api = createApi({ ...REMOVAL, findings: [finding] });
    renderContent(api);
    const dialog = await openDialog();
    expect(await within(dialog).findByText('checkout would run nowhere')).toBeVisible();
    await user.type(within(dialog).getByRole('textbox'), 'it is switched off');
    const remove = within(dialog).getByRole('button', { name: 'Remove' });
    expect(remove).toBeDisabled();
    await user.click(within(dialog).getByRole('checkbox'));
    await user.click(remove);
    await waitFor(() => expect(api.sentRemovals).toHaveLength(1));
    expect(api.sentRemovals[0].options.last).toBe(true);
  });

  it('is not offered to who may not remove', async () => {
    const api = createApi();
    api.summary = { ...api.summary, service: 'component:others/checkout' };
    renderContent(api, { mayStart: false });
    const start = await screen.findByRole('button', { name: 'Start a release…' });
    // Permissions are asked together: when this one is known to be denied, so is the other.
    await waitFor(() => expect(start).toHaveAccessibleDescription(/You need/));
    const table = screen.getByRole('table', { name: 'What runs where' });
    expect(within(table).queryByRole('button')).not.toBeInTheDocument();
  });
});
