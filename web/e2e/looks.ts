import type { Browser, BrowserContext, Page } from 'playwright-core';
import { acceptDialogs, expectAccessible, expectNoSidewaysScroll, newVisitor, signedIn, viewports } from './browser.ts';

type Size = keyof typeof viewports;
type Scheme = 'light' | 'dark';

/** The sizes and colour schemes that a page is checked in. */
export type Looks = readonly (readonly [Size, Scheme])[];

/** For a route. */
export const everyLook: Looks = [
  ['desktop', 'light'],
  ['desktop', 'dark'],
  ['phone', 'dark'],
  ['phone', 'light'],
];

/** For a state of a route: its colours are the route's, so each size and each scheme once is enough. */
export const eachOnce: Looks = [
  ['desktop', 'light'],
  ['phone', 'dark'],
];

/** Axe finds nothing on the page, and nothing makes it scroll sideways, in any of these looks. */
export async function expectFine(page: Page, looks: Looks): Promise<void> {
  for (const [size, colorScheme] of looks) {
    await page.setViewportSize(viewports[size]);
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
}

/** A page without motion, of an admin or of a visitor. */
export async function stillPage(browser: Browser, visitor = false): Promise<[BrowserContext, Page]> {
  const context = await newVisitor(browser, { reducedMotion: 'reduce' });
  if (!visitor) await signedIn(context, 'admin');
  const page = await context.newPage();
  acceptDialogs(page);
  return [context, page];
}
