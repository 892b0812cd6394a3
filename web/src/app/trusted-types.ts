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

interface TrustedTypePolicies {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown;
}

interface Page {
  trustedTypes?: TrustedTypePolicies;
  /** zod's configuration, which it makes where there is none. */
  __zod_globalConfig?: object;
}

/**
 * Markup that libraries write as text: style sheets without a tag, and the player's frame of `style` and `div` elements with
 * nothing but names on them. Neither runs a script.
 */
const harmless = /^[^<]*(?:<\/?(?:style|div|slot)(?:\s+(?:class|part|nonce)="[^"<>]*")*\s*>[^<]*)*$/;

/** The text if it can run no script; null, which makes the browser throw, for everything else. */
export function harmlessMarkup(text: string): string | null {
  return harmless.test(text) ? text : null;
}

/**
 * Prepares the page for a policy that requires trusted types: its libraries may write style sheets, and the browser refuses
 * all other text that would become markup. Call it before anything else. Source: W3C Trusted Types.
 */
export function prepareForTrustedTypes(): void {
  const page = window as Page;
  page.trustedTypes?.createPolicy('default', { createHTML: harmlessMarkup });
  // zod would compile its schemas with `new Function`. The policy refuses that, and each try is reported as an error.
  page.__zod_globalConfig = { ...page.__zod_globalConfig, jitless: true };
}
