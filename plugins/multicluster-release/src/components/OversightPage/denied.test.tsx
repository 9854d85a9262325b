import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderAs } from '../../__testUtils__/renderAs';
import { exampleCluster, exampleStop, FakeMulticlusterReleaseApi } from '../../testing';
import { StopBanner } from '../StopBanner';
import { Clusters } from './Clusters';
import { Stops } from './Stops';

const user = userEvent.setup({ delay: null });

/** Presses a button once it is known to be denied, and answers the dialog that must not open. */
async function pressDenied(name: string, permission: string) {
  const button = await screen.findByRole('button', { name });
  await waitFor(() => expect(button).toHaveAccessibleDescription(`You need ${permission}.`));
  await user.click(button);
  return screen.queryByRole('dialog');
}

describe('a viewer who may order nothing', () => {
  it('is told so of emergency stops', async () => {
    const api = new FakeMulticlusterReleaseApi();
    api.stops = [exampleStop()];
    renderAs('DENY', <Stops />, api);
    const permission = 'multicluster-release.stop.write';
    expect(await pressDenied('Order an emergency stop…', permission)).toBeNull();
    const lift = 'Lift the emergency stop of region cn-east-1';
    expect(await pressDenied(lift, permission)).toBeNull();
  });

  it('is told so of clusters', async () => {
    const api = new FakeMulticlusterReleaseApi();
    api.clusters = { items: [exampleCluster('cluster-a')] };
    renderAs('DENY', <Clusters />, api);
    const permission = 'multicluster-release.cluster.write';
    expect(await pressDenied('Take cluster-a out', permission)).toBeNull();
  });

  it('reads the banner all the same', async () => {
    const api = new FakeMulticlusterReleaseApi();
    api.stops = [exampleStop({ allowRollback: true })];
    renderAs('DENY', <StopBanner />, api);
    const banner = await screen.findByRole('alert');
    expect(banner).toHaveTextContent('Nothing is written there but rollbacks.');
    expect(screen.queryByRole('button', { name: 'Lift…' })).not.toBeInTheDocument();
  });
});
