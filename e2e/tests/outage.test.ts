import { expect, test, type Page } from '@playwright/test';
import { openReleases, versionsTable } from '../support/checkoutPage';
import { outage } from '../support/clusters';
import { releases } from '../support/releases';

/** Until the prober has asked in vain, or again with success, and the page has heard of it. */
const NOTICED = { timeout: 120_000 };

test.describe.configure({ timeout: 300_000 });

test.beforeAll(async () => {
  await releases.bring('1.0.0');
});

test.afterEach(async () => {
  await outage('thaw', 'cluster-c');
});

test('a cluster that does not answer is unknown, and the others are current', async ({ page }) => {
  await openReleases(page);
  await expect(page.getByText('4 of 4 clusters reported')).toBeVisible();

  await outage('freeze', 'cluster-c');
  await expect(page.getByText('3 of 4 clusters reported')).toBeVisible(NOTICED);
  const row = versionsTable(page).getByRole('row', { name: 'cluster-c' });
  await expect(row).toContainText('Unknown');
  await expect(row).toContainText(/no complete answer/);
  await expect(row).toContainText(/\d+ \w+ ago/);
  await expect(row).not.toContainText(/Healthy|\b0 of/);
  await expect(page.getByText(/did not answer \(cluster-c\)/)).toBeVisible();
  for (const cluster of ['cluster-a', 'cluster-b', 'cluster-green']) {
    await expect(versionsTable(page).getByRole('row', { name: cluster })).toContainText('Healthy');
  }
  await expectOversight(page, /No answer in time|Unreachable/);

  await outage('thaw', 'cluster-c');
  await expectOversight(page, /Reachable/);
  await page.goto('/catalog/default/component/checkout/releases');
  await expect(page.getByText('4 of 4 clusters reported')).toBeVisible(NOTICED);
  await expect(versionsTable(page).getByRole('row', { name: 'cluster-c' })).toContainText(
    /1\.0\.0.*Healthy/,
  );
});

/** What the page of all clusters says of the one, while the others are well. */
async function expectOversight(page: Page, state: RegExp): Promise<void> {
  await page.getByRole('link', { name: 'Multicluster releases' }).first().click();
  await page.getByRole('tab', { name: 'Clusters' }).click();
  const table = page.getByRole('table', { name: 'Clusters' });
  await expect(table.getByRole('row', { name: 'cluster-c' })).toContainText(state, NOTICED);
  for (const cluster of ['cluster-a', 'cluster-b', 'cluster-green', 'edge']) {
    await expect(table.getByRole('row', { name: cluster })).toContainText('Reachable');
  }
}
