import AxeBuilder from '@axe-core/playwright';
import type { Locator } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
const MARK = 'data-under-examination';

/** Serious and critical faults of accessibility below an element, one line each. */
export async function faultsBelow(root: Locator): Promise<string[]> {
  await root.evaluate((element, mark) => element.setAttribute(mark, ''), MARK);
  const { violations } = await new AxeBuilder({ page: root.page() })
    .include(`[${MARK}]`)
    .withTags(TAGS)
    .analyze();
  await root.evaluate((element, mark) => element.removeAttribute(mark), MARK);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
