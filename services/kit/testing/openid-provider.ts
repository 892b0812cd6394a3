import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** An account of the provider. Its id, the `sub`, is what a person types as the login: any, or an email, which is verified. */
export interface ProviderAccount {
  email?: string;
  email_verified?: boolean;
  groups?: string[];
  /** As Entra ID names a tenant. */
  tid?: string;
}

/** An answer of the provider that is on its way. */
export interface TamperedAnswer {
  path: string;
  status: number;
  body: unknown;
}

export interface TestOpenIdProvider {
  issuer: string;
  client: { id: string; secret: string };
  /** What it signs ID tokens with, RS256. */
  privateKey: KeyObject;
  accounts: Map<string, ProviderAccount>;
  /** The addresses that browsers may be sent back to. */
  redirectUris: Set<string>;
  /** Where set, changes an answer, or keeps it back for ever by never settling. */
  tamper: ((answer: TamperedAnswer) => unknown) | null;
  /** Changes the JSON of the token endpoint, as a hostile provider would. */
  changeTokens(change: (tokens: Record<string, unknown>) => void): void;
  /**
   * Goes through the provider's pages as a browser does.
   * @param login who signs in; null cancels
   * @returns the address that the browser is sent back to
   */
  visit(url: string, login: string | null): Promise<URL>;
  stop(): Promise<void>;
}

const accountOf = (id: string): ProviderAccount => (id.includes('@') ? { email: id, email_verified: true } : {});

/** Starts `oidc-provider`, with its own pages for the login. @param port a free one where not given */
export async function startOpenIdProvider(port = 0): Promise<TestOpenIdProvider> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { id: 'interview-prep', secret: 'a secret: of+the client/with odd&signs' };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const accounts = new Map<string, ProviderAccount>();
  const redirectUris = new Set<string>();

  // It warns of what a test wants: its own pages, and keys that it makes itself.
  const warn = console.warn;
  console.warn = () => undefined;
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [`${issuer}/unused`] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }] },
    claims: { email: ['email', 'email_verified', 'tid'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    // Seconds, of all that has a life of its own.
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    cookies: { keys: ['cookies of a test'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...(accounts.get(id) ?? accountOf(id)) }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: oidc.session!.accountId!, clientId: oidc.client!.clientId });
      grant.addOIDCScope('openid email groups');
      await grant.save();
      return grant;
    },
  });
  console.warn = warn;
  provider.Client.prototype.redirectUriAllowed = (uri: string) => redirectUris.has(uri);

  const started: TestOpenIdProvider = {
    issuer,
    client,
    privateKey,
    accounts,
    redirectUris,
    tamper: null,
    changeTokens(change) {
      this.tamper = ({ path, body }) => {
        if (path === '/token') change(body as Record<string, unknown>);
      };
    },
    visit: (url, login) => visit(issuer, url, login),
    async stop() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  provider.use(async (context, next) => {
    await next();
    await started.tamper?.(context);
  });
  server.on('request', provider.callback());
  return started;
}

async function visit(issuer: string, url: string, login: string | null): Promise<URL> {
  const cookies = new Map<string, string>();
  const go = async (address: URL, body?: URLSearchParams): Promise<URL> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(body ? { method: 'POST', body } : {}),
    });
    for (const each of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (name !== undefined && value !== undefined) cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${address} answered ${response.status}: ${await response.text()}`);
    const next = new URL(location, address);
    if (next.origin !== issuer) return next;
    if (!next.pathname.startsWith('/interaction/')) return go(next);
    if (login === null) return go(new URL(`${next.pathname}/abort`, issuer));
    return go(next, new URLSearchParams({ prompt: 'login', login, password: 'any' }));
  };
  return go(new URL(url));
}
