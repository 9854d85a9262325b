import { expect, test } from '@playwright/test';
import { openAsGuest } from '../support/signIn';

test('the app opens without a complaint in the console', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', error => complaints.push(error.message));

  await openAsGuest(page);

  await expect(page.getByRole('heading', { name: /catalog/i }).first()).toBeVisible();
  expect(complaints).toEqual([]);
});
