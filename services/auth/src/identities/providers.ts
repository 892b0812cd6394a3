import type { LinkedProvider, ProviderId } from '@interview-prep/contracts/auth/identities';
import { googleIssuer, issuerPrefix } from '../users/identity-key.ts';

export interface Provider {
  id: ProviderId;
  name: string;
  /** The prefix of its accounts' keys. */
  prefix: string;
}

/** The configured providers. @param oidc the OpenID provider, null without one */
export function providersOf(isGoogleSetUp: boolean, oidc: { name: string; issuer: string } | null): Provider[] {
  return [
    ...(isGoogleSetUp ? [{ id: 'google' as const, name: 'Google', prefix: issuerPrefix(googleIssuer) }] : []),
    ...(oidc ? [{ id: 'oidc' as const, name: oidc.name, prefix: issuerPrefix(oidc.issuer) }] : []),
  ];
}

/** The keys of a user's accounts at other providers. */
export function keysOfOtherProviders({ prefix }: Provider, keys: readonly string[]): string[] {
  return keys.filter((key) => !key.startsWith(prefix));
}

/** The providers, with whether the user has linked an account. */
export function linkedProviders(providers: readonly Provider[], keys: readonly string[] = []): LinkedProvider[] {
  return providers.map(({ id, name, prefix }) => ({ id, name, isLinked: keys.some((key) => key.startsWith(prefix)) }));
}
