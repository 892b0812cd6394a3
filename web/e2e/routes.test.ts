import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, type ExpectStatic, expect, test } from 'vitest';
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
import { type Speech, speak } from './speech.ts';

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
let speech: Speech;

beforeAll(async () => {
  [browser, speech] = await Promise.all([launchBrowser(), speak('A function gives a name to instructions.')]);
});
afterAll(async () => {
  await browser.close();
  await speech.remove();
});

test('every route of the web app has its row', () => {
  const rows = Object.values(places).map(({ path, access }) => `${path} ${access}`);
  expect(rows.toSorted()).toEqual(screenRoutes.map(({ path, access }) => `${path} ${access}`).toSorted());
});

describe.each(people)('%s', (person) => {
  let context: BrowserContext;
  let samples: Samples;

  beforeAll(async () => {
    const user: DemoUser = person === 'visitor' ? 'candidate' : person;
    samples = await samplesOf(user, speech.path);
    context = await newVisitor(browser);
    if (person !== 'visitor') await signedIn(context, user);
  });
  afterAll(() => context.close());

  async function expectMet(page: Page, place: Place, expect: ExpectStatic): Promise<void> {
    const { shown, home } = metBy(person, place);
    await page.getByRole('heading', { level: 1, name: shown.heading, exact: true }).waitFor();
    await expect.poll(() => page.title()).toBe(`${shown.title} · Interview Preparation Platform`);
    await expect.poll(() => new URL(page.url()).pathname).toBe(home ? '/' : addressOf(place, samples));
    await expect.poll(() => page.getByRole('banner').count()).toBe(hasNavigation(person, place) ? 1 : 0);
    await expectNoSidewaysScroll(page);
  }

  test.concurrent.for([...Object.values(places), notFound])(
    '$path, as a deep link and after a reload',
    async (place, { expect }) => {
      const page = await context.newPage();
      acceptDialogs(page);
      const expectNoErrors = watchForErrors(page);
      await page.goto(addressOf(place, samples));
      await expectMet(page, place, expect);
      await page.setViewportSize(viewports.phone);
      await page.reload();
      await expectMet(page, place, expect);
      expectNoErrors();
      await page.close();
    },
  );
});
