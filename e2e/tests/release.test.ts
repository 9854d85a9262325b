import { expect, test, type Page } from '@playwright/test';
import {
  action,
  lane,
  openReleases,
  openStart,
  previewRelease,
  sentence,
  shownRelease,
  STAGE,
  stage,
  startRelease,
  versionsTable,
} from '../support/checkoutPage';
import { TARGETS, versionOn, versions } from '../support/clusters';
import { takePictures } from '../support/pictures';
import { releases } from '../support/releases';

/** After the planned end of a pause, time enough for the engine to start what must not start. */
const SETTLE_MILLISECONDS = 8_000;

const everywhere = (version: string) => TARGETS.map(() => version);

// One story: each test goes on where the one before it ended.
test.describe.configure({ mode: 'serial', timeout: 420_000 });

test.beforeAll(async () => {
  await releases.bring('1.0.0');
});

test('2.0.0 is previewed, goes group by group, and is paused and resumed on the way', async ({
  page,
}) => {
  await openReleases(page);
  await expect(versionsTable(page).getByRole('row')).toHaveCount(TARGETS.length + 1);
  for (const cluster of TARGETS) {
    await expect(versionsTable(page).getByRole('row', { name: cluster })).toContainText('1.0.0');
  }
  expect(await versions()).toEqual(everywhere('1.0.0'));

  const id = await previewAndStart(page);
  await expect(stage(page, 'canary')).toHaveAttribute('aria-current', 'step');
  await expect(sentence(page, /Observing canary until/)).toBeVisible(STAGE);
  await action(page, 'Pause').click();
  await expect(sentence(page, /^Paused by guest, since \d\d:\d\d UTC/)).toBeVisible();
  expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0', '1.0.0']);

  await staysPausedBeyondItsSoak(page, id);
  await page.reload();
  await expect(sentence(page, /^Paused by guest/)).toBeVisible();

  await action(page, 'Resume').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await expect(sentence(page, /Observing gray until/)).toBeVisible(STAGE);
  await expect(stage(page, 'gray')).toHaveAttribute('aria-current', 'step');
  expect(await versions()).toEqual(['2.0.0', '2.0.0', '1.0.0', '1.0.0']);
  await takePictures(page, 'releases', versionsTable(page));

  await expectInOrder(page);
  await expect(sentence(page, /^Done: 2\.0\.0 in place on 4 clusters, ended/)).toBeVisible(STAGE);
  expect(await versions()).toEqual(everywhere('2.0.0'));
  for (const cluster of TARGETS) {
    await expect(versionsTable(page).getByRole('row', { name: cluster })).toContainText('2.0.0');
  }
});

test('3.0.0 crashes on the first cluster and comes back; its hold is told and can be released', async ({
  page,
}) => {
  await openReleases(page);
  await startRelease(page, '3.0.0');
  await expect.poll(() => versionOn('cluster-a'), STAGE).toBe('3.0.0');
  expect((await versions()).slice(1)).toEqual(['2.0.0', '2.0.0', '2.0.0']);

  await expect(sentence(page, /^Rolled back: 3\.0\.0 was taken back from 1 cluster/)).toBeVisible(
    STAGE,
  );
  await expect(lane(page, 'cluster-a')).toContainText('Rolled back');
  expect(await versions()).toEqual(everywhere('2.0.0'));

  const dialog = await openStart(page);
  await dialog.getByRole('radio', { name: '3.0.0' }).check();
  await expect(dialog.getByText(/^3\.0\.0 is on hold since .*cluster-a/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Release the hold' }).click();
  const question = page.getByRole('dialog', { name: 'Release the hold on 3.0.0' });
  await question.getByRole('button', { name: 'Release the hold' }).click();
  await expect(dialog.getByText(/on hold/i)).toHaveCount(0);
});

test('rolling back a release that is done makes a new one, back to 1.0.0', async ({ page }) => {
  await openReleases(page);
  await page
    .getByRole('button', { name: /^Open the release of 2\.0\.0/ })
    .first()
    .click();
  await expect(sentence(page, /^Done: 2\.0\.0 in place/)).toBeVisible();
  await page.reload();
  await expect(sentence(page, /^Done: 2\.0\.0 in place/)).toBeVisible();
  const finished = new URL(page.url()).searchParams.get('release') ?? '';

  await action(page, 'Roll back to 1.0.0…').click();
  const dialog = page.getByRole('dialog', { name: 'Roll back checkout' });
  await expect(dialog.getByText(/^1\.0\.0: cluster-a\/production/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Roll back' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).not.toHaveURL(new RegExp(finished));
  await expect(sentence(page, /^Done: back at 1\.0\.0 on 4 clusters/)).toBeVisible(STAGE);
  expect(await versions()).toEqual(everywhere('1.0.0'));

  await page.goBack();
  await expect(page).toHaveURL(new RegExp(finished));
  await expect(page.getByText(/^Rolled back by the release of 1\.0\.0/).first()).toBeVisible();
});

async function previewAndStart(page: Page): Promise<string> {
  const dialog = await previewRelease(page, '2.0.0');
  await expect(dialog.getByText('4 clusters will be changed')).toBeVisible();
  await expect(dialog.getByRole('heading', { name: 'Same change on 4 clusters' })).toBeVisible();
  const image = dialog.getByRole('listitem').filter({ hasText: '/containers/0/image' });
  await expect(image).toContainText(/Before: .*checkout:1\.0\.0\s*After: .*checkout:2\.0\.0/);
  await expect(dialog.getByText('edge: label tier is edge, not shop')).toBeVisible();
  expect(await versions()).toEqual(everywhere('1.0.0'));
  await dialog.getByRole('button', { name: 'Start 2.0.0 on 4 clusters' }).click();
  return shownRelease(page, '2.0.0');
}

/** The pause of the stage is over by its plan, and yet nothing new starts. */
async function staysPausedBeyondItsSoak(page: Page, id: string): Promise<void> {
  const [canary] = await releases.stages(id);
  const soakEnds = (canary.startedAt ?? 0) + (canary.pauseMilliseconds ?? 0);
  const settled = Math.max(Date.now(), soakEnds) + SETTLE_MILLISECONDS;
  await expect
    .poll(() => Date.now(), { timeout: 60_000 + SETTLE_MILLISECONDS })
    .toBeGreaterThan(settled);
  await expect(sentence(page, /^Paused by guest/)).toBeVisible();
  await expect(stage(page, 'gray')).toContainText('Not started');
  expect(await versions()).toEqual(['2.0.0', '1.0.0', '1.0.0', '1.0.0']);
}

/** The production group goes one cluster at a time, in order. */
async function expectInOrder(page: Page): Promise<void> {
  const done = sentence(page, /^Done/);
  while (!(await done.isVisible())) {
    // The later one is read first, so that it is never ahead only because it was read later.
    const green = await versionOn('cluster-green');
    const before = await versionOn('cluster-c');
    expect([before, green]).not.toEqual(['1.0.0', '2.0.0']);
  }
}
