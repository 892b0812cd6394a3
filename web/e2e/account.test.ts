import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { beginVisit } from './begin-visit.ts';
import { type Account, launchBrowser, newDeveloper, newVisitor, signInByHand, viewports } from './browser.ts';

let browser: Browser;
let context: BrowserContext;
let page: Page;
let account: Account;

beforeAll(async () => {
  browser = await launchBrowser();
  context = await newVisitor(browser);
});
afterAll(() => browser.close());

beforeEach(async () => {
  account = await newDeveloper();
  page = await beginVisit(context);
});

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

const signIn = (password: string, on: Page = page) =>
  signInByHand(on, { email: account.email, password }, { stay: true });

async function signedInAt(address: string): Promise<void> {
  await page.goto(address);
  await signIn(account.password);
}

/** The link in the newest mail to the account. */
async function mailedLink(): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => {
        const response = await fetch(`${inject('mailUrl')}messages`);
        const caught = (await response.json()) as { to: string[]; links: string[] }[];
        link = caught.find(({ to }) => to.includes(account.email))?.links[0];
        return link;
      },
      { timeout: 30_000 },
    )
    .toBeDefined();
  return link ?? '';
}

test('a forgotten password: the email, its link, the new password; the link can be used once', async () => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email').fill(account.email.toUpperCase());
  await press('Send Reset Link');
  await page.getByText('If an account exists, a reset link has been sent to your email.').waitFor();

  const { pathname, hash } = new URL(await mailedLink());
  expect(pathname).toBe('/reset-password');
  await page.goto(pathname + hash);
  const reset = async (password: string) => {
    await page.getByLabel('New Password', { exact: true }).fill(password);
    await page.getByLabel('Confirm New Password').fill(password);
    await press('Reset Password');
  };
  await reset('second password');
  await page.getByText('Your password has been reset.').waitFor();
  await page.getByRole('link', { name: 'Back to login' }).click();
  await signIn(account.password);
  await page.getByText('Invalid credentials').waitFor();
  await signIn('second password');
  await page.getByRole('heading', { name: 'Interview Sets' }).waitFor();

  await page.goto(pathname + hash);
  await page.getByText(/^This reset link has expired/).waitFor();
  await page.getByRole('link', { name: 'Request a new link' }).waitFor();
});

test('technologies, then a plan, then home; the profile shows both', async () => {
  await page.setViewportSize(viewports.phone);
  await signedInAt('/profile');
  await page.getByText('React', { exact: true }).waitFor();
  await page.getByText('Basic Plan').waitFor();

  await page.goto('/technology-selection');
  for (const name of ['Go', 'SQL']) await page.getByRole('checkbox', { name, exact: true }).click();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Python' }).isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: 'React', exact: true }).click();
  await expect.poll(() => page.getByRole('checkbox', { name: 'Python' }).isEnabled()).toBe(true);
  await press('Continue to Payment');

  await expect.poll(() => page.getByRole('radio', { name: /Basic Plan/ }).isChecked()).toBe(true);
  await page.getByText('$49.99').click();
  await press('Subscribe');
  await page.getByRole('button', { name: 'Processing...' }).waitFor();
  await page.getByText('You are now on the Enterprise Plan').waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/');

  await page.goto('/profile');
  await page.getByText('Enterprise Plan').waitFor();
  await expect.poll(() => page.getByText('SQL', { exact: true }).isVisible()).toBe(true);
  await expect.poll(() => page.getByText('React', { exact: true }).count()).toBe(0);
  await press('Go Back');
  await page.waitForURL('/');
});
