import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { interviewItem } from '../src/test/history/history-fixtures.ts';
import { launchBrowser, newVisitor, signedIn } from './browser.ts';

let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterEach(() => context.close());
afterAll(() => browser.close());

/** The number of running animations on the page. */
const moving = (page: Page) => page.evaluate(() => document.getAnimations().length);

test('with reduced motion nothing moves: no pulsing while a list loads, no spinning during work', async () => {
  context = await newVisitor(browser, { reducedMotion: 'reduce' });
  await signedIn(context, 'candidate');
  const page = await context.newPage();
  const asked = Promise.withResolvers<Route>();
  const recordings = [interviewItem({ pendingCount: 2 })];
  const pending = { json: { recordings, nextCursor: null, total: 1 } };
  // The open event stream reconnects.
  await page.route('**/api/interviews/history?*', (route) => route.fulfill(pending));
  await page.route('**/api/interviews/history?*', (route) => asked.resolve(route), { times: 1 });
  await page.goto('/interviews');
  const list = await asked.promise;
  await page.locator('[data-animate]').first().waitFor();
  expect(await moving(page)).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(() => moving(page)).toBeGreaterThan(0);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await list.fulfill(pending);
  await page.getByText('2 being transcribed').waitFor();
  expect(await moving(page)).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(() => moving(page)).toBeGreaterThan(0);
});
