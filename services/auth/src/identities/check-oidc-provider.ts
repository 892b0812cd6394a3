import { UnusableSetting } from '@interview-prep/kit/process/config';
import type { Logger } from '@interview-prep/kit/process/logger';
import { tlsFault } from '@interview-prep/kit/process/tls-files';
import * as client from 'openid-client';
import { discoverProvider, type ProviderOptions, redirectUri } from './oidc-provider.ts';
import { isClientRefused, isProviderDown } from './provider-refusal.ts';

/** A code that no provider has issued. */
const unknownCode = 'check-of-the-settings';

/**
 * Checks the OpenID provider's settings once at startup, within 8 s. An outage is not an error: sign-ins will try again.
 * @throws UnusableSetting if waiting won't help: not an OpenID provider, or a wrong client id, secret or certificate
 */
export async function checkOidcProvider(options: ProviderOptions, log: Logger): Promise<void> {
  let config: client.Configuration;
  try {
    config = await discoverProvider(options);
  } catch (error) {
    const fault = tlsFault(error);
    if (fault) throw new UnusableSetting('OIDC_ISSUER', fault, error);
    if (isProviderDown(error)) return log.warn({ err: error }, 'the OpenID provider cannot be reached yet');
    throw new UnusableSetting('OIDC_ISSUER', `is no OpenID provider: ${reasonOf(error)}`, error);
  }
  const missing = missingAbility(config.serverMetadata());
  if (missing) throw new UnusableSetting('OIDC_ISSUER', `cannot be used: the provider has no ${missing}`);
  try {
    // Providers authenticate the client before they reject the code.
    const answer = new URL(redirectUri(options.publicUrl));
    answer.searchParams.set('code', unknownCode);
    answer.searchParams.set('iss', config.serverMetadata().issuer);
    await client.authorizationCodeGrant(config, answer, { pkceCodeVerifier: client.randomPKCECodeVerifier() });
  } catch (error) {
    if (isClientRefused(error)) {
      const reason = 'is not accepted by the provider, or OIDC_CLIENT_ID is not its client';
      throw new UnusableSetting('OIDC_CLIENT_SECRET', reason, error);
    }
    if (isProviderDown(error)) log.warn({ err: error }, 'the OpenID provider cannot be reached yet');
  }
}

function missingAbility(server: Readonly<client.ServerMetadata>): string | null {
  if (!server.authorization_endpoint || !/^https?:/.test(server.authorization_endpoint)) return 'page to sign in at';
  if (!server.token_endpoint) return 'token endpoint';
  if (!server.jwks_uri) return 'published keys';
  const methods = server.code_challenge_methods_supported;
  return methods && !methods.includes('S256') ? 'PKCE with S256' : null;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Response ? `it answers ${error.cause.status}` : error.message;
}
