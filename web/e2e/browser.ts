import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findChromium } from '@interview-prep/local/find-chromium';
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

/** For any Chromium that a test starts. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A fake microphone and camera, and less of the work that pays off in longer visits than those of tests. */
export const frugalFlags = [
  // The optimizing compilers spend more time on a page that is soon left than their code saves.
  '--js-flags=--no-opt --no-maglev',
  // Five pictures a second are enough for a test, and cost a sixth of thirty to encode.
  '--use-fake-device-for-media-stream=fps=5',
];

interface BrowserOptions {
  /** What the fake microphone says, over and over: a 48 kHz WAV; without one it beeps. */
  speech?: string;
  /** What the fake camera sees: an MJPEG; without one a test pattern. */
  sight?: string;
  /** A context may deny the microphone or the camera. Costs half as much again: Chromium without windows cannot deny them. */
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

/** Sizes that every screen must read well at. */
export const viewports = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

interface ContextOptions extends BrowserContextOptions {
  /** Needs a browser that can deny media. */
  mediaDenied?: boolean;
}

/**
 * A browser context of its own at the product's address. It prefers reduced motion by default: a spinner, shown while a page
 * waits for the speech engine, costs a fifth of a processor.
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

/** A user that a test created for itself. */
export interface Account {
  email: string;
  password: string;
}

/** Someone who can sign in: a demonstration login, or an account of the test's own. */
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

/** The token of a person, for API calls outside the browser. */
export async function tokenOf(person: Person): Promise<string> {
  return (await signInOf(person)).token;
}

/** Creates a developer user. A file that reads its own history needs one: files run side by side. */
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

/** What a sign-in leaves in local storage. */
export async function storedSignIn(person: Person): Promise<Record<string, string>> {
  const { user, token } = await signInOf(person);
  return { user, authToken: token };
}

/** Signs a context in as an earlier visit would have: the sign-in is in local storage before the first page loads. */
export async function signedIn(context: BrowserContext, person: Person): Promise<void> {
  await context.addInitScript(
    (entries) => {
      // Once only: what the page itself changes later must last.
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

/** An email in an address, or a query with a token: they belong in headers and bodies. */
const privateAddress = /@|%40|[?&]token=/i;

/**
 * The app asks for an interview when its first answer was sent, before history has heard of it. And an address of the tests may
 * lead to nothing.
 */
const notThere = /status of 404 .*(\/api\/interviews\/[0-9a-f]{24}$|0{24})/;

/**
 * Watches until the function that it returns is called, which fails on anything that the page threw or logged as an error, and
 * on any request with a token or an email in its address, or in that of the page which sent it.
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
 * Goes to an address of the product without loading the app again, as Back does: for a sixth of the work. Not from a page that
 * asks before it is left.
 */
export async function goWithoutLoading(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);
}

/** Says yes whenever the page asks before it is left. The kinds of what it asked, as they come. */
export function acceptDialogs(page: Page): string[] {
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    // A page that was closed in the meantime waits for no answer.
    dialog.accept().catch(() => undefined);
  });
  return asked;
}

/** Nothing on the page makes it scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const widths = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  expect(widths.scrollWidth, page.url()).toBeLessThanOrEqual(widths.clientWidth);
}

/** Resolves when all animations that end have ended; endless ones do not matter. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    return Promise.all([document.fonts.ready, ...ending.map(({ finished }) => finished.catch(() => null))]);
  });
}

/** Minified: each document parses it, and the file that the package exports is twice as long. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Axe's rules whose outcome depends on colours. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * The page as it is now has no fault that axe finds, however small. Axe runs in the page itself, which has no frames, and
 * is loaded once per document: @axe-core/playwright loads it three times a call, in a second tab too, for ten times the work.
 * @param coloursOnly for a page that was checked in other colours, and is the same but for these
 */
export async function expectAccessible(page: Page, { coloursOnly = false } = {}): Promise<void> {
  await atRest(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const options: RunOptions = { resultTypes: ['violations'], ...(coloursOnly ? { runOnly: colourRules } : {}) };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  const errors = violations.map(({ id, impact, nodes }) => ({
    id,
    impact,
    nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }));
  expect(errors, page.url()).toEqual([]);
}
