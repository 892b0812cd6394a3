const storageKey = 'provider-attempt';

/** What this window keeps while the user signs in at an OpenID provider. None of it is put into an address. */
export interface ProviderAttempt {
  /** The secret that belongs to the provider's answer. */
  attempt: string;
  purpose: 'sign-in' | 'link';
  /** The provider's name for people. */
  name: string;
  /** The page to return to. */
  returnTo: string;
}

/** Keeps an attempt for this window only: others can't use the provider's answer. @throws if storage is off */
export function keepAttempt(attempt: ProviderAttempt): void {
  sessionStorage.setItem(storageKey, JSON.stringify(attempt));
}

/** Takes the attempt of this window, once; null where it has begun none. */
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

/** The page of this app at a path; the first page for an address anywhere else. */
function ownPath(path: string): string {
  const { origin } = window.location;
  if (!URL.canParse(path, origin)) return '/';
  const url = new URL(path, origin);
  return url.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}

/**
 * Opens the provider's page, which redirects to one fixed address.
 * @returns why it was not opened, such as this page being at another address
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
