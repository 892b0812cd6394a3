import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { findCommand } from '@interview-prep/local/commands';
import { Builder, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver';
import type { DrivenBrowser } from './driven-browser.ts';

// An ES module can't import a folder of a CommonJS package.
const { DriverService }: typeof import('selenium-webdriver/remote.js') = createRequire(import.meta.url)(
  'selenium-webdriver/remote',
);

/** @throws Error if it isn't installed */
function installed(name: string): string {
  const path = name.startsWith('/') ? globSync(name)[0] : findCommand([name]);
  if (path) return path;
  throw new Error(`${name} is missing: npm test installs it`);
}

/** A virtual screen: WebKitGTK draws nothing without one. */
async function startScreen(): Promise<{ display: string; screen: ChildProcessByStdio<null, Readable, null> }> {
  const screen = spawn(installed('Xvfb'), ['-displayfd', '1', '-screen', '0', '1440x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = (await once(screen.stdout, 'data')) as [Buffer];
  return { display: `:${number.toString().trim()}`, screen };
}

/** The ids of a process's descendants, parents first. */
function descendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/**
 * WebKitGTK, Safari's engine on Linux, with a silent microphone and no camera.
 * @param isPrivate uses a private window, which stores nothing on disk and no Blob in IndexedDB
 */
export async function startWebKit({ isPrivate = false } = {}): Promise<DrivenBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'interview-prep-profile-'));
  const { display, screen } = await startScreen();
  const window = {
    binary: installed('gjs'),
    args: ['-m', join(import.meta.dirname, 'webkit-window.js'), ...(isPrivate ? [] : [profile])],
  };
  const capabilities = new Capabilities({ browserName: 'WebKitGTK', 'webkitgtk:browserOptions': window });
  const start = async () => {
    const service = new DriverService.Builder(installed('WebKitWebDriver'))
      .setLoopback(true)
      .setEnvironment({
        ...(process.env as Record<string, string>),
        DISPLAY: display,
        // The sandbox doesn't start as root, nor in most containers.
        WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      })
      .build();
    const address = await service.start();
    const driver: WebDriver = await new Builder().usingServer(address).withCapabilities(capabilities).build();
    return { service, driver };
  };
  let { service, driver } = await start();
  const end = async () => {
    const processes = descendants(process.pid).filter((pid) => pid !== screen.pid);
    for (const pid of processes) process.kill(pid, 'SIGKILL');
    await service.kill();
  };
  const find = (element: string) => driver.executeScript<WebElement>(`return ${element}`);
  return {
    open: (url) => driver.get(url),
    evaluate: (expression: string) => driver.executeScript(`return ${expression}`),
    click: async (element) => (await find(element)).click(),
    type: async (element, text) => (await find(element)).sendKeys(text),
    crash: async () => {
      await end();
      ({ service, driver } = await start());
    },
    close: async () => {
      await end();
      screen.kill();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
