import type { Role } from '@interview-prep/contracts/auth/users';

/** An account as the provider describes it. */
export interface IdentityProfile {
  /** Trimmed and lower-cased; null if the provider gives none, or it is not verified. */
  email: string | null;
  /** The role that a new user gets. */
  role: Role;
}

/** An account at a provider, whose owner has just proved that it is theirs. */
export interface Identity {
  /** The provider's issuer and the account's `sub`: what an account is known by. Emails get reassigned. */
  key: string;
  /** The provider's display name. */
  provider: string;
  /** May ask the provider. */
  profile(): Promise<IdentityProfile>;
  /** The only domains whose people may sign in; empty for all. */
  domains: readonly string[];
}

/** Google's issuer, also for its own button, so that both ways lead to the same user. */
export const googleIssuer = 'https://accounts.google.com';

/** The prefix of the keys of an issuer's accounts. Ignores a trailing slash, which is inconsistent. */
export function issuerPrefix(issuer: string): string {
  return `${new URL(issuer).href} `;
}

/** URLs contain no spaces, so the parts are unambiguous. */
export function identityKey(issuer: string, subject: string): string {
  return issuerPrefix(issuer) + subject;
}
