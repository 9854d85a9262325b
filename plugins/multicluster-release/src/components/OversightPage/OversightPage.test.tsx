import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ResponseError } from '@backstage/errors';
import { renderAs } from '../../__testUtils__/renderAs';
import {
  exampleCluster,
  exampleStop,
  exampleWindow,
  FakeMulticlusterReleaseApi,
  NOW,
} from '../../testing';
import { StopBanner } from '../StopBanner';
import { Clusters } from './Clusters';
import { Stops } from './Stops';
import { Windows } from './Windows';

const user = userEvent.setup({ delay: null });

function createApi() {
  const api = new FakeMulticlusterReleaseApi();
  api.stops = [exampleStop()];
  api.clusters = {
    items: [
      exampleCluster('cluster-a', { groups: ['blue'] }),
      exampleCluster('cluster-b', {
        region: 'cn-north-1',
        cordoned: { by: 'user:default/ops', reason: 'new nodes', since: NOW },
      }),
    ],
  };
  return api;
}

async function pressWhenAllowed(name: string | RegExp) {
  const button = await screen.findByRole('button', { name });
  await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'false'));
  await user.click(button);
  return screen.findByRole('dialog');
}

describe('emergency stops', () => {
  it('are ordered after the counts, with a reason and the typed scope', async () => {
    const api = createApi();
    renderAs('ALLOW', <Stops />, api);
    const dialog = await pressWhenAllowed('Order an emergency stop…');
    await user.click(within(dialog).getByRole('radio', { name: 'Regions' }));
    expect(within(dialog).queryByText(/It reaches/)).not.toBeInTheDocument();
    await user.click(await within(dialog).findByRole('checkbox', { name: 'cn-north-1' }));
    expect(
      await within(dialog).findByText(
        'It reaches 14 services, 212 clusters, and 9 releases that are under way.',
      ),
    ).toBeVisible();
    const stop = within(dialog).getByRole('button', { name: 'Stop' });
    await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'the network is down');
    const scope = within(dialog).getByRole('textbox', { name: /Type “cn-north-1” to confirm/ });
    await user.type(scope, 'cn-north');
    expect(stop).toBeDisabled();
    await user.type(scope, '-1');
    await user.dblClick(stop);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.previewedStops.at(-1)).toEqual({ regions: ['cn-north-1'] });
    expect(api.orderedStops).toEqual([
      { scope: { regions: ['cn-north-1'] }, reason: 'the network is down', allowRollback: false },
    ]);
  });

  it('of services tell a fault of the scope, and are not ordered then', async () => {
    const api = createApi();
    const error = { name: 'InputError', message: 'no', details: [{ message: 'unknown' }] };
    const body = { error, request: {}, response: { statusCode: 400 } };
    const response = new Response(JSON.stringify(body), {
      status: 400,
      headers: { 'Content-Type': 'application/json' },
    });
    const refusal = await ResponseError.fromResponse(response);
    renderAs('ALLOW', <Stops />, api);
    const dialog = await pressWhenAllowed('Order an emergency stop…');
    await user.click(within(dialog).getByRole('radio', { name: 'Services' }));
    api.failures.set('previewStop', refusal);
    await user.click(within(dialog).getByRole('textbox', { name: /Entity references/ }));
    await user.paste('component:default/nothing');
    expect(await within(dialog).findByText('unknown')).toBeVisible();
    await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'the network is down');
    await user.click(within(dialog).getByRole('textbox', { name: /to confirm/ }));
    await user.paste('component:default/nothing');
    expect(within(dialog).getByRole('button', { name: 'Stop' })).toBeDisabled();
  });

  it('are lifted with a reason and the typed scope', async () => {
    const api = createApi();
    renderAs('ALLOW', <Stops />, api);
    const dialog = await pressWhenAllowed('Lift the emergency stop of region cn-east-1');
    const lift = within(dialog).getByRole('button', { name: 'Lift the stop' });
    await user.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'it is up again');
    expect(lift).toBeDisabled();
    await user.type(within(dialog).getByRole('textbox', { name: /to confirm/ }), 'cn-east-1');
    await user.click(lift);
    expect(await screen.findByText('No emergency stop is in force.')).toBeVisible();
    expect(api.liftedStops).toEqual([{ id: 's-1', reason: 'it is up again' }]);
  });

  it('stand in a banner with who, since when and why, and can be lifted from it', async () => {
    const api = createApi();
    renderAs('ALLOW', <StopBanner />, api);
    const banner = await screen.findByRole('alert');
    expect(banner).toHaveTextContent(
      'Emergency stop of region cn-east-1 by ops since 13:00 UTC: the network is down',
    );
    expect(banner).toHaveTextContent('Nothing is written there, rollbacks included.');
    await user.click(await within(banner).findByRole('button', { name: 'Lift…' }));
    expect(await screen.findByRole('dialog')).toHaveTextContent('It reaches 14 services');
  });

  it('more than three are counted', async () => {
    const api = createApi();
    api.stops = ['s-1', 's-2', 's-3', 's-4', 's-5'].map(id => exampleStop({ id }));
    renderAs('ALLOW', <StopBanner />, api);
    expect(await screen.findAllByRole('alert')).toHaveLength(3);
    expect(screen.getByText('+2 more emergency stops')).toBeVisible();
  });
});

describe('clusters', () => {
  it('are taken out with a reason, and say by whom they are', async () => {
    const api = createApi();
    renderAs('ALLOW', <Clusters />, api);
    const row = await screen.findByRole('row', { name: /cluster-b/ });
    expect(row).toHaveTextContent('Taken out by ops since 13:02 UTC: new nodes');
    const dialog = await pressWhenAllowed('Take cluster-a out');
    const take = within(dialog).getByRole('button', { name: 'Take out' });
    expect(take).toBeDisabled();
    await user.type(within(dialog).getByRole('textbox'), 'its nodes are replaced');
    await user.dblClick(take);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(api.sentCordons).toEqual([
      { cluster: 'cluster-a', cordoned: true, reason: 'its nodes are replaced' },
    ]);
  });

  it('are taken in again', async () => {
    const api = createApi();
    renderAs('ALLOW', <Clusters />, api);
    const dialog = await pressWhenAllowed('Let cluster-b take releases again');
    await user.type(within(dialog).getByRole('textbox'), 'the nodes are there');
    await user.click(within(dialog).getByRole('button', { name: 'Take in again' }));
    await waitFor(() => expect(api.sentCordons).toHaveLength(1));
    expect(api.sentCordons[0]).toMatchObject({ cluster: 'cluster-b', cordoned: false });
  });
});

describe('windows', () => {
  it('tell when they are on, here and there, and which cannot be read', async () => {
    const api = createApi();
    api.windows = [
      exampleWindow(),
      exampleWindow({ id: 'w-2', name: 'nights', invalid: 'hour is 24', next: undefined }),
    ];
    renderAs('ALLOW', <Windows />, api);
    const row = await screen.findByRole('row', { name: /New Year/ });
    expect(row).toHaveTextContent('may not start then');
    expect(row).toHaveTextContent('0 0 31 12 *, for 2 days');
    expect(row).toHaveTextContent('14:02 UTC to 15:02 UTC');
    expect(row).toHaveTextContent('There: 22:02 GMT+8 to 23:02 GMT+8');
    expect(screen.getByRole('row', { name: /nights/ })).toHaveTextContent(
      'Cannot be readIt counts as closed: hour is 24',
    );
  });
});
