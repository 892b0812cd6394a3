import { findChromium } from '@interview-prep/local/commands';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type ApiClient, signIn } from './api-client.ts';
import { type Bench, type Measure, median } from './measure.ts';

export const loginJavascript: Measure = {
  what: 'JavaScript loaded before the login page works, gzipped',
  unit: 'KB',
  limit: 150,
  async run({ stack }) {
    const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags });
    try {
      const page = await browser.newPage();
      await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
      const wire = await page.context().newCDPSession(page);
      const scripts = new Set<string>();
      let bytes = 0;
      await wire.send('Network.enable');
      wire.on('Network.responseReceived', ({ requestId, type }) => {
        if (type === 'Script') scripts.add(requestId);
      });
      wire.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
        if (scripts.has(requestId)) bytes += encodedDataLength;
      });
      await page.goto(stack.url);
      await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
      await page.waitForLoadState('networkidle');
      return { value: bytes / 1000, from: `${scripts.size} scripts as they came over the wire` };
    } finally {
      await browser.close();
    }
  },
};

/** Runs Chromium without features that need a desktop or the internet. */
const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
];

/** A mid-range phone on an average connection. */
const throttle = { cpu: 4, bytesPerSecond: 9_000_000 / 8, latencyMs: 100 };
const visits = 5;
const media = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'];

/** A screen, the element that shows it has loaded, and a typical first interaction. */
interface Screen {
  name: string;
  path: (client: ApiClient) => Promise<string>;
  ready: (page: Page) => Promise<unknown>;
  act: (page: Page) => Promise<unknown>;
}

const screens: readonly Screen[] = [
  {
    name: 'home',
    path: async () => '/',
    ready: (page) => page.getByText('Take Interview').first().waitFor(),
    act: (page) => page.getByText('Algorithms').first().click(),
  },
  {
    name: 'recorder',
    path: async (client) => `/interview/${(await client.interviewSets())[0]?._id}`,
    ready: (page) => page.getByRole('button', { name: 'Wait' }).waitFor(),
    act: (page) => page.getByRole('button', { name: 'Wait' }).click(),
  },
  {
    name: 'history',
    path: async () => '/interviews',
    ready: (page) => page.locator('a[href^="/interviews/"]').first().waitFor(),
    act: (page) => page.getByText('View by Technologies').click(),
  },
];

/** The figures of one visit to a screen; times in ms. */
interface Visit {
  largestPaint: number;
  interaction: number;
  layoutShift: number;
}

/** Collects the browser's performance entries, starting before the page's first script. */
function observe() {
  const seen = { largestPaint: 0, interaction: 0, layoutShift: 0 };
  Object.assign(globalThis, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.largestPaint = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) seen.layoutShift += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.interaction = Math.max(seen.interaction, entry.duration);
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
}

async function visit(browser: Browser, bench: Bench, client: ApiClient, screen: Screen): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await signedInPage(context, client);
    await page.goto(`${bench.stack.url}${await screen.path(client)}`);
    await screen.ready(page);
    await page.waitForLoadState('networkidle');
    // Read before the interaction, after which the browser reports no larger paint.
    await screen.act(page);
    await page
      .waitForFunction(() => (globalThis as unknown as { seen: Visit }).seen.interaction > 0, null, { timeout: 2000 })
      .catch((error: Error) => {
        // Interactions under 16 ms are not reported.
        if (error.name !== 'TimeoutError') throw error;
      });
    return await page.evaluate(() => (globalThis as unknown as { seen: Visit }).seen);
  } finally {
    await context.close();
  }
}

async function signedInPage(context: BrowserContext, { token, user }: ApiClient): Promise<Page> {
  await context.addInitScript(
    ([record, authToken]) => {
      localStorage.setItem('user', record ?? '');
      localStorage.setItem('authToken', authToken ?? '');
    },
    [JSON.stringify(user), token],
  );
  await context.addInitScript(observe);
  const page = await context.newPage();
  const wire = await context.newCDPSession(page);
  await wire.send('Emulation.setCPUThrottlingRate', { rate: throttle.cpu });
  await wire.send('Network.enable');
  await wire.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: throttle.latencyMs,
    downloadThroughput: throttle.bytesPerSecond,
    uploadThroughput: throttle.bytesPerSecond,
  });
  return page;
}

let measured: Promise<Record<string, Visit>> | undefined;

/** Visits every screen several times with an empty cache. @returns the median of each figure */
async function visitAll(bench: Bench): Promise<Record<string, Visit>> {
  const client = await signIn(bench.stack);
  const set = (await client.interviewSets())[0];
  if (!set) throw new Error('There is no interview set');
  for (let session = 0; session < 5; session += 1) {
    await client.upload(new Blob([bench.tone, new Uint8Array([0xec, 0x81, session])], { type: 'audio/webm' }), set, 0);
  }
  const browser = await chromium.launch({ executablePath: findChromium(), args: [...chromiumFlags, ...media] });
  try {
    const result: Record<string, Visit> = {};
    for (const screen of screens) {
      const all: Visit[] = [];
      for (let i = 0; i < visits; i += 1) all.push(await visit(browser, bench, client, screen));
      result[screen.name] = {
        largestPaint: median(all.map((one) => one.largestPaint)),
        interaction: median(all.map((one) => one.interaction)),
        layoutShift: median(all.map((one) => one.layoutShift)),
      };
    }
    return result;
  } finally {
    await browser.close();
  }
}

const profile = `${throttle.cpu}× CPU, 9 Mbit/s, ${throttle.latencyMs} ms`;

const pageSpeed = (
  what: string,
  unit: string,
  limit: number,
  value: (visit: Visit) => number,
  digits: number,
): Measure => ({
  what: `${what} of home, recorder and history (${profile}), worst`,
  unit,
  limit,
  async run(bench) {
    measured ??= visitAll(bench);
    const values = Object.entries(await measured).map(([name, one]) => [name, value(one)] as const);
    return {
      value: Math.max(...values.map(([, number]) => number)),
      from: `${values.map(([name, number]) => `${name} ${number.toFixed(digits)}`).join(', ')}; medians of ${visits} visits with an empty cache`,
    };
  },
});

export const largestPaint = pageSpeed('largest contentful paint', 's', 1.8, (one) => one.largestPaint / 1000, 2);
export const interactionDelay = pageSpeed('interaction delay', 'ms', 100, (one) => one.interaction, 0);
export const layoutShift = pageSpeed('layout shift', '', 0.02, (one) => one.layoutShift, 3);
