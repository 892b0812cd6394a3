import type { BrowserContext, Page } from 'playwright-core';
import { type Person, storedSignIn, viewports } from './browser.ts';

/**
 * An address of the product that loads nothing else. With the headers of the app's pages: where they differ, as those of
 * /healthz do, the browser starts another process for the next page, which costs as much as to load the app.
 */
export const emptyPage = '/icon.svg';

/**
 * A page on which nothing is left of an earlier test, in its context: a context and a page of its own cost a test four
 * times the work. The page itself is used again, unless the earlier test closed it. What a test adds as an init script
 * stays, so such a test closes its page in the end.
 * @param person is signed in, as by an earlier visit
 */
export async function beginVisit(context: BrowserContext, person?: Person): Promise<Page> {
  const page = context.pages()[0] ?? (await context.newPage());
  for (const event of ['dialog', 'request', 'response', 'load', 'console', 'pageerror'] as const)
    page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // A recording that is under way asks before it is left.
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
