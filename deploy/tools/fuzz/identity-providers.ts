import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Google's token check and user info, for one token and one account, and an OpenID provider that signs no one in. */
export interface IdentityProviders {
  /** An access token of Google. */
  token: string;
  settings: Record<string, string>;
  close(): Promise<void>;
}

/**
 * Starts fakes of Google and an OpenID provider, which a test machine can't reach. Google accepts one token; the provider
 * serves its metadata and rejects every code.
 */
export async function startIdentityProviders(): Promise<IdentityProviders> {
  const [token, clientId] = [randomUUID(), 'fuzz-client'];
  const account = { aud: clientId, sub: '1234567890', email: 'google-user@example.com', email_verified: true };
  let url = '';
  const documents: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
    }),
    '/jwks': () => ({ keys: [] }),
  };
  const server = createServer((req, res) => {
    const document = documents[req.url ?? ''];
    if (document || req.url === '/token') {
      res.writeHead(document ? 200 : 400, { 'content-type': 'application/json' });
      res.end(JSON.stringify(document?.() ?? { error: 'invalid_grant' }));
      return;
    }
    const isKnown = req.url?.includes(token) || req.headers.authorization === `Bearer ${token}`;
    res.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/json' });
    res.end(JSON.stringify(isKnown ? account : { error: 'invalid_token' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    token,
    settings: {
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_TOKENINFO_URL: `${url}/tokeninfo`,
      GOOGLE_USERINFO_URL: `${url}/userinfo`,
      OIDC_ISSUER: url,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: 'fuzz-secret',
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
