import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findChromium, findCommand } from '@interview-prep/local/commands';
import puppeteer, { type ElementHandle, type LaunchOptions } from 'puppeteer-core';
import { chromiumFlags, frugalFlags, viewports } from '../browser.ts';
import type { DrivenBrowser } from './driven-browser.ts';

/** A browser with its own profile folder, which survives a crash. */
async function startBrowser(options: LaunchOptions): Promise<DrivenBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'interview-prep-profile-'));
  const start = async () => {
    const browser = await puppeteer.launch({ ...options, userDataDir: profile, defaultViewport: viewports.desktop });
    return { browser, page: await browser.newPage() };
  };
  let { browser, page } = await start();
  const find = async (element: string) => (await page.evaluateHandle(element)) as ElementHandle<Element>;
  return {
    open: async (url) => {
      for (let triesLeft = 5; ; triesLeft--) {
        try {
          await page.goto(url);
          return;
        } catch (error) {
          // Firefox aborts a navigation while it is still setting up the tab.
          if (triesLeft === 1 || !String(error).includes('NS_BINDING_ABORTED')) throw error;
          await pause(500);
        }
      }
    },
    evaluate: async <T>(expression: string) => (await page.evaluate(expression)) as T,
    click: async (element) => (await find(element)).click(),
    type: async (element, text) => (await find(element)).type(text),
    crash: async () => {
      const process = browser.process();
      if (!process) throw new Error('The browser has no process');
      const ended = once(process, 'exit');
      process.kill('SIGKILL');
      await ended;
      ({ browser, page } = await start());
    },
    close: async () => {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Chromium, whose microphone beeps and whose camera shows a test pattern. */
export function startChromium(): Promise<DrivenBrowser> {
  return startBrowser({
    executablePath: findChromium(),
    args: [...chromiumFlags, ...frugalFlags, '--use-fake-ui-for-media-stream', '--force-prefers-reduced-motion'],
  });
}

/** @throws Error if it isn't installed */
function findFirefox(): string {
  const path = findCommand(['firefox-esr', 'firefox']);
  if (path) return path;
  throw new Error('Firefox is missing: npm test installs it');
}

/** Firefox, whose microphone hums and whose camera shows a color. */
export function startFirefox(): Promise<DrivenBrowser> {
  return startBrowser({
    browser: 'firefox',
    executablePath: findFirefox(),
    extraPrefsFirefox: {
      'media.navigator.permission.disabled': true,
      'media.navigator.streams.fake': true,
      // As in Chromium: skip work that a test doesn't need.
      'media.navigator.video.default_fps': 5,
      'layout.frame_rate': 10,
      'ui.prefersReducedMotion': 1,
    },
  });
}
