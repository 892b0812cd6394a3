import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { launchBrowser } from './browser.ts';
import { everyLook, expectFine, stillPage } from './looks.ts';
import { addressOf, places, type Samples } from './places.ts';
import { samplesOf } from './samples.ts';
import { type Speech, speak } from './speech.ts';

let browser: Browser;
let speech: Speech;
let samples: Samples;

beforeAll(async () => {
  [browser, speech] = await Promise.all([
    launchBrowser(),
    speak('A function gives a name to a group of instructions, and we can use them many times.'),
  ]);
  samples = await samplesOf('admin', speech.path);
});
afterAll(async () => {
  await browser.close();
  await speech.remove();
});

/** What to wait for on a route, besides its heading. */
const loaded: Partial<Record<keyof typeof places, (page: Page) => Promise<unknown>>> = {
  home: (page) => page.getByText(/Showing \d+ interview sets/).waitFor(),
  interview: (page) => page.getByRole('button', { name: 'Wait' }).click(),
  interviewDetail: (page) =>
    page
      .getByText(/^(Correct|Incorrect)$/)
      .first()
      .waitFor({ timeout: 120_000 }),
  interviews: (page) =>
    page
      .getByRole('link', { name: /JavaScript Warm-up/ })
      .first()
      .waitFor(),
  practiceInterviews: (page) =>
    page
      .getByRole('link', { name: /Practice Round/ })
      .first()
      .waitFor(),
  practiceDetail: (page) => page.locator('audio, video').first().waitFor({ state: 'attached' }),
};

describe.concurrent('every route is accessible and never scrolls sideways, wide and narrow, light and dark', () => {
  test.each(Object.keys(places) as (keyof typeof places)[])('%s', async (key) => {
    const [context, page] = await stillPage(browser);
    await page.goto(addressOf(places[key], samples));
    await page.getByRole('heading', { level: 1, name: places[key].heading }).waitFor();
    await loaded[key]?.(page);
    await expectFine(page, everyLook);
    await context.close();
  });
});
