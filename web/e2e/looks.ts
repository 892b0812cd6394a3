import type { Browser, Page } from 'playwright-core';
import { acceptDialogs, expectAccessible, expectNoSidewaysScroll, newVisitor, signedIn, viewports } from './browser.ts';

type Size = keyof typeof viewports;
type Scheme = 'light' | 'dark';

type Look = readonly [Size, Scheme];

/** The window sizes and color schemes of a check. */
export type Looks = readonly [Look, ...Look[]];

/** For a route. */
export const everyLook: Looks = [
  ['desktop', 'light'],
  ['desktop', 'dark'],
  ['phone', 'dark'],
];

/** For a state of a route: each size and scheme once, in combinations that the route itself doesn't fully check. */
export const eachOnce: Looks = [
  ['desktop', 'dark'],
  ['phone', 'light'],
];

/** Sets the page's size and color scheme. */
export async function wear(page: Page, [size, colorScheme]: Look): Promise<void> {
  await page.setViewportSize(viewports[size]);
  await page.emulateMedia({ colorScheme });
}

/** Expects that in all of these looks axe finds no violations and the page doesn't scroll sideways. */
export async function expectFine(page: Page, looks: Looks): Promise<void> {
  const checkedSizes = new Set<Size>();
  for (const [size, scheme] of looks) {
    await wear(page, [size, scheme]);
    await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor({ state: 'attached' });
    // A scheme only changes colors.
    await expectAccessible(page, { colorsOnly: checkedSizes.has(size) });
    await expectNoSidewaysScroll(page);
    checkedSizes.add(size);
  }
}

/** A page with reduced motion, for an admin or a visitor, in a new context. */
export async function stillPage(browser: Browser, person: 'admin' | 'visitor'): Promise<Page> {
  const context = await newVisitor(browser);
  if (person === 'admin') await signedIn(context, person);
  const page = await context.newPage();
  acceptDialogs(page);
  return page;
}
