import type { Role } from '@interview-prep/contracts/auth/users';

/** An account as the provider describes it. */
export interface IdentityProfile {
  /** Trimmed and lower-cased; null if the provider returns none, or it is not verified. */
  email: string | null;
  role: Role;
}

/** A provider account whose owner has just proved ownership. */
export interface Identity {
  /** Identifies the account by the provider's issuer and its `sub`: email addresses get reassigned. */
  key: string;
  /** The provider's display name. */
  provider: string;
  /** May call the provider. */
  profile(): Promise<IdentityProfile>;
  /** The domains whose users may sign in; empty for all. */
  domains: readonly string[];
}

/** Google's issuer. Also used for Google's own button, so that both ways sign in the same user. */
export const googleIssuer = 'https://accounts.google.com';

/** The prefix of the keys of an issuer's accounts. Ignores a trailing slash, which is inconsistent. */
export function issuerPrefix(issuer: string): string {
  return `${new URL(issuer).href} `;
}

/** URLs contain no spaces, so the parts are unambiguous. */
export function identityKey(issuer: string, subject: string): string {
  return issuerPrefix(issuer) + subject;
}
