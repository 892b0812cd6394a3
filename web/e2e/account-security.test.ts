import { setTimeout as delay } from 'node:timers/promises';
import { TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { beginVisit } from './begin-visit.ts';
import { type Account, goWithoutLoading, launchBrowser, newDeveloper, newVisitor, signInByHand } from './browser.ts';
import { eachOnce, expectFine } from './looks.ts';

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
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

/** The secret as shown for users who can't scan it. */
async function shownSecret(): Promise<string> {
  return ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '');
}

/** A code that stays valid for at least 10 seconds, so that it can be entered on a busy machine. */
async function newCode(secret: string): Promise<string> {
  const totp = new TOTP({ secret });
  while (totp.remaining() < 10_000) await delay(totp.remaining());
  return totp.generate();
}

async function logOut(): Promise<void> {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await heading('Interview Platform Login');
}

test('an authenticator app is set up, required at the next sign-in, and can be replaced by a recovery code once', async () => {
  await page.goto('/security');
  await signInByHand(page, account, { stay: true });
  await heading('Sign-in and Security');
  await press('Set up an app');
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  await expectFine(page, eachOnce);
  await press('Turn on');
  await page.getByText('Please enter the code.').waitFor();
  const code = await newCode(await shownSecret());
  await page.getByLabel('Code', { exact: true }).fill(code);
  await press('Turn on');
  await page.getByText('10 recovery codes are left', { exact: false }).waitFor();
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await expectFine(page, eachOnce);

  await logOut();
  await signInByHand(page, account, { stay: true });
  await heading('Enter your code');
  await expectFine(page, eachOnce);
  // The code that set up the app, stolen by someone else.
  await page.getByLabel('Code', { exact: true }).fill(code);
  await press('Continue');
  await page.getByText('This code is not valid.', { exact: false }).waitFor();
  await page.getByLabel('Code', { exact: true }).fill(codes[0]!);
  await press('Continue');
  await heading('Interview Sets');
  await goWithoutLoading(page, '/security');
  await page.getByText('9 recovery codes are left', { exact: false }).waitFor();
});

test('a passkey is created and signs in without a password; its response cannot be replayed', async () => {
  // Passkeys require a host name.
  const home = inject('productUrl').replace('127.0.0.1', 'localhost');
  // Closing it removes its authenticator too.
  onTestFinished(() => page.close());
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto(`${home}/security`);
  await signInByHand(page, account, { stay: true });
  await heading('Sign-in and Security');
  await press('Add a passkey');
  await page.getByText('The passkey was added').waitFor();
  await page.getByText('Passkey on one device').waitFor();
  await expectFine(page, eachOnce);

  await logOut();
  const sent = page.waitForRequest('**/api/auth/passkey-sign-in');
  await press('Sign in with a passkey');
  await heading('Interview Sets');
  const replay = await fetch(`${home}/api/auth/passkey-sign-in`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: (await sent).postData(),
  });
  expect(replay.status).toBe(401);

  await goWithoutLoading(page, '/security');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await press('Remove the passkey');
  await page.getByText(/^The passkey added .* was removed$/).waitFor();
  await page.getByText('Passkey on one device').waitFor({ state: 'detached' });
  await logOut();
  await press('Sign in with a passkey');
  await page.getByText('This passkey could not be verified. Please try again.').waitFor();
});

test('a provider signs in the user who linked it, never by the email alone, and errors are shown', async () => {
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();
  await page.goto('/security');
  await heading('Interview Platform Login');
  await press('Sign in with Acme');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await alert('The sign-in at Acme was canceled.');
  await expectFine(page, eachOnce);

  await press('Sign in with Acme');
  await page.getByPlaceholder('Enter any login').fill(account.email);
  await page.getByPlaceholder('and password').fill('of the provider');
  await press('Sign-in');
  await alert('There is an account with this email already.');
  await signInByHand(page, account, { stay: true });
  await heading('Sign-in and Security');
  await press('Link Acme');
  await page.getByText('Acme was linked').waitFor();
  await page.getByText('Linked', { exact: true }).waitFor();
  await expectFine(page, eachOnce);

  await logOut();
  await goWithoutLoading(page, '/practice');
  await press('Sign in with Acme');
  await heading('Practice Interview');
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe('/practice');

  await goWithoutLoading(page, '/security');
  await press('Unlink Acme');
  await press('Unlink the account');
  await page.getByText('Acme was unlinked').waitFor();
  await logOut();
  // A link with another person's response from the provider.
  await page.goto('/sign-in/callback?code=stolen&state=stolen');
  await alert('This window has begun no sign-in by a provider.');
});
