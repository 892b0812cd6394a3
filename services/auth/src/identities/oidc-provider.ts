import type { ProviderAnswer, ProviderRedirect } from '@interview-prep/contracts/auth/identities';
import { unauthorized } from '@interview-prep/kit/http/http-error';
import type { Logger } from '@interview-prep/kit/process/logger';
import * as client from 'openid-client';
import type { AuthSettings } from '../config.ts';
import { type Identity, type IdentityProfile, identityKey, issuerPrefix } from '../users/identity-key.ts';
import type { OidcAttempts } from './oidc-attempts.ts';
import { isClientRefused, isProviderDown, providerRefusal } from './provider-refusal.ts';

/** Timeout per request to the provider. A user is waiting, and the service's own deadline is 9 s. */
const timeoutSeconds = 4;

/** How long the provider's metadata is cached. */
const metadataMs = 60 * 60_000;

/** The tolerated clock skew. */
const clockToleranceSeconds = 60;

/** The page of the web app that the provider sends the browser back to. */
const callbackPath = '/sign-in/callback';

export interface ProviderOptions extends OidcOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  publicUrl: string;
}

type OidcOptions = AuthSettings['OIDC_OPTIONS'];

/** The options in the settings; null without OIDC_ISSUER. */
export function providerOptions(
  settings: Pick<AuthSettings, 'OIDC_ISSUER' | 'OIDC_CLIENT_ID' | 'OIDC_CLIENT_SECRET' | 'OIDC_OPTIONS' | 'PUBLIC_URL'>,
): ProviderOptions | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  return { ...settings.OIDC_OPTIONS, issuer, clientId, clientSecret, publicUrl: settings.PUBLIC_URL };
}

/** The redirect URI to register with the provider. */
export function redirectUri(publicUrl: string): string {
  return publicUrl + callbackPath;
}

/**
 * Reads the provider's metadata.
 * @throws openid-client's errors
 */
export async function discoverProvider({ issuer, clientId, clientSecret }: ProviderOptions) {
  const byHeader = client.ClientSecretBasic(clientSecret);
  const byBody = client.ClientSecretPost(clientSecret);
  const config = await client.discovery(
    new URL(issuer),
    clientId,
    { [client.clockTolerance]: clockToleranceSeconds },
    (server, ...request) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      return (methods.includes('client_secret_basic') ? byHeader : byBody)(server, ...request);
    },
    {
      timeout: timeoutSeconds,
      execute: [
        // Check signatures even though the tokens come from the provider over TLS.
        client.enableNonRepudiationChecks,
        // Only on this machine, see the setting.
        ...(new URL(issuer).protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    },
  );
  const found = config.serverMetadata().issuer;
  if (issuerPrefix(found) !== issuerPrefix(issuer)) {
    throw new client.ClientError(`it calls itself ${found}: name one issuer, such as that of one tenant`);
  }
  return config;
}

/** Signs users in with an OpenID provider: authorization code flow with PKCE, state and nonce. */
export interface OidcProvider {
  readonly name: string;
  readonly issuer: string;
  /** @param userId the user linking an account; null for a sign-in. @throws HttpError 503 while the provider is unavailable */
  begin(userId: string | null): Promise<ProviderRedirect>;
  /**
   * Redeems the provider's response to an attempt by the same user.
   * @throws HttpError 401 for an invalid response, 503 while the provider is unavailable
   */
  finish(userId: string | null, answer: ProviderAnswer): Promise<Identity>;
}

export function createOidcProvider(options: ProviderOptions, attempts: OidcAttempts, log: Logger): OidcProvider {
  const { name, issuer } = options;
  const redirect_uri = redirectUri(options.publicUrl);

  let known: { config: Promise<client.Configuration>; until: number } | null = null;
  const configuration = () => {
    if (known && Date.now() < known.until) return known.config;
    const before = known;
    const config = discoverProvider(options).catch((error: unknown) => {
      // While the provider is down, keep using the cached metadata.
      known = before && { ...before, until: Date.now() + metadataMs };
      if (before) return before.config;
      throw error;
    });
    known = { config, until: Date.now() + metadataMs };
    return config;
  };

  /** @throws HttpError for any failure. Logs those that the operator can fix. */
  const explained = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (isProviderDown(error) || isClientRefused(error)) log.warn({ err: error }, 'the OpenID provider failed');
      else log.info({ err: error }, "the OpenID provider's answer was refused");
      throw providerRefusal(error, name);
    }
  };

  return {
    name,
    issuer,
    begin: (userId) =>
      explained(async () => {
        const config = await configuration();
        const checks = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          codeVerifier: client.randomPKCECodeVerifier(),
        };
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri,
          scope: `openid email ${options.scopes}`.trim(),
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
          code_challenge_method: 'S256',
        });
        return { url: url.href, attempt: await attempts.add(userId, checks) };
      }),
    finish: (userId, { attempt, ...answer }) =>
      explained(async () => {
        const checks = await attempts.use(attempt, userId);
        if (!checks) throw unauthorized('This sign-in has ended or was used already. Please try again.');
        const config = await configuration();
        const returned = new URL(redirect_uri);
        for (const [key, value] of Object.entries(answer))
          if (value !== undefined) returned.searchParams.set(key, value);
        const tokens = await client.authorizationCodeGrant(config, returned, {
          expectedState: checks.state,
          expectedNonce: checks.nonce,
          pkceCodeVerifier: checks.codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims) throw new client.ClientError('no ID token');
        return {
          key: identityKey(claims.iss, claims.sub),
          provider: name,
          domains: options.domains,
          profile: () =>
            explained(async () => profileOf(await allClaims(config, tokens.access_token, claims, options), options)),
        };
      }),
  };
}

type Claims = client.IDToken & Record<string, unknown>;

/** The claims of the ID token, supplemented from the user info endpoint if one is missing. */
async function allClaims(
  config: client.Configuration,
  accessToken: string,
  claims: Claims,
  { admins, devs }: OidcOptions,
): Promise<Claims> {
  const used = ['email', ...[admins, devs].flatMap((rule) => (rule ? [rule.claim] : []))];
  if (config.serverMetadata().userinfo_endpoint === undefined || used.every((name) => claims[name] !== undefined))
    return claims;
  // Signed claims take precedence.
  return { ...(await client.fetchUserInfo(config, accessToken, claims.sub)), ...claims } as Claims;
}

/** Whether a claim, a string or a list of strings, has one of the values. */
const holds = (claims: Claims, rule: OidcOptions['admins']) =>
  rule?.values.some((value) => [claims[rule.claim]].flat().some((each) => String(each) === value)) ?? false;

function profileOf(claims: Claims, options: OidcOptions): IdentityProfile {
  const role = holds(claims, options.admins) ? 'admin' : holds(claims, options.devs) ? 'dev' : 'others';
  return { email: trustedEmail(claims, options), role };
}

/**
 * The email of an account; null if it is not verified. Entra ID has no `email_verified`: instead, trust the tenant that the
 * operator has configured. Some providers send `true` as a string.
 */
function trustedEmail({ email, email_verified, tid }: Claims, { tenant }: OidcOptions): string | null {
  const isVouchedFor =
    email_verified === undefined ? tenant !== undefined && tid === tenant : String(email_verified) === 'true';
  return isVouchedFor && typeof email === 'string' ? email.trim().toLowerCase() || null : null;
}
