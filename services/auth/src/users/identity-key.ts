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
  /** The provider's name for people. */
  provider: string;
  /** May ask the provider. */
  profile(): Promise<IdentityProfile>;
  /** The only domains whose people may sign in; empty for all. */
  domains: readonly string[];
}

/** Google's issuer, also for its own button, so that both ways lead to the same user. */
export const googleIssuer = 'https://accounts.google.com';

/** Begins the keys of all accounts of an issuer. A trailing slash that only some write makes no difference. */
export function issuerPrefix(issuer: string): string {
  return `${new URL(issuer).href} `;
}

/** An address has no blank, so the parts can't be confused. */
export function identityKey(issuer: string, subject: string): string {
  return issuerPrefix(issuer) + subject;
}
