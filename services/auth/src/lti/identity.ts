import { identityKey } from '../users/identity-key.ts';
import type { StoredPlatform } from './model.ts';

/** The prefix of a platform's identities, which keeps them separate from a sign-in provider's even if the issuer is the same. */
export function ltiPrefix(issuer: string): string {
  return `lti ${identityKey(issuer, '')}`;
}

/** Identifies a person by issuer and `sub`: email addresses get reassigned. */
export function ltiIdentity({ issuer }: Pick<StoredPlatform, 'issuer'>, sub: string): string {
  return ltiPrefix(issuer) + sub;
}
