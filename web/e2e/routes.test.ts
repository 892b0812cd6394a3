import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { screenRoutes } from '../src/app/routes.ts';
import { acceptDialogs, launchBrowser, newVisitor, signedIn, viewports, watchForErrors } from './browser.ts';
import { expectScreen } from './expect-screen.ts';
import { addressOf, type Place, places, type Samples } from './places.ts';
import { samplesOf } from './samples.ts';
import { type Speech, tone } from './speech.ts';

/** The user of the deep links: role 'others' is the demo candidate. accessibility.slow.test.ts covers the admin's. */
const people = ['visitor', 'candidate'] as const;
type Person = (typeof people)[number];

const login: Pick<Place, 'title' | 'heading'> = { title: 'Login', heading: 'Interview Platform Login' };
const notFound: Place = {
  path: '/nowhere/at/all',
  access: 'signed-in',
  title: 'Page not found',
  heading: 'Page not found',
};

/** Whether the user sees the screen rather than being sent to the login or home. */
function sees(person: Person, { access }: Place): boolean {
  return access === 'public' || (access === 'signed-in' && person !== 'visitor');
}

/** What a user gets on a route, by its access. */
function metBy(person: Person, place: Place, samples: Samples): Parameters<typeof expectScreen>[1] {
  const hasNavigation = person !== 'visitor' && place.access !== 'public';
  if (sees(person, place)) return { ...place, path: addressOf(place, samples), hasNavigation };
  if (person === 'visitor') return { ...login, path: addressOf(place, samples), hasNavigation };
  return { ...places.home, hasNavigation };
}

/**
 * The user's screens, and one route without access: route-access.test.tsx covers every route and role. Public routes are only
 * opened by the visitor.
 */
function openedBy(person: Person): Place[] {
  const all = [notFound, ...Object.values(places)];
  const closed = all.find((place) => !sees(person, place));
  const seen = all.filter((place) => sees(person, place) && (person === 'visitor' || place.access !== 'public'));
  return [...seen, ...(closed ? [closed] : [])];
}

let browser: Browser;
let sound: Speech;

beforeAll(async () => {
  [browser, sound] = await Promise.all([launchBrowser(), tone()]);
});
afterAll(async () => {
  await browser.close();
  await sound.remove();
});

test('every route of the web app has a row here', () => {
  const rows = Object.values(places).map(({ path, access }) => `${path} ${access}`);
  expect(rows.toSorted()).toEqual(screenRoutes.map(({ path, access }) => `${path} ${access}`).toSorted());
});

describe.each(people)('%s', (person) => {
  let context: BrowserContext;
  /** Shared by all routes: each reloads it, from the cache. */
  let page: Page;
  let samples: Samples;

  beforeAll(async () => {
    samples = await samplesOf('candidate', sound.path);
    context = await newVisitor(browser);
    if (person !== 'visitor') await signedIn(context, person);
    page = await context.newPage();
    acceptDialogs(page);
  });
  afterAll(() => context.close());

  test.each(openedBy(person))('$path, as a deep link, wide and narrow', async (place) => {
    const expectNoErrors = watchForErrors(page);
    const met = metBy(person, place, samples);
    const [first, second] = person === 'candidate' ? (['phone', 'desktop'] as const) : (['desktop', 'phone'] as const);
    await page.setViewportSize(viewports[first]);
    await page.goto(addressOf(place, samples));
    await expectScreen(page, met);
    await page.setViewportSize(viewports[second]);
    await expectScreen(page, met);
    expectNoErrors();
  });
});
