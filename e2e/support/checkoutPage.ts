import { expect, type Locator, type Page } from '@playwright/test';
import { releases } from './releases';
import { openAsGuest } from './signIn';

/** Reading every cluster for a preview takes long on a busy machine. */
export const PREVIEW = { timeout: 60_000 };
/** A stage: apply, become ready, observe. */
export const STAGE = { timeout: 120_000 };

/** From the catalog to the releases of the sample service, as a person goes. */
export async function openReleases(page: Page): Promise<void> {
  await openAsGuest(page);
  await page.getByRole('table').getByText('Checkout', { exact: true }).click();
  await page.getByRole('button', { name: 'Deployment' }).click();
  await page.getByRole('menuitemradio', { name: 'Releases' }).click();
  await expect(versionsTable(page)).toBeVisible();
}

/** Which version runs on which cluster. */
export function versionsTable(page: Page): Locator {
  return page.getByRole('table', { name: 'What runs where' });
}

/** The row of a cluster in the release that is shown. */
export function lane(page: Page, cluster: string): Locator {
  return page.getByRole('region', { name: 'Clusters' }).getByRole('row', { name: cluster });
}

export function stage(page: Page, name: string): Locator {
  return page
    .getByRole('region', { name: 'Stages' })
    .getByRole('listitem')
    .filter({ hasText: new RegExp(`^\\d+\\. ${name}`) });
}

/** The sentence that says what the release waits for, or how it ended. */
export function sentence(page: Page, text: string | RegExp): Locator {
  return page.getByRole('main').getByRole('heading', { level: 2, name: text });
}

export function action(page: Page, name: string | RegExp): Locator {
  return page.getByRole('group', { name: 'Actions' }).getByRole('button', { name });
}

/** Opens the start dialog. */
export async function openStart(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Start a release…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start a release of checkout' });
  await expect(dialog.getByRole('radio').first()).toBeVisible();
  return dialog;
}

/** Opens the start dialog and goes on to the preview of a version. */
export async function previewRelease(page: Page, version: string): Promise<Locator> {
  const dialog = await openStart(page);
  await dialog.getByRole('radio', { name: version }).check();
  await dialog.getByRole('button', { name: 'Preview' }).click();
  await expect(dialog.getByRole('heading', { name: 'What changes' })).toBeVisible(PREVIEW);
  return dialog;
}

/** Starts a version by the dialog; answers the id of the release that the page then shows. */
export async function startRelease(page: Page, version: string): Promise<string> {
  const dialog = await previewRelease(page, version);
  await dialog.getByRole('button', { name: `Start ${version} on 4 clusters` }).click();
  await expect(dialog).toBeHidden();
  return shownRelease(page, version);
}

/** The id of the release that is under way, once the page shows it. */
export async function shownRelease(page: Page, version: string): Promise<string> {
  const active = async () => (await releases.summary()).activeRelease;
  await expect.poll(async () => (await active())?.targetVersion).toBe(version);
  await expect(page.getByText(`→ ${version}`).first()).toBeVisible();
  return (await active())?.id ?? '';
}
