import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectNoSidewaysScroll } from './browser.ts';
import type { Place } from './places.ts';

/** The screen expected on a route. */
interface Shown extends Pick<Place, 'title' | 'heading'> {
  /** The path in the address bar. */
  path: string;
  hasNavigation: boolean;
}

/** Expects the page to show this screen, without scrolling sideways. */
export async function expectScreen(page: Page, { title, heading, path, hasNavigation }: Shown): Promise<void> {
  await expect.poll(() => page.title()).toBe(`${title} · Interview Preparation Platform`);
  await expect.poll(() => new URL(page.url()).pathname).toBe(path);
  await expect.poll(() => page.getByRole('banner').count()).toBe(hasNavigation ? 1 : 0);
  // Last, since the previous screen may have the same one.
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  await expectNoSidewaysScroll(page);
}
