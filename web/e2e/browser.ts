import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findChromium } from '@interview-prep/local/commands';
import type { AxeResults, RunOptions } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';
import { expect, inject } from 'vitest';

/** Applies to every Chromium that a test starts. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A fake microphone and camera, without optimizations that only pay off in long visits. */
export const frugalFlags = [
  // Optimizing compilers cost more time on a short-lived page than they save.
  '--js-flags=--no-opt --no-maglev',
  // Five frames per second are enough for a test, and encode in a sixth of the time of thirty.
  '--use-fake-device-for-media-stream=fps=5',
];

interface BrowserOptions {
  /** The fake microphone's sound, looped: a 48 kHz WAV; it beeps by default. */
  speech?: string;
  /** The fake camera's video: an MJPEG; a test pattern by default. */
  sight?: string;
  /** Whether contexts may deny the microphone or camera. Takes half as long again: headless Chromium can't deny them. */
  canDenyMedia?: boolean;
}

/** Chromium with a fake microphone and camera. */
export function launchBrowser({ speech, sight, canDenyMedia = false }: BrowserOptions = {}): Promise<Browser> {
  const permissions = canDenyMedia ? [] : ['--use-fake-ui-for-media-stream'];
  const microphone = speech === undefined ? [] : [`--use-file-for-fake-audio-capture=${speech}`];
  const camera = sight === undefined ? [] : [`--use-file-for-fake-video-capture=${sight}`];
  return chromium.launch({
    executablePath: findChromium({ preferHeadlessShell: !canDenyMedia }),
    args: [...chromiumFlags, ...frugalFlags, ...permissions, ...microphone, ...camera],
  });
}

/** Window sizes that every screen must support. */
export const viewports = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

interface ContextOptions extends BrowserContextOptions {
  /** For tests that need a browser that can deny media. */
  mediaDenied?: boolean;
}

/**
 * A new browser context at the product's address. Prefers reduced motion by default: a spinner, shown while waiting for the
 * speech engine, costs a fifth of a CPU core.
 */
export function newVisitor(browser: Browser, { mediaDenied = false, ...options }: ContextOptions = {}) {
  return browser.newContext({
    baseURL: inject('productUrl'),
    viewport: viewports.desktop,
    permissions: mediaDenied ? [] : ['microphone', 'camera'],
    reducedMotion: 'reduce',
    ...options,
  });
}

export type DemoUser = 'admin' | 'dev' | 'candidate';

/** A user created by a test. */
export interface Account {
  email: string;
  password: string;
}

/** A person who can sign in: a demo login, or a test's own account. */
export type Person = DemoUser | Account;

function accountOf(person: Person): Account {
  return typeof person === 'string' ? { email: `${person}@example.com`, password: inject('demoPassword') } : person;
}

interface SignIn {
  /** As JSON. */
  user: string;
  token: string;
}

const signIns = new Map<string, Promise<SignIn>>();

async function login(account: Account): Promise<SignIn> {
  const response = await fetch(`${inject('productUrl')}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  });
  if (!response.ok) throw new Error(`${account.email} could not sign in: ${response.status} ${await response.text()}`);
  const { user } = (await response.json()) as { user: { token: string } };
  const { token, ...record } = user;
  return { user: JSON.stringify(record), token };
}

function signInOf(person: Person): Promise<SignIn> {
  const account = accountOf(person);
  const signIn = signIns.get(account.email) ?? login(account);
  signIns.set(account.email, signIn);
  return signIn;
}

/** A person's token, for API calls outside the browser. */
export async function tokenOf(person: Person): Promise<string> {
  return (await signInOf(person)).token;
}

/** Creates a developer user. A test file that reads its own history needs one, since files run in parallel. */
export async function newDeveloper(): Promise<Account> {
  const account = { email: `dev-${randomUUID()}@example.com`, password: 'first password' };
  const response = await fetch(`${inject('productUrl')}/api/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await tokenOf('admin')}` },
    body: JSON.stringify({ ...account, role: 'dev', technologies: ['react'] }),
  });
  if (response.status !== 201) throw new Error(`No account: ${response.status} ${await response.text()}`);
  return account;
}

/** The local storage of a signed-in user. */
export async function storedSignIn(person: Person): Promise<Record<string, string>> {
  const { user, token } = await signInOf(person);
  return { user, authToken: token };
}

/** Signs a context in as if from an earlier visit: puts the sign-in into local storage before the first page loads. */
export async function signedIn(context: BrowserContext, person: Person): Promise<void> {
  await context.addInitScript(
    (entries) => {
      // Only once: later changes by the page itself must persist.
      if (sessionStorage.getItem('signed in by the test')) return;
      sessionStorage.setItem('signed in by the test', 'yes');
      for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value);
    },
    await storedSignIn(person),
  );
}

/** Signs in on the login screen. `stay`: the screen is already open. */
export async function signInByHand(page: Page, person: Person, { stay = false } = {}): Promise<void> {
  const { email, password } = accountOf(person);
  if (!stay) await page.goto('/');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** An email in a URL, or a token in a query: these belong in headers and bodies. */
const privateAddress = /@|%40|[?&]token=/i;

/**
 * The app requests an interview once its first answer was sent, before history knows about it. Also, tests may visit URLs
 * that don't exist.
 */
const notThere = /status of 404 .*(\/api\/interviews\/[0-9a-f]{24}$|0{24})/;

/**
 * Watches until the returned function is called, which fails on any exception or error that the page logged, and
 * on any request with a token or an email in its URL or referrer.
 */
export function watchForErrors(page: Page): () => void {
  const errors: string[] = [];
  const onRequest = (request: Request) => {
    const sent = [request.url().replace(/#.*/, ''), request.headers().referer ?? ''];
    for (const address of sent) if (privateAddress.test(address)) errors.push(`${request.method()} ${address}`);
  };
  const onThrown = (error: Error) => errors.push(String(error));
  const onMessage = (message: ConsoleMessage) => {
    const said = `${message.text()} ${message.location().url}`;
    if (message.type() === 'error' && !notThere.test(said)) errors.push(said);
  };
  page.on('pageerror', onThrown).on('console', onMessage).on('request', onRequest);
  return () => {
    page.off('pageerror', onThrown).off('console', onMessage).off('request', onRequest);
    expect(errors).toEqual([]);
  };
}

/**
 * Goes to a path of the product without reloading the app, as Back does: a sixth of the cost. Not for pages that
 * ask before leaving.
 */
export async function goWithoutLoading(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
}

/** Accepts all dialogs that ask before leaving. @returns the kinds of dialogs so far, updated live */
export function acceptDialogs(page: Page): string[] {
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    // A page that has since been closed doesn't need a response.
    dialog.accept().catch(() => undefined);
  });
  return asked;
}

/** Expects that the page doesn't scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widths = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  expect(widths.scrollWidth, page.url()).toBeLessThanOrEqual(widths.clientWidth);
}

/** Resolves when all finite animations have ended. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    return Promise.all([document.fonts.ready, ...ending.map(({ finished }) => finished.catch(() => null))]);
  });
}

/** Minified: every document parses it, and the package's default file is twice as long. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Axe's rules that depend on colors. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Expects that axe finds no violations, however minor. Axe runs in the page itself, which has no frames, and
 * loads once per document: @axe-core/playwright loads it three times per call, also in a second tab, at ten times the cost.
 * @param colorsOnly for a page already checked in other colors, and otherwise the same
 */
export async function expectAccessible(page: Page, { colorsOnly = false } = {}): Promise<void> {
  await atRest(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const options: RunOptions = { resultTypes: ['violations'], ...(colorsOnly ? { runOnly: colorRules } : {}) };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  const errors = violations.map(({ id, impact, nodes }) => ({
    id,
    impact,
    nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }));
  expect(errors, page.url()).toEqual([]);
}
