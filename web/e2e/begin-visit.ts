import type { BrowserContext, Page } from 'playwright-core';
import { type Person, storedSignIn, viewports } from './browser.ts';

/**
 * A URL that loads nothing else but has the headers of the app's pages. If they differed, as on /healthz, the browser
 * would start another process for the next page, which costs as much as loading the app.
 */
export const emptyPage = '/icon.svg';

/**
 * Clears everything an earlier test left in the context and its page: a new context and page per test would cost four
 * times as much. The page is reused unless the earlier test closed it. Init scripts can't be removed, so a test that adds
 * one closes its page at the end.
 * @param person signed in, as if from an earlier visit
 */
export async function beginVisit(context: BrowserContext, person?: Person): Promise<Page> {
  const page = context.pages()[0] ?? (await context.newPage());
  for (const event of ['dialog', 'request', 'response', 'load', 'console', 'pageerror'] as const)
    page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A recording in progress asks before leaving.
  page.once('dialog', (dialog) => void dialog.accept());
  await page.goto(emptyPage);
  page.removeAllListeners('dialog');
  await page.setViewportSize(viewports.desktop);
  await page.emulateMedia({ colorScheme: null });
  const signIn = person === undefined ? {} : await storedSignIn(person);
  await page.evaluate(async (entries) => {
    sessionStorage.clear();
    localStorage.clear();
    for (const { name = '' } of await indexedDB.databases())
      await new Promise((resolve, reject) => {
        const deletion = indexedDB.deleteDatabase(name);
        deletion.onsuccess = resolve;
        deletion.onerror = () => reject(deletion.error);
      });
    for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value);
  }, signIn);
  return page;
}
