const storageKey = 'provider-attempt';

/** Kept in this window while the user signs in at an OpenID provider. Never part of a URL. */
export interface ProviderAttempt {
  /** The secret that the provider's response must be redeemed with. */
  attempt: string;
  purpose: 'sign-in' | 'link';
  /** The provider's display name. */
  name: string;
  /** The page to return to. */
  returnTo: string;
}

/** Stores an attempt for this window only: others can't use the provider's response. @throws if storage is disabled */
export function keepAttempt(attempt: ProviderAttempt): void {
  sessionStorage.setItem(storageKey, JSON.stringify(attempt));
}

/** Takes the attempt of this window, once; null if there is none. */
export function takeAttempt(): ProviderAttempt | null {
  try {
    const stored = sessionStorage.getItem(storageKey);
    sessionStorage.removeItem(storageKey);
    const { attempt, purpose, name, returnTo } = JSON.parse(stored ?? '{}') as Partial<ProviderAttempt>;
    if (typeof attempt !== 'string' || typeof name !== 'string') return null;
    return {
      attempt,
      purpose: purpose === 'link' ? 'link' : 'sign-in',
      name,
      returnTo: ownPath(String(returnTo ?? '/')),
    };
  } catch {
    return null;
  }
}

/** A path within this app; the home page for any other address. */
function ownPath(path: string): string {
  const { origin } = window.location;
  if (!URL.canParse(path, origin)) return '/';
  const url = new URL(path, origin);
  return url.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}

/**
 * Opens the provider's page, which redirects to one fixed address.
 * @returns why it was not opened, such as this page being at a different address
 */
export function goToProvider(url: string, attempt: ProviderAttempt): string | undefined {
  const target = new URL(url);
  const { origin: home } = new URL(target.searchParams.get('redirect_uri') ?? '', window.location.origin);
  if (home !== window.location.origin) return `${attempt.name} sends you back to ${home}. Please sign in there.`;
  if (!/^https?:$/.test(target.protocol)) return `Failed to reach ${attempt.name}`;
  keepAttempt(attempt);
  window.location.assign(target.href);
  return undefined;
}
