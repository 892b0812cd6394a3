interface TrustedTypePolicies {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown;
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
 * Lets the page's libraries write style sheets where the policy of the page wants trusted types. Without it the browser
 * refuses all text that would become markup. Source: W3C Trusted Types.
 */
export function allowHarmlessMarkup(): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypePolicies };
  trustedTypes?.createPolicy('default', { createHTML: harmlessMarkup });
}
