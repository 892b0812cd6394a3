import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { screenRoutes } from '../src/app/routes.ts';
import {
  acceptDialogs,
  type DemoUser,
  expectNoSidewaysScroll,
  launchBrowser,
  newVisitor,
  signedIn,
  viewports,
  watchForErrors,
} from './browser.ts';
import { addressOf, type Place, places, type Samples } from './places.ts';
import { samplesOf } from './samples.ts';
import { type Speech, tone } from './speech.ts';

/** Who asks for the routes: role 'others' is the demonstration's candidate. */
const people = ['visitor', 'candidate', 'dev', 'admin'] as const;
type Person = (typeof people)[number];

const login: Pick<Place, 'title' | 'heading'> = { title: 'Login', heading: 'Interview Platform Login' };
const notFound: Place = {
  path: '/nowhere/at/all',
  access: 'signed-in',
  title: 'Page not found',
  heading: 'Page not found',
};

/** What a person meets at a route, by its access. */
function metBy(person: Person, place: Place): { shown: Pick<Place, 'title' | 'heading'>; home?: boolean } {
  if (place.access === 'public') return { shown: place };
  if (person === 'visitor') return { shown: login };
  if (place.access === 'admin' && person !== 'admin') return { shown: places.home, home: true };
  return { shown: place };
}

const hasNavigation = (person: Person, { access }: Place) => person !== 'visitor' && access !== 'public';

let browser: Browser;
let sound: Speech;

beforeAll(async () => {
  [browser, sound] = await Promise.all([launchBrowser(), tone()]);
});
afterAll(async () => {
  await browser.close();
  await sound.remove();
});

test('every route of the web app has its row', () => {
  const rows = Object.values(places).map(({ path, access }) => `${path} ${access}`);
  expect(rows.toSorted()).toEqual(screenRoutes.map(({ path, access }) => `${path} ${access}`).toSorted());
});

describe.each(people)('%s', (person) => {
  let context: BrowserContext;
  /** One for all routes: each loads it afresh, from the cache. */
  let page: Page;
  let samples: Samples;

  beforeAll(async () => {
    const user: DemoUser = person === 'visitor' ? 'candidate' : person;
    samples = await samplesOf(user, sound.path);
    context = await newVisitor(browser);
    if (person !== 'visitor') await signedIn(context, user);
    page = await context.newPage();
    acceptDialogs(page);
  });
  afterAll(() => context.close());

  async function expectMet(place: Place): Promise<void> {
    const { shown, home } = metBy(person, place);
    await page.getByRole('heading', { level: 1, name: shown.heading, exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe(`${shown.title} · Interview Preparation Platform`);
    await expect.poll(() => new URL(page.url()).pathname).toBe(home ? '/' : addressOf(place, samples));
    await expect.poll(() => page.getByRole('banner').count()).toBe(hasNavigation(person, place) ? 1 : 0);
    await expectNoSidewaysScroll(page);
  }

  test.each([...Object.values(places), notFound])('$path, as a deep link, wide and narrow', async (place) => {
    const expectNoErrors = watchForErrors(page);
    await page.setViewportSize(viewports.desktop);
    await page.goto(addressOf(place, samples));
    await expectMet(place);
    await page.setViewportSize(viewports.phone);
    // A reload loads the same address once more, so one person's is enough.
    if (person === 'candidate') await page.reload();
    await expectMet(place);
    expectNoErrors();
  });
});
