import { ltiAttemptKey } from '@interview-prep/contracts/auth/lti-attempt-key';
import type { Page } from 'playwright-core';
import { goWithoutLoading } from './browser.ts';
import { eachOnce, expectFine, type Looks } from './looks.ts';
import { addressOf, places, type Samples } from './places.ts';
import { completions, recordFor } from './practice-session.ts';

/** A state of a screen that its URL alone doesn't show. */
export interface State {
  name: string;
  /** Who sees it, in a new browser context: a visitor, or an admin with stored data. By default the shared admin. */
  alone?: 'visitor' | 'admin';
  /** Overrides the default of each size and each scheme once. */
  looks?: Looks;
  show: (page: Page, samples: Samples) => Promise<unknown>;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click();
const csv = 'title,technology,tags,question,expert answer\n"A set",React,"a, b",What is one?,One.\n';

async function importFile(page: Page, text: string): Promise<void> {
  await goWithoutLoading(page, '/new');
  await press(page, 'Import');
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press(page, 'Choose a file')]);
  await chooser.setFiles({ name: 'sets.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
}

/** The states of the screens, as the demo admin sees them. */
export const states: readonly State[] = [
  {
    name: 'login, refused',
    alone: 'visitor',
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
      await goWithoutLoading(page, '/?category=none');
      await page.getByText('No interview sets found for this category.').waitFor();
    },
  },
  {
    name: 'user menu',
    show: async (page) => {
      await goWithoutLoading(page, '/');
      await press(page, /^Account menu for/);
      await page.getByRole('menuitem', { name: 'Logout' }).waitFor();
    },
  },
  {
    name: 'navigation drawer',
    looks: [
      ['phone', 'light'],
      ['phone', 'dark'],
    ],
    show: async (page) => {
      await goWithoutLoading(page, '/profile');
      await press(page, 'Open navigation');
      await page.getByRole('dialog', { name: 'Navigation' }).waitFor();
    },
  },
  {
    name: 'recording, then an upload that failed',
    alone: 'admin',
    show: async (page, samples) => {
      await page.route(completions, (route) => route.abort());
      await page.goto(addressOf(places.interview, samples));
      await press(page, 'Start now');
      await recordFor(page, 2);
      await expectFine(page, eachOnce);
      await press(page, 'Next Question');
      await page.getByText(/Saved on this device/).waitFor();
    },
  },
  {
    name: 'a logout with an answer not sent',
    alone: 'admin',
    show: async (page, samples) => {
      await page.route(completions, (route) => route.abort());
      await page.goto(addressOf(places.interview, samples));
      await press(page, 'Start now');
      await recordFor(page, 2);
      await press(page, 'Next Question');
      await page.getByText(/Saved on this device/).waitFor();
      await press(page, /^Account menu/);
      await page.getByRole('menuitem', { name: 'Logout' }).click();
      await press(page, 'Leave the interview');
      await page.getByRole('dialog', { name: 'Unsent answer' }).waitFor();
    },
  },
  {
    name: 'recording a practice answer, then an upload that failed',
    alone: 'admin',
    show: async (page, samples) => {
      await page.route(completions, (route) => route.abort());
      await page.goto(addressOf(places.practiceSession, samples));
      await press(page, 'Start Recording');
      await recordFor(page, 2);
      await expectFine(page, eachOnce);
      await press(page, 'Next Question');
      await page.getByText(/is kept on this device/).waitFor();
    },
  },
  {
    name: 'leaving an interview',
    alone: 'admin',
    show: async (page, samples) => {
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
      await goWithoutLoading(page, '/interviews#view=email');
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
      await goWithoutLoading(page, '/interviews#email=nobody-at-all');
      await page.getByText('No interviews found.').waitFor();
    },
  },
  {
    name: 'deletion of a technology, asked',
    show: async (page) => {
      await goWithoutLoading(page, '/technologies');
      await press(page, 'Delete React');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'a technology under edit, and one that is refused',
    show: async (page) => {
      await goWithoutLoading(page, '/technologies');
      await press(page, 'Edit React');
      await page.getByLabel('New name for React').fill('python');
      await press(page, 'Confirm');
      await page.getByText('Technology already exists').first().waitFor();
    },
  },
  {
    name: 'a developer that is not complete',
    show: async (page) => {
      await goWithoutLoading(page, '/users');
      await press(page, 'Add User');
      await page.getByText('Please fill in all required fields and select at least one technology').first().waitFor();
    },
  },
  {
    name: 'a user under edit',
    show: async (page) => {
      await goWithoutLoading(page, '/users');
      await page.getByPlaceholder(/^Search/).fill('dev@example.com');
      await press(page, 'Edit dev@example.com');
      await page.getByRole('button', { name: 'Update User' }).waitFor();
    },
  },
  {
    name: 'a new set that is not complete',
    show: async (page) => {
      await goWithoutLoading(page, '/new');
      await press(page, 'Expert answers (optional)');
      await press(page, 'Save Interview Set');
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
  {
    name: 'deletion of an interview set, asked',
    show: async (page, samples) => {
      await goWithoutLoading(page, addressOf(places.editSet, samples));
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
      await goWithoutLoading(page, '/new');
      await press(page, 'Export');
      await page.getByRole('menuitem', { name: 'JSON' }).waitFor();
    },
  },
  {
    name: 'a practice set under edit, another unfolded',
    show: async (page) => {
      await goWithoutLoading(page, '/admin/practice');
      await press(page, /^Edit /);
      await press(page, /^Questions and answers of/);
    },
  },
  {
    name: 'deletion of a practice set, asked',
    show: async (page) => {
      await goWithoutLoading(page, '/admin/practice');
      await press(page, /^Delete /);
      await page.getByText('Are you sure you want to delete this practice set?').waitFor();
    },
  },
  {
    name: 'technologies for a plan, three chosen',
    show: async (page) => {
      await goWithoutLoading(page, '/technology-selection');
      for (const name of ['React', 'Python', 'SQL']) await page.getByRole('checkbox', { name, exact: true }).click();
      await page.getByText('3 of 3 chosen').waitFor();
    },
  },
  {
    name: 'a new password that is refused',
    show: async (page) => {
      await page.route('**/api/auth/reset-password/check', (route) => route.fulfill({ status: 204 }));
      await goWithoutLoading(page, '/reset-password?token=none');
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
      await page.route(/\/api\/practice(?:\?|$)/, (route) => route.abort());
      await page.goto('/technologies');
      await page.getByText('Failed to fetch practice sets').waitFor();
      await expectFine(page, eachOnce);
      await press(page, 'Delete React');
      await page.getByText('We could not check which sets use it.').waitFor();
    },
  },
  {
    name: 'a launch that the server could not finish',
    alone: 'visitor',
    show: async (page) => {
      await page.route('**/api/auth/lti/finish', (route) => route.abort());
      await page.addInitScript((key) => sessionStorage.setItem(key, 'none'), ltiAttemptKey);
      await page.goto('/lti');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
    },
  },
  {
    name: 'a learning platform that is not complete',
    show: async (page) => {
      await goWithoutLoading(page, '/integrations');
      await press(page, 'Add platform');
      await page.getByRole('dialog').getByRole('button', { name: 'Add platform' }).click();
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
  {
    name: 'not found',
    show: async (page) => {
      await goWithoutLoading(page, '/nowhere');
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    },
  },
  {
    name: 'interview detail, expert answer unfolded',
    show: async (page, samples) => {
      await goWithoutLoading(page, addressOf(places.interviewDetail, samples));
      // It appears once the answer has been judged.
      await page
        .getByRole('button', { name: /Expert Suggested Answer/ })
        .first()
        .click({ timeout: 60_000 });
    },
  },
];
