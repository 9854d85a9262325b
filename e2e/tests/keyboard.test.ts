import { expect, test, type Locator, type Page } from '@playwright/test';
import { action, PREVIEW, sentence, shownRelease, STAGE } from '../support/checkoutPage';
import { releases } from '../support/releases';
import { openAsGuest } from '../support/signIn';

/** More stops than a page of ours has. */
const MOST_STOPS = 120;

test.describe.configure({ timeout: 240_000 });

test.beforeAll(async () => {
  test.setTimeout(300_000);
  await releases.bring('1.0.0');
});

test.afterAll(async () => {
  test.setTimeout(300_000);
  await releases.bring('1.0.0');
});

test('a release is previewed, started, paused and resumed by keyboard alone', async ({ page }) => {
  await openAsGuest(page, '/catalog/default/component/checkout/releases');
  const start = page.getByRole('button', { name: 'Start a release…' });
  await expect(start).toBeVisible();

  await tabTo(page, start);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Start a release of checkout' });
  await expect(dialog.getByRole('radio').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(start).toBeFocused();

  await page.keyboard.press('Enter');
  await tabTo(page, dialog.getByRole('radio').first());
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('radio', { name: '2.0.0' })).toBeChecked();
  await tabTo(page, dialog.getByRole('button', { name: 'Preview' }));
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('4 clusters will be changed')).toBeVisible(PREVIEW);
  await tabTo(page, dialog.getByRole('button', { name: 'Start 2.0.0 on 4 clusters' }));
  await page.keyboard.press('Enter');
  await shownRelease(page, '2.0.0');
  await expect(dialog).toBeHidden();

  await tabTo(page, action(page, 'Pause'));
  await page.keyboard.press('Enter');
  await expect(sentence(page, /^Paused by guest/)).toBeVisible();
  // The button under one's fingers is now the one that goes on.
  const resume = action(page, 'Resume');
  await expect(resume).toBeFocused();
  await page.keyboard.press('Enter');
  const facts = page.getByRole('dialog', { name: 'Resume' });
  await expect(facts).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(facts).toBeHidden();
  await expect(resume).toBeFocused();

  await page.keyboard.press('Enter');
  await tabTo(page, facts.getByRole('button', { name: 'Resume' }));
  await page.keyboard.press('Enter');
  await expect(sentence(page, /^Done: 2\.0\.0 in place/)).toBeVisible(STAGE);
});

/** Goes on with Tab until an element has the focus, and fails where it never gets it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await target.evaluate(element => element === document.activeElement)) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}
