import { expect, type Page } from '@playwright/test';

/** Opens a page of the app as the guest; later pages know who it is. */
export async function openAsGuest(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  const enter = page.getByRole('button', { name: 'Enter' });
  await enter.click();
  // The choice is kept once somebody is signed in, and not by the click alone.
  await expect(enter).toBeHidden();
}
