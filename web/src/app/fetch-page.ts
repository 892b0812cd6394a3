import { sendEarly } from '../lib/api/early-answers.ts';
import type { StoredSignIn } from '../lib/state/sign-in-storage.ts';
import { loadPage } from './lazy-page.tsx';
import { screenAt } from './routes.ts';

/** The code of all pages except a visitor's first login screen. */
export function loadRoutedPages() {
  return import('./router.tsx');
}

/**
 * Prefetches a signed-in user's page, code and data in parallel; its parts would otherwise request them one after another.
 * @param address the page's path and fragment; the fragment holds a history's filter
 * @returns when the code has loaded or failed to; a failure surfaces, and can be retried, when the page renders
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
