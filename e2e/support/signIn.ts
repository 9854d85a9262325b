import type { Page } from '@playwright/test';

/** Opens a page of the app as the guest. */
export async function openAsGuest(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await page.getByRole('button', { name: 'Enter' }).click();
}
