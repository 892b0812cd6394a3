import AxeBuilder from '@axe-core/playwright';
import { findChromium } from '@interview-prep/local/find-chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, inject } from 'vitest';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

interface BrowserOptions {
  /** What the fake microphone says, over and over: a 48 kHz WAV; without one it beeps. */
  speech?: string;
  /** What the fake camera sees: an MJPEG; without one a test pattern. */
  sight?: string;
}

/** Chromium with a fake microphone and camera that are allowed without a question, unless a context denies them. */
export function launchBrowser({ speech, sight }: BrowserOptions = {}): Promise<Browser> {
  const microphone = speech === undefined ? [] : [`--use-file-for-fake-audio-capture=${speech}`];
  const camera = sight === undefined ? [] : [`--use-file-for-fake-video-capture=${sight}`];
  return chromium.launch({
    executablePath: findChromium(),
    args: [...flags, '--use-fake-device-for-media-stream', ...microphone, ...camera],
  });
}

/** Sizes that every screen must read well at. */
export const viewports = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

interface ContextOptions extends BrowserContextOptions {
  /** Microphone and camera are allowed unless told otherwise. */
  mediaDenied?: boolean;
}

/** A context at the product's address, as a person of its own. */
export function newVisitor(browser: Browser, { mediaDenied = false, ...options }: ContextOptions = {}) {
  return browser.newContext({
    baseURL: inject('productUrl'),
    viewport: viewports.desktop,
    permissions: mediaDenied ? [] : ['microphone', 'camera'],
    ...options,
  });
}

export type DemoUser = 'admin' | 'dev' | 'candidate';

const sessions = new Map<DemoUser, Promise<{ user: string; token: string }>>();

async function login(name: DemoUser) {
  const response = await fetch(`${inject('productUrl')}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com`, password: inject('demoPassword') }),
  });
  if (!response.ok) throw new Error(`${name} could not sign in: ${response.status} ${await response.text()}`);
  const { user } = (await response.json()) as { user: { token: string } };
  const { token, ...record } = user;
  return { user: JSON.stringify(record), token };
}

/** The token of a demonstration login, for calls beside the browser. */
export async function tokenOf(name: DemoUser): Promise<string> {
  const session = sessions.get(name) ?? login(name);
  sessions.set(name, session);
  return (await session).token;
}

/** Signs a context in as a former visit would have: the session is in its local storage before the first page. */
export async function signedIn(context: BrowserContext, name: DemoUser): Promise<void> {
  await tokenOf(name);
  const session = await sessions.get(name);
  await context.addInitScript(
    ([user, token]) => {
      // Once: what the page itself does to its session later must last.
      if (sessionStorage.getItem('signed in by the test')) return;
      sessionStorage.setItem('signed in by the test', 'yes');
      localStorage.setItem('user', user ?? '');
      localStorage.setItem('authToken', token ?? '');
    },
    [session?.user, session?.token],
  );
}

/** Signs in on the login screen, as a person does; `stay`: the screen is there already. */
export async function signInByHand(page: Page, name: DemoUser, { stay = false } = {}): Promise<void> {
  if (!stay) await page.goto('/');
  await page.getByLabel('Email').fill(`${name}@example.com`);
  await page.getByLabel('Password', { exact: true }).fill(inject('demoPassword'));
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** Fails on anything that the page threw or logged as an error, when it is called at the end of a test. */
export function watchForErrors(page: Page): () => void {
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return () => expect(errors).toEqual([]);
}

/** Says yes whenever the page asks before it is left. The kinds of what it asked, as they come. */
export function acceptDialogs(page: Page): string[] {
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    // A page that was closed meanwhile waits for no answer.
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

/** Resolves when nothing moves any more that comes to an end; what pulses for ever is let alone. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    return Promise.all([document.fonts.ready, ...ending.map(({ finished }) => finished.catch(() => null))]);
  });
}

/** The page as it is now has no fault that axe finds, however small. */
export async function expectAccessible(page: Page): Promise<void> {
  await atRest(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const errors = violations.map(({ id, impact, nodes }) => ({
    id,
    impact,
    nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
  }));
  expect(errors, page.url()).toEqual([]);
}
