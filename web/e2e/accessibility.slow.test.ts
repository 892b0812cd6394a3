import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { states } from './accessibility-states.ts';
import { goWithoutLoading, launchBrowser, watchForErrors } from './browser.ts';
import { expectScreen } from './expect-screen.ts';
import { eachOnce, everyLook, expectFine, stillPage, wear } from './looks.ts';
import { addressOf, places, type Samples } from './places.ts';
import { samplesOf } from './samples.ts';
import { type Speech, tone } from './speech.ts';

let browser: Browser;
let sound: Speech;
let samples: Samples;
/** Most tests share one page and navigate without reloading the app. */
let shared: Page;

beforeAll(async () => {
  // fair-verdict.slow.test.ts covers a spoken answer with its transcript and points.
  [browser, sound] = await Promise.all([launchBrowser(), tone()]);
  [samples, shared] = await Promise.all([samplesOf('admin', sound.path), stillPage(browser, 'admin')]);
  await shared.goto('/');
});
afterEach(async ({ task }) => {
  await shared.unrouteAll();
  if (task.result?.state === 'fail') await shared.goto('/');
  // A menu or dialog would cover the next screen.
  await shared.keyboard.press('Escape');
});
afterAll(async () => {
  await browser.close();
  await sound.remove();
});

describe('every state is accessible and never scrolls sideways', () => {
  test.each(states)('$name', async ({ alone, looks = eachOnce, show }) => {
    const page = alone ? await stillPage(browser, alone) : shared;
    await wear(page, looks[0]);
    await show(page, samples);
    await expectFine(page, looks);
    if (alone) await page.context().close();
  });
});

/** What to wait for on a route, in addition to its heading. */
const loaded: Partial<Record<keyof typeof places, (page: Page) => Promise<unknown>>> = {
  home: (page) => page.getByText(/Showing \d+ interview sets/).waitFor(),
  interview: (page) => page.getByRole('button', { name: 'Wait' }).click(),
  interviewDetail: (page) =>
    page
      .getByText(/^(Correct|Partially correct|Incorrect)$/)
      .first()
      .waitFor({ timeout: 60_000 }),
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

describe('every route is accessible and never scrolls sideways, wide and narrow, light and dark', () => {
  test.each(Object.keys(places) as (keyof typeof places)[])('%s', async (key) => {
    const expectNoErrors = watchForErrors(shared);
    const place = places[key];
    const address = addressOf(place, samples);
    await wear(shared, everyLook[0]);
    // routes.test.ts loads the others as a candidate.
    if (place.access === 'admin') await shared.goto(address);
    else await goWithoutLoading(shared, address);
    await expectScreen(shared, { ...place, path: address, hasNavigation: place.access !== 'public' });
    await loaded[key]?.(shared);
    await expectFine(shared, everyLook);
    expectNoErrors();
  });
});
