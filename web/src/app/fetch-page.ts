import { sendEarly } from '../lib/api/early-answers.ts';
import type { StoredSignIn } from '../lib/state/sign-in-storage.ts';
import { loadPage } from './loaded-pages.ts';
import { screenAt } from './routes.ts';

/** The code of every page but a visitor's first login screen. */
export function loadRoutedPages() {
  return import('./router.tsx');
}

/**
 * Fetches a signed-in user's page at once: its code, and what it shows. Its parts would ask for them one after the other.
 * @param address the page's path, and the fragment, which holds a history's filter
 * @returns when the code is there, or could not be had: that shows, and can be retried, when the page renders
 */
export async function fetchPageAt(
  { pathname, hash }: Pick<Location, 'pathname' | 'hash'>,
  { user, token }: StoredSignIn,
): Promise<void> {
  const screen = screenAt(pathname);
  const code = [loadRoutedPages, ...(screen ? [screen.load] : [])].map(loadPage);
  if (screen?.requests && hash === '') sendEarly(screen.requests(user), token);
  await Promise.allSettled(code);
}
