import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const FOLDER = fileURLToPath(new URL('../../docs/images', import.meta.url));

/** Takes the pictures of the README, light and dark, where `UPDATE_PICTURES=1` asks for it. */
export async function takePictures(page: Page, name: string): Promise<void> {
  if (process.env.UPDATE_PICTURES !== '1') {
    return;
  }
  const before = page.viewportSize();
  await page.setViewportSize({ width: 1440, height: 1180 });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const suffix = colorScheme === 'dark' ? '-dark' : '';
    await page.screenshot({ path: `${FOLDER}/${name}${suffix}.png` });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  if (before) {
    await page.setViewportSize(before);
  }
}
