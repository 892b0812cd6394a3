const storageKey = 'reloadedForBuildAt';
/** A page that still misses its code after this is broken in another way: the error page says so. */
const patienceMs = 60_000;

/**
 * Loads the page anew when a piece of its code is no longer there, since the server was updated while the page was open.
 * The address stays, and what was recorded is kept by the browser.
 */
export function reloadWhenReplaced(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const reloadedAt = Number(sessionStorage.getItem(storageKey) ?? 0);
    if (Date.now() - reloadedAt < patienceMs) return;
    sessionStorage.setItem(storageKey, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
}
