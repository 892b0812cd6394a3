import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import {
  acceptDialogs,
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  newVisitor,
  signedIn,
  viewports,
} from './browser.ts';
import { addressOf, places, type Samples } from './places.ts';
import { samplesOf } from './samples.ts';
import { type Speech, speak } from './speech.ts';

type Size = keyof typeof viewports;

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

type Scheme = 'light' | 'dark';
type Looks = readonly (readonly [Size, Scheme])[];

/** A route is looked at in every way; a state of one, whose colours are the route's, once per size and per scheme. */
const everyWay: Looks = [
  ['desktop', 'light'],
  ['desktop', 'dark'],
  ['phone', 'dark'],
  ['phone', 'light'],
];
const eachOnce: Looks = [
  ['desktop', 'light'],
  ['phone', 'dark'],
];

/** The page as it is now has no fault in any of these looks. */
async function expectFine(page: Page, looks: Looks): Promise<void> {
  for (const [size, colorScheme] of looks) {
    await page.setViewportSize(viewports[size]);
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
}

/** What of a route has to be there before it is looked at, beside its heading. */
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

/** A state of a screen that its address alone does not show. `looks`: how it is looked at, where not as others are. */
interface State {
  name: string;
  visitor?: boolean;
  looks?: Looks;
  show: (page: Page) => Promise<unknown>;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click();
const csv = 'title,technology,tags,question,expert answer\n"A set",React,"a, b",What is one?,One.\n';

async function importFile(page: Page, text: string): Promise<void> {
  await page.goto('/new');
  await press(page, 'Import');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'Choose a file')]);
  await chooser.setFiles({ name: 'sets.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
}

const states: readonly State[] = [
  {
    name: 'login, refused',
    visitor: true,
    show: async (page) => {
      await page.goto('/');
      await page.getByText('Demo logins').waitFor();
      await page.getByLabel('Email').fill('nobody@example.com');
      await page.getByLabel('Password', { exact: true }).fill('not the password');
      await press(page, 'Sign In');
      await page.locator('[data-toast="error"]').waitFor();
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
      await press(page, /^Account menu for/);
      await page.getByRole('menuitem', { name: 'Logout' }).waitFor();
    },
  },
  {
    name: 'navigation drawer',
    looks: everyWay.filter(([size]) => size === 'phone'),
    show: async (page) => {
      await page.goto('/profile');
      await press(page, 'Open navigation');
      await page.getByRole('dialog', { name: 'Navigation' }).waitFor();
    },
  },
  {
    name: 'recording, then an upload that failed',
    show: async (page) => {
      await page.route('**/api/interviews/recordings', (route) => route.abort());
      await page.goto(addressOf(places.interview, samples));
      await press(page, 'Start now');
      await page.getByRole('timer').getByText('0:02').waitFor();
      await expectFine(page, eachOnce);
      await press(page, 'Next Question');
      await page.getByText(/sends it again/).waitFor();
    },
  },
  {
    name: 'leaving an interview',
    show: async (page) => {
      await page.goto(addressOf(places.interview, samples));
      await press(page, 'Start now');
      await page.getByText('Recording in progress...').waitFor();
      await page.getByRole('link', { name: 'Leave' }).click();
      await page.getByRole('dialog', { name: 'Leave this interview?' }).waitFor();
    },
  },
  {
    name: 'history by email, a group open',
    show: async (page) => {
      await page.goto('/interviews?view=email');
      await press(page, /^admin@example\.com/);
      await page
        .getByRole('link', { name: /JavaScript Warm-up/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'history without a match',
    show: async (page) => {
      await page.goto('/interviews?email=nobody-at-all');
      await page.getByText('No interviews found.').waitFor();
    },
  },
  {
    name: 'interview detail, expert answer unfolded',
    show: async (page) => {
      await page.goto(addressOf(places.interviewDetail, samples));
      await press(page, /Expert Suggested Answer/);
    },
  },
  {
    name: 'a technology under edit, and one that is refused',
    show: async (page) => {
      await page.goto('/technologies');
      await press(page, 'Edit React');
      await page.getByLabel('New name for React').fill('python');
      await press(page, 'Confirm');
      await page.getByText('Technology already exists').first().waitFor();
    },
  },
  {
    name: 'deletion of a technology, asked',
    show: async (page) => {
      await page.goto('/technologies');
      await press(page, 'Delete React');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a developer that is not complete',
    show: async (page) => {
      await page.goto('/users');
      await press(page, 'Add User');
      await page.getByText('Please fill in all required fields and select at least one technology').first().waitFor();
    },
  },
  {
    name: 'a user under edit',
    show: async (page) => {
      await page.goto('/users');
      await press(page, 'Edit dev@example.com');
      await page.getByRole('button', { name: 'Update User' }).waitFor();
    },
  },
  {
    name: 'a new set that is not complete',
    show: async (page) => {
      await page.goto('/new');
      await press(page, 'Expert answers (optional)');
      await press(page, 'Save Interview Set');
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
  {
    name: 'deletion of an interview set, asked',
    show: async (page) => {
      await page.goto(addressOf(places.editSet, samples));
      await press(page, 'Delete Set');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'import: preview',
    show: async (page) => {
      await importFile(page, csv);
      await page.getByRole('list', { name: 'Sets in the file' }).waitFor();
    },
  },
  {
    name: 'import: errors',
    show: async (page) => {
      await importFile(page, csv.replace('React', 'Cobol'));
      await page.getByRole('list', { name: 'Errors in the file' }).waitFor();
    },
  },
  {
    name: 'export menu',
    show: async (page) => {
      await page.goto('/new');
      await press(page, 'Export');
      await page.getByRole('menuitem', { name: 'JSON' }).waitFor();
    },
  },
  {
    name: 'a practice set under edit, another unfolded',
    show: async (page) => {
      await page.goto('/admin/practice');
      await press(page, /^Edit /);
      await press(page, /^Questions and answers of/);
    },
  },
  {
    name: 'deletion of a practice set, asked',
    show: async (page) => {
      await page.goto('/admin/practice');
      await press(page, /^Delete /);
      await page.getByText('Are you sure you want to delete this practice set?').waitFor();
    },
  },
  {
    name: 'technologies for a plan, three chosen',
    show: async (page) => {
      await page.goto('/technology-selection');
      for (const name of ['React', 'Python', 'SQL']) await page.getByRole('checkbox', { name, exact: true }).click();
      await page.getByText('3 of 3 chosen').waitFor();
    },
  },
  {
    name: 'a new password that is refused',
    show: async (page) => {
      await page.goto('/reset-password?token=none');
      await page.getByLabel('New Password', { exact: true }).fill('short');
      await press(page, 'Reset Password');
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
  {
    name: 'a list that could not be loaded',
    show: async (page) => {
      await page.route('**/api/users', (route) => route.abort());
      await page.goto('/users');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  {
    name: 'a part that could not be loaded, then a deletion that waits for it',
    show: async (page) => {
      await page.route('**/api/practice', (route) => route.abort());
      await page.goto('/technologies');
      await page.getByText('Failed to fetch practice sets').waitFor();
      await expectFine(page, eachOnce);
      await press(page, 'Delete React');
      await page.getByText('We could not check which sets use it.').waitFor();
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

/** A page of an admin, or of nobody, that does nothing by itself for the look. */
async function visit(visitor = false): Promise<[BrowserContext, Page]> {
  const context = await newVisitor(browser, { reducedMotion: 'reduce' });
  if (!visitor) await signedIn(context, 'admin');
  const page = await context.newPage();
  acceptDialogs(page);
  return [context, page];
}

describe.concurrent('axe finds nothing, and nothing scrolls sideways, wide and narrow, light and dark', () => {
  const keys = Object.keys(places) as (keyof typeof places)[];
  test.each(keys)('route: %s', async (key) => {
    const [context, page] = await visit();
    await page.goto(addressOf(places[key], samples));
    await page.getByRole('heading', { level: 1, name: places[key].heading }).waitFor();
    await loaded[key]?.(page);
    await expectFine(page, everyWay);
    await context.close();
  });

  test.each(states)('state: $name', async ({ visitor, looks = eachOnce, show }) => {
    const [context, page] = await visit(visitor);
    await page.setViewportSize(viewports[looks[0]?.[0] ?? 'desktop']);
    await show(page);
    await expectFine(page, looks);
    await context.close();
  });
});
