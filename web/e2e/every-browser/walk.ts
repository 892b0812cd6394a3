import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, inject } from 'vitest';
import type { DrivenBrowser } from './driven-browser.ts';

/** Testing Library's queries, as a single script to run in a page. */
const queries = readFileSync(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'),
  'utf8',
);

/** Long enough for a busy machine: only a failure takes all of it. Polling costs the browser time too. */
const patience = { timeout: 60_000, interval: 400 };

/** An element is stable when it hasn't moved for this long. */
const restMs = 200;

const query = (name: string, within: string, ...args: string[]) =>
  `TestingLibraryDom.${name}(${[within, ...args].join(', ')})[0]`;
const byRole =
  (role: string) =>
  (name: RegExp, within = 'document.body') =>
    query('queryAllByRole', within, `'${role}'`, `{ name: ${name} }`);

/** Finds elements as a user does, as expressions to evaluate in the page. */
export const button = byRole('button');
export const link = byRole('link');
export const heading = byRole('heading');
export const article = byRole('article');
export function text(words: RegExp): string {
  return query('queryAllByText', 'document.body', `${words}`);
}
export function field(label: RegExp): string {
  return query('queryAllByLabelText', 'document.body', `${label}`, "{ selector: 'input' }");
}

/** Uses the product as a user does, waiting for each element. */
export class Walk {
  readonly #browser: DrivenBrowser;

  constructor(browser: DrivenBrowser) {
    this.#browser = browser;
  }

  /** Opens a path of the product. */
  open(path: string): Promise<void> {
    return this.#browser.open(`${inject('productUrl')}${path}`);
  }

  /** Opens the product without a sign-in left by an earlier attempt. */
  async openSignedOut(): Promise<void> {
    await this.open('/');
    await this.#browser.evaluate('localStorage.clear()');
    await this.open('/');
  }

  async reload(): Promise<void> {
    await this.#browser.open(await this.#browser.evaluate<string>('location.href'));
  }

  /** The value of an expression, retried until it is as expected. */
  poll<T>(expression: string): ReturnType<typeof expect.poll<T>> {
    return expect.poll(() => this.#evaluate<T>(expression), patience);
  }

  async see(element: string): Promise<void> {
    try {
      await this.poll<boolean>(`Boolean(${element})`).toBe(true);
    } catch (error) {
      throw new Error(`The page lacks ${element}: ${await this.#evaluate('document.body.innerText')}`, {
        cause: error,
      });
    }
  }

  async click(element: string): Promise<void> {
    await this.see(element);
    await this.#seeAtRest(element);
    await this.#browser.click(element);
  }

  /** Waits until an element is stable: content loading above it could move it away from the click. */
  async #seeAtRest(element: string): Promise<void> {
    const place = () => this.#evaluate<string>(`JSON.stringify(${element}?.getBoundingClientRect())`);
    let before = await place();
    const stays = async () => {
      const now = await place();
      const isSame = now === before;
      before = now;
      return isSame;
    };
    await pause(restMs);
    await expect.poll(stays, { ...patience, interval: restMs }).toBe(true);
  }

  async type(element: string, words: string): Promise<void> {
    await this.see(element);
    await this.#browser.type(element, words);
  }

  async mute(media: string): Promise<void> {
    await this.#evaluate(`void (${media}.muted = true)`);
  }

  async #evaluate<T>(expression: string): Promise<T> {
    const outcome = await this.#browser.evaluate<[T] | null>(`'TestingLibraryDom' in window ? [${expression}] : null`);
    if (outcome) return outcome[0];
    await this.#browser.evaluate(queries);
    return this.#evaluate(expression);
  }
}
