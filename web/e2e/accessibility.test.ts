import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, newVisitor, signedIn, viewports } from './browser.ts';
import { interviewSet, recordedSession } from './recorded-session.ts';
import { type Speech, speak } from './speech.ts';

const setTitle = 'JavaScript Warm-up';

let browser: Browser;
let speech: Speech;
let setAddress: string;
let detailAddress: string;

beforeAll(async () => {
  browser = await launchBrowser();
  speech = await speak('A function gives a name to a group of instructions, and we can use them many times.');
  const set = await interviewSet('admin', setTitle);
  setAddress = `/interview/${set._id}`;
  detailAddress = `/interviews/${await recordedSession('admin', set, speech.path)}`;
});
afterAll(async () => {
  await browser.close();
  await speech.remove();
});

/** A screen and what has to be there before it is looked at. `visitor`: without a login. */
interface Look {
  name: string;
  visitor?: boolean;
  show: (page: Page) => Promise<unknown>;
}

const looks: readonly Look[] = [
  {
    name: 'login',
    visitor: true,
    show: async (page) => {
      await page.goto('/');
      await page.getByText('Demonstration logins').waitFor();
    },
  },
  {
    name: 'interview sets',
    show: async (page) => {
      await page.goto('/');
      await page.getByText(/Showing \d+ interview sets/).waitFor();
    },
  },
  {
    name: 'a category without sets',
    show: async (page) => {
      await page.goto('/?category=none');
      await page.getByText('No interview sets found for this category.').waitFor();
    },
  },
  {
    name: 'user menu',
    show: async (page) => {
      await page.goto('/');
      await page.getByText(/Showing \d+ interview sets/).waitFor();
      await page.getByRole('button', { name: /Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).waitFor();
    },
  },
  {
    name: 'microphone check',
    show: async (page) => {
      await page.goto(setAddress);
      await page.getByRole('button', { name: 'Wait' }).click();
    },
  },
  {
    name: 'recording, then an upload that failed',
    show: async (page) => {
      await page.route('**/api/interviews/recordings', (route) => route.abort());
      await page.goto(setAddress);
      await page.getByRole('button', { name: 'Start now' }).click();
      await page.getByRole('timer').getByText('0:02').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Next Question' }).click();
      await page.getByText(/is kept on this device/).waitFor();
    },
  },
  {
    name: 'interview history',
    show: async (page) => {
      await page.goto('/interviews');
      await page
        .getByRole('link', { name: new RegExp(setTitle) })
        .first()
        .waitFor();
    },
  },
  {
    name: 'interview detail',
    show: async (page) => {
      await page.goto(detailAddress);
      await page
        .getByText(/\b(Correct|Incorrect)\b/)
        .first()
        .waitFor({ timeout: 120_000 });
    },
  },
  {
    name: 'not found',
    show: async (page) => {
      await page.goto('/nowhere');
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    },
  },
];

const settings = (['light', 'dark'] as const).flatMap((colorScheme) =>
  (['desktop', 'phone'] as const).map((size) => ({ colorScheme, size })),
);

describe.each(settings)('$colorScheme, $size', ({ colorScheme, size }) => {
  const visit = async (look: Look): Promise<[BrowserContext, Page]> => {
    const context = await newVisitor(browser, { colorScheme, viewport: viewports[size], reducedMotion: 'reduce' });
    if (!look.visitor) await signedIn(context, 'admin');
    return [context, await context.newPage()];
  };

  test.each(looks)('$name', async (look) => {
    const [context, page] = await visit(look);
    await look.show(page);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await context.close();
  });
});
