import { forbidden, HttpError, unauthorized, unavailable } from '@interview-prep/kit/http/http-error';
import { z } from 'zod';
import { googleIssuer, type Identity, identityKey } from '../users/identity-key.ts';

const timeoutMs = 5000;

/** Finds the account of an access token. @throws HttpError 401 for a bad token, 503 while Google is not responding */
export type GoogleAccounts = (accessToken: string) => Promise<Identity>;

const booleanOrText = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

const TokenInfo = z.object({ aud: z.string(), sub: z.string() });
const UserInfo = z.object({
  sub: z.string(),
  email: z.string().trim().toLowerCase().min(1),
  email_verified: booleanOrText,
  /** The account's Google Workspace; absent for a personal account. */
  hd: z.string().toLowerCase().optional(),
});

const refused = () => unauthorized('Google authentication failed');

/**
 * Queries Google. Refuses a token issued for another client: another site could replay its users' tokens here.
 * @see https://developers.google.com/identity/protocols/oauth2/web-server#tokeninfo
 */
export function createGoogleAccounts(options: {
  clientId: string;
  /** The Workspaces whose accounts may sign in; empty for all accounts. */
  domains: readonly string[];
  tokenInfoUrl: string;
  userInfoUrl: string;
}): GoogleAccounts {
  return async (accessToken) => {
    const infoUrl = new URL(options.tokenInfoUrl);
    infoUrl.searchParams.set('access_token', accessToken);
    const token = TokenInfo.safeParse(await ask(infoUrl, {}));
    if (!token.success || token.data.aud !== options.clientId) throw refused();

    const authorization = { Authorization: `Bearer ${accessToken}` };
    const user = UserInfo.safeParse(await ask(new URL(options.userInfoUrl), authorization));
    if (!user.success || !user.data.email_verified || user.data.sub !== token.data.sub) throw refused();
    const { sub, email, hd } = user.data;
    const { domains } = options;
    // A personal account may have a company's email address. Only `hd` proves that the account is the company's.
    if (domains.length > 0 && !(hd !== undefined && domains.includes(hd)))
      throw forbidden(`Only Google accounts of ${domains.join(', ')} can sign in here.`);
    const profile = { email, role: 'others' } as const;
    return { key: identityKey(googleIssuer, sub), provider: 'Google', domains: [], profile: async () => profile };
  };
}

async function ask(url: URL, headers: Record<string, string>): Promise<unknown> {
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    if (response.status >= 500) throw new Error(`Google answered ${response.status}`);
    const body: unknown = await response.json();
    if (!response.ok) throw refused();
    return body;
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw unavailable('Google cannot be reached right now. Please try again.', error);
  }
}
