import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginVisit } from './begin-visit.ts';
import { type DemoUser, launchBrowser, newVisitor, signInByHand, viewports, watchForErrors } from './browser.ts';

/** An admin's, who has all of them. `navigation.test.tsx` covers each role. Source: product specification, section 2. */
const buttons = [
  'Interview History',
  'Practice Interview',
  'Practice History',
  'Manage Users',
  'Manage Technologies',
  'Add Interview Set',
  'Add Practice Set',
];

let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await launchBrowser();
  context = await newVisitor(browser, { reducedMotion: 'no-preference' });
});
afterAll(() => browser.close());

const visit = (name?: DemoUser) => beginVisit(context, name);

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const pathOf = (page: Page) => new URL(page.url()).pathname;

test('each button leads to its screen, and Back returns', async () => {
  const page = await visit('admin');
  await page.goto('/');
  const expectNoErrors = watchForErrors(page);
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect.poll(() => nav.getByRole('link').allTextContents()).toEqual(buttons);
  const passed = ['/'];
  for (const button of buttons) {
    await nav.getByRole('link', { name: button }).click();
    await expect.poll(() => nav.locator('[aria-current="page"]').allTextContents()).toEqual([button]);
    await page.getByRole('heading', { level: 1 }).waitFor();
    passed.push(pathOf(page));
  }
  expect(new Set(passed).size).toBe(passed.length);
  for (const former of passed.slice(0, -1).toReversed()) {
    await page.goBack();
    await expect.poll(() => pathOf(page)).toBe(former);
  }
  await heading(page, 'Interview Sets').waitFor();
  expectNoErrors();
});

test('the drawer on a phone has the same buttons', async () => {
  const page = await visit('admin');
  await page.setViewportSize(viewports.phone);
  await page.goto('/practice');
  await page.getByRole('button', { name: 'Open navigation' }).click();
  const drawer = page.getByRole('dialog', { name: 'Navigation' });
  await expect.poll(() => drawer.getByRole('link').allTextContents()).toEqual(['Interview Sets', ...buttons]);
  await drawer.getByRole('link', { name: 'Practice History' }).click();
  await heading(page, 'Practice History').waitFor();
  await drawer.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
  await page.getByRole('button', { name: 'Open navigation' }).click();
  await drawer.waitFor();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'hidden' });
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Open navigation');
});

test('after login, the requested page is shown, and Back leaves it', async () => {
  const page = await visit();
  await page.goto('/forgot-password');
  await heading(page, 'Forgot your password?').waitFor();
  await page.goto('/practiceInterviews#view=technology');
  await heading(page, 'Interview Platform Login').waitFor();
  await signInByHand(page, 'candidate', { stay: true });
  await heading(page, 'Practice History').waitFor();
  await expect.poll(() => page.getByRole('radio', { name: 'View by Technologies' }).isChecked()).toBe(true);
  await page.goBack();
  await heading(page, 'Forgot your password?').waitFor();
});

test('a redirect leaves no history entry that would trap Back', async () => {
  const page = await visit('dev');
  await page.goto('/practice');
  await heading(page, 'Practice Interview').waitFor();
  await page.goto('/users');
  await heading(page, 'Interview Sets').waitFor();
  expect(pathOf(page)).toBe('/');
  await page.goBack();
  await heading(page, 'Practice Interview').waitFor();
});
