const storageKey = 'reloadedForBuildAt';
/** Reload once in this time. If code is still missing, the error page says so. */
const patienceMs = 60_000;

/**
 * Reloads the page when a chunk of its code is gone because the server was updated. The address stays, and recorded
 * answers are in the browser's database.
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
