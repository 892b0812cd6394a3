const storageKey = 'reloadedForBuildAt';
/** Reload at most once in this time. If code is still missing, the error page explains it. */
const patienceMs = 60_000;

/**
 * Reloads the page when a chunk of its code is gone because the server was updated. The URL stays the same, and recorded
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

interface TrustedTypePolicies {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown;
}

interface Page {
  trustedTypes?: TrustedTypePolicies;
  /** zod's global configuration, created if missing. */
  __zod_globalConfig?: object;
}

/**
 * Markup that libraries write as text: style sheets without tags, and the player's layout of bare `style` and `div` elements.
 * Neither can run a script.
 */
const harmless = /^[^<]*(?:<\/?(?:style|div|slot)(?:\s+(?:class|part|nonce)="[^"<>]*")*\s*>[^<]*)*$/;

/** The text if it can't run a script; null, which makes the browser throw, for everything else. */
export function harmlessMarkup(text: string): string | null {
  return harmless.test(text) ? text : null;
}

/**
 * Prepares the page for a policy that requires trusted types: its libraries may write style sheets, and the browser rejects
 * all other text used as markup. Call it before anything else. Source: W3C Trusted Types.
 */
export function prepareForTrustedTypes(): void {
  const page = window as Page;
  page.trustedTypes?.createPolicy('default', { createHTML: harmlessMarkup });
  // zod would compile its schemas with `new Function`. The policy rejects that and reports each attempt as an error.
  page.__zod_globalConfig = { ...page.__zod_globalConfig, jitless: true };
}
