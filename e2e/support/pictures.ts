import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';

const FOLDER = fileURLToPath(new URL('../../docs/images', import.meta.url));

/**
 * Takes the pictures of the README, light and dark, where `UPDATE_PICTURES=1` asks for
 * it, once `subject` is there to be seen.
 */
export async function takePictures(page: Page, name: string, subject: Locator): Promise<void> {
  if (process.env.UPDATE_PICTURES !== '1') {
    return;
  }
  const before = page.viewportSize();
  await closeToasts(page);
  await page.setViewportSize({ width: 1440, height: 1180 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Another theme builds the page anew.
    await expect(subject).toBeVisible();
    const suffix = colorScheme === 'dark' ? '-dark' : '';
    await page.screenshot({ path: `${FOLDER}/${name}${suffix}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) {
    await page.setViewportSize(before);
  }
}

async function closeToasts(page: Page): Promise<void> {
  const toasts = page.getByRole('alertdialog');
  for (const toast of await toasts.all()) {
    await toast.getByRole('button', { name: 'Close' }).click();
  }
  await expect(toasts).toHaveCount(0);
}
