import { expect, test, type Locator, type Page } from '@playwright/test';
import { faultsBelow } from '../support/axe';
import { englishBelow, text, type Language } from '../support/catalogue';
import { PREVIEW, STAGE } from '../support/checkoutPage';
import { TARGETS } from '../support/clusters';
import { releases } from '../support/releases';
import { openAsGuest } from '../support/signIn';

const TAB = '/catalog/default/component/checkout/releases';
const CARD = '/catalog/default/component/checkout';
const ACTIVE = '/multicluster-release/active';
const CLUSTERS = '/multicluster-release/clusters';
const CONTROLS = '/multicluster-release/controls';

/** Colours do not depend on words, so that each language need not be seen in each theme. */
const LOOKS = [
  ['en', 'light'],
  ['en', 'dark'],
  ['zh-CN', 'dark'],
] as const;
const WIDTHS = [320, 360, 600, 960, 1280, 1920];

/** Opens a view and answers the element that is ours in it. */
type View = (page: Page, language: Language) => Promise<Locator>;

const VIEWS: Record<string, View> = {
  tab: openTab,
  start: openStart,
  preview: openPreview,
  rollback: openRollback,
  card: openCard,
  active: (page, language) => openOversight(page, ACTIVE, text(language, 'page.activeTab')),
  clusters: (page, language) => openOversight(page, CLUSTERS, text(language, 'page.clustersTab')),
  stops: openStops,
  stopping: openStopDialog,
  windows: openWindows,
};

test.describe.configure({ timeout: 180_000 });

test.beforeAll(async () => {
  test.setTimeout(300_000);
  await releases.bring('1.0.0');
  await releases.startPaused('2.0.0');
});

test.afterAll(async () => {
  test.setTimeout(300_000);
  await releases.bring('1.0.0');
});

for (const [language, theme] of LOOKS) {
  test(`nothing keeps anybody out, and all is in one language: ${language}, ${theme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: theme });
    await speak(page, language);
    for (const [name, open] of Object.entries(VIEWS)) {
      await test.step(name, async () => {
        const root = await open(page, language);
        expect.soft(await faultsBelow(root), name).toEqual([]);
        if (language !== 'en') {
          expect.soft(await englishBelow(root), name).toEqual([]);
        }
        await takeLook(page, `${name}-${language}-${theme}`);
      });
    }
  });
}

for (const [name, open] of Object.entries(VIEWS)) {
  test(`nothing but tables scrolls sideways, from ${WIDTHS[0]} px on: ${name}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: WIDTHS[0], height: 800 });
    await speak(page, 'en');
    const root = await open(page, 'en');
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expect(root).toBeVisible();
      expect.soft(await scrollsSideways(root), `${width} px`).toEqual([]);
      await takeLook(page, `${name}-${width}`);
    }
  });
}

test('the actions of a release are in reach at every width', async ({ page }) => {
  await speak(page, 'en');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await openTab(page, 'en');
    for (const action of ['Resume', 'Stop here', 'Roll back to 1.0.0…']) {
      const button = page
        .getByRole('group', { name: 'Actions' })
        .getByRole('button', { name: action });
      await expect(button).toBeInViewport({ ratio: 1 });
      // Nothing lies above it: a trial click is refused where something does.
      await button.click({ trial: true });
    }
    await takeLook(page, `actions-${width}`, false);
  }
});

test('a status is a word, and not its colour alone', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await speak(page, 'en');
  await openTab(page, 'en');
  // Names of rows are what a reader hears: they leave out what is hidden from it.
  const lanes = page.getByRole('region', { name: 'Clusters' });
  await expect(lanes.getByRole('row', { name: /cluster-a .* Done/ })).toBeVisible();
  await expect(lanes.getByRole('row', { name: /cluster-b .* Not started/ })).toBeVisible();
  const versions = page.getByRole('table', { name: 'What runs where' });
  await expect(versions.getByRole('row', { name: /Healthy/ })).toHaveCount(TARGETS.length);
  const history = page.getByRole('table', { name: 'History' });
  await expect(history.getByRole('row', { name: /^2\.0\.0 .* Paused/ })).toBeVisible();
});

async function speak(page: Page, language: Language): Promise<void> {
  await page.addInitScript(chosen => window.localStorage.setItem('language', chosen), language);
  await openAsGuest(page);
}

async function openTab(page: Page, language: Language): Promise<Locator> {
  await page.goto(TAB);
  const last = page.getByRole('region', { name: text(language, 'history.title') });
  await expect(last).toBeVisible();
  await expect(page.getByRole('region', { name: text(language, 'events.title') })).toBeVisible();
  return last.locator('..');
}

async function openStart(page: Page, language: Language): Promise<Locator> {
  await openTab(page, language);
  await page.getByRole('button', { name: text(language, 'header.start') }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio').first()).toBeVisible();
  return dialog;
}

async function openPreview(page: Page, language: Language): Promise<Locator> {
  const dialog = await openStart(page, language);
  await dialog.getByRole('radio', { name: '2.0.0' }).check();
  await dialog.getByRole('button', { name: text(language, 'start.preview') }).click();
  await expect(dialog.getByRole('heading', { name: text(language, 'start.plan') })).toBeVisible(
    PREVIEW,
  );
  return dialog;
}

async function openRollback(page: Page, language: Language): Promise<Locator> {
  await openTab(page, language);
  const name = text(language, 'action.rollback', { version: '1.0.0' });
  await page.getByRole('button', { name }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox')).toBeVisible();
  return dialog;
}

async function openCard(page: Page, language: Language): Promise<Locator> {
  await page.goto(CARD);
  const link = page.getByRole('link', { name: text(language, 'card.open') });
  await expect(link).toBeVisible();
  return link.locator('..');
}

async function openOversight(page: Page, path: string, table: string): Promise<Locator> {
  await page.goto(path);
  const found = page
    .getByRole('table', { name: table })
    .or(page.getByRole('list', { name: table }));
  await expect(found).toBeVisible(STAGE);
  return found.locator('../..');
}

async function openStops(page: Page, language: Language): Promise<Locator> {
  await page.goto(CONTROLS);
  const none = page.getByText(text(language, 'stops.none'));
  await expect(none).toBeVisible();
  return none.locator('..');
}

async function openStopDialog(page: Page, language: Language): Promise<Locator> {
  await openStops(page, language);
  await page.getByRole('button', { name: text(language, 'stops.order') }).click();
  const dialog = page.getByRole('dialog');
  // The counts are there: what follows can be filled in.
  const services = text(language, 'stops.services_one', { count: 1 });
  await expect(dialog.getByText(services)).toBeVisible();
  return dialog;
}

async function openWindows(page: Page, language: Language): Promise<Locator> {
  await page.goto(CONTROLS);
  const none = page.getByText(text(language, 'windows.none'));
  await expect(none).toBeVisible();
  return none.locator('..');
}

/**
 * What is wider than its room, from the page inwards. Regions that can be reached by
 * key may scroll by themselves.
 */
async function scrollsSideways(root: Locator): Promise<string[]> {
  return root.evaluate(element => {
    const around: Element[] = [];
    for (let each: Element | null = element.parentElement; each; each = each.parentElement) {
      around.push(each);
    }
    return [...around, element, ...element.querySelectorAll('*')]
      .filter(each => each === document.documentElement || scrolls(each))
      .filter(each => each.scrollWidth > each.clientWidth + 1)
      .map(each => `${each.tagName} ${each.className}: ${each.scrollWidth} in ${each.clientWidth}`);

    function scrolls(each: Element): boolean {
      const { overflowX } = getComputedStyle(each);
      const reachable = each instanceof HTMLElement && each.tabIndex >= 0;
      return (overflowX === 'auto' || overflowX === 'scroll') && !reachable;
    }
  });
}

/** For whoever works on the pages: every view as a picture. */
async function takeLook(page: Page, name: string, fullPage = true): Promise<void> {
  if (process.env.E2E_LOOKS) {
    await page.screenshot({ path: `${process.env.E2E_LOOKS}/${name}.png`, fullPage });
  }
}
