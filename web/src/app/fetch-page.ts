import { publicPaths } from '../lib/paths.ts';
import { fetchScreenAt, isAt } from './routes.ts';

/** The code around every screen of a signed-in user. */
export function loadShell() {
  return import('./shell/shell.tsx');
}

/**
 * Fetches the code of a signed-in user's page at once, while React starts: that of its screen, and of the shell around it. The
 * router would ask for them one after the other.
 */
export function fetchPageAt(pathname: string): void {
  fetchScreenAt(pathname);
  // A failure shows, and can be retried, when the shell renders.
  if (!publicPaths.some((path) => isAt(path, pathname))) loadShell().catch(() => undefined);
}
