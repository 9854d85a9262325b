import { waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReleaseView } from 'backstage-plugin-multicluster-release-common';
import { exampleActions, exampleRelease, exampleTarget } from '../../testing';
import { apiWith } from '../../__testUtils__/apiWith';
import { openDialog } from '../../__testUtils__/openDialog';
import { renderContent } from '../../__testUtils__/renderContent';

const user = userEvent.setup({ delay: null });

const withRelease = (changes: Partial<ReleaseView>) => apiWith(exampleRelease(changes));

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
    const dialog = within(await openDialog(/^Roll back/, 'Roll back checkout'));
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
    const dialog = within(await openDialog(/^Roll back/, 'Roll back checkout'));
    expect(dialog.getByRole('listitem')).toHaveTextContent('1.0.0: cluster-a/production');
  });

  it('counts names where there are many', async () => {
    const api = withRelease({ actions: exampleActions(['rollback']) });
    api.targets = Array.from({ length: 30 }, (_, index) => went(`eu-${index}`, '1.0.0'));
    renderContent(api);
    const dialog = within(await openDialog(/^Roll back/, 'Roll back checkout'));
    expect(dialog.getByRole('listitem')).toHaveTextContent(/eu-7\/production \+22$/);
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
