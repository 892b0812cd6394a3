import type { Browser, Page } from 'playwright-core';
import { acceptDialogs, expectAccessible, expectNoSidewaysScroll, newVisitor, signedIn, viewports } from './browser.ts';

type Size = keyof typeof viewports;
type Scheme = 'light' | 'dark';

type Look = readonly [Size, Scheme];

/** The sizes and colour schemes that a page is checked in. */
export type Looks = readonly [Look, ...Look[]];

/** For a route. */
export const everyLook: Looks = [
  ['desktop', 'light'],
  ['desktop', 'dark'],
  ['phone', 'dark'],
];

/** For a state of a route: each size and each scheme once, in the pairs that the route is not wholly checked in. */
export const eachOnce: Looks = [
  ['desktop', 'dark'],
  ['phone', 'light'],
];

/** Gives the page a size and a colour scheme. */
export async function wear(page: Page, [size, colorScheme]: Look): Promise<void> {
  await page.setViewportSize(viewports[size]);
  await page.emulateMedia({ colorScheme });
}

/** Axe finds nothing on the page, and nothing makes it scroll sideways, in any of these looks. */
export async function expectFine(page: Page, looks: Looks): Promise<void> {
  const checkedSizes = new Set<Size>();
  for (const [size, scheme] of looks) {
    await wear(page, [size, scheme]);
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor({ state: 'attached' });
    // A scheme changes colours and nothing else.
    await expectAccessible(page, { coloursOnly: checkedSizes.has(size) });
    await expectNoSidewaysScroll(page);
    checkedSizes.add(size);
  }
}

/** A page without motion, of an admin or of a visitor, in a context of its own. */
export async function stillPage(browser: Browser, person: 'admin' | 'visitor'): Promise<Page> {
  const context = await newVisitor(browser);
  if (person === 'admin') await signedIn(context, person);
  const page = await context.newPage();
  acceptDialogs(page);
  return page;
}
