import { sign } from 'node:crypto';
import {
  type ProviderAccount,
  startOpenIdProvider,
  type TestOpenIdProvider,
} from '@interview-prep/kit/testing/openid-provider';
import { startAuth } from './start-auth.ts';

const publicUrl = 'http://prep.example.com';
export const redirectUri = `${publicUrl}/sign-in/callback`;

/** Settings for sign-in with a provider. */
export function settingsFor({ issuer, client }: TestOpenIdProvider) {
  return {
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    OIDC_OPTIONS: 'name=Acme',
  };
}

/** The page's request once the browser returns. */
export function answerOf(attempt: string, returned: URL) {
  return { attempt, ...Object.fromEntries(returned.searchParams) };
}

/** The service with its own provider. */
export async function startOidc(environment: Record<string, string> = {}) {
  const provider = await startOpenIdProvider();
  provider.redirectUris.add(redirectUri);
  const started = await startAuth({ ...settingsFor(provider), ...environment });
  const post = (path: string, body?: object, token?: string) => started.call('post', path, token, body);
  const begin = async (): Promise<{ url: string; attempt: string }> => (await post('/api/auth/oidc').expect(200)).body;
  const finish = (attempt: string, returned: URL, changes: object = {}) =>
    post('/api/auth/oidc/finish', { ...answerOf(attempt, returned), ...changes });
  let count = 0;
  return {
    provider,
    started,
    post,
    begin,
    finish,
    /** A complete sign-in, to the provider and back. */
    async signIn(sub: string, changes: object = {}) {
      const { url, attempt } = await begin();
      return finish(attempt, await provider.visit(url, sub), changes);
    },
    /** An account with a verified email, unless `claims` overrides it. */
    newAccount(claims: ProviderAccount = {}): { sub: string; email: string } {
      const sub = `Person-${++count}`;
      const email = claims.email ?? `person-${count}@example.com`;
      provider.accounts.set(sub, { email, email_verified: true, ...claims });
      return { sub, email };
    },
    /** Signs an ID token as the provider does. */
    byProvider: (data: string) => sign('RSA-SHA256', Buffer.from(data), provider.privateKey).toString('base64url'),
    async stop() {
      await started.stop();
      await provider.stop();
    },
  };
}

export type StartedOidc = Awaited<ReturnType<typeof startOidc>>;

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** An ID token with the claims of the real one, signed by someone else. */
export function forged(
  idToken: unknown,
  changes: { header?: object; claims?: object; signature(data: string): string },
) {
  const [header, claims] = String(idToken)
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}') as object);
  const data = `${base64url({ ...header, ...changes.header })}.${base64url({ ...claims, ...changes.claims })}`;
  return `${data}.${changes.signature(data)}`;
}
