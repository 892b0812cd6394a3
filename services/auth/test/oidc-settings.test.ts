import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { startOpenIdProvider, type TestOpenIdProvider } from '@interview-prep/kit/testing/openid-provider';
import { startServiceProcess } from '@interview-prep/kit/testing/service-process';
import { settingFaults } from '@interview-prep/kit/testing/setting-faults';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../src/config.ts';
import { checkOidcProvider } from '../src/identities/check-oidc-provider.ts';

let backing: TestBacking;
let provider: TestOpenIdProvider;
beforeAll(async () => {
  backing = await createTestBacking('auth');
  provider = await startOpenIdProvider();
  provider.redirectUris.add('http://prep.example.com/sign-in/callback');
});
afterEach(() => {
  provider.tamper = null;
});
afterAll(async () => {
  await provider.stop();
  await backing.close();
});

const options = (changes: object = {}) => ({
  issuer: provider.issuer,
  clientId: provider.client.id,
  clientSecret: provider.client.secret,
  name: 'Acme',
  domains: [],
  scopes: '',
  publicUrl: 'http://prep.example.com',
  ...changes,
});
const check = (changes?: object) => checkOidcProvider(options(changes), backing.log);

const withOidc = (settings: Record<string, string>) => ({
  ...backing.settings,
  PORT: '0',
  PUBLIC_URL: 'http://prep.example.com',
  ...settings,
});

test('inconsistent settings are rejected by name', () => {
  const faultsOf = (settings: Record<string, string>) => settingFaults(() => readSettings(withOidc(settings)));
  const malformed = faultsOf({ OIDC_ISSUER: 'http://login.example.com' });
  expect(malformed).toContain('OIDC_ISSUER: must be an address that begins with https://');
  const issuer = { OIDC_ISSUER: 'https://accounts.google.com/' };
  const unfinished = faultsOf({ ...issuer, GOOGLE_CLIENT_ID: 'x', OIDC_CLIENT_ID: 'x' });
  expect(unfinished).toContain('OIDC_CLIENT_SECRET: is required with OIDC_ISSUER');
  expect(unfinished).toContain('GOOGLE_CLIENT_ID: must be empty where OIDC_ISSUER is Google');
});

test.each([
  ['OIDC_OPTIONS', 'name=Acme; nme=x', 'has no option nme'],
  ['OIDC_OPTIONS', 'Acme', 'must be options such as name=Acme; domains=example.com, each once'],
  ['OIDC_OPTIONS', 'name=A; name=B', 'must be options such as name=Acme; domains=example.com, each once'],
  ['OIDC_OPTIONS', 'domains=@example.com', 'must be domains, such as example.com'],
  ['OIDC_OPTIONS', 'admins=prep-admins', 'must be a claim and its values, as in groups:prep-admins'],
  ['OIDC_OPTIONS', 'tenant=acme', 'tenant must be the id of a tenant'],
  ['GOOGLE_CLIENT_ID', 'client-id,example', 'must be domains, such as example.com'],
])('%s=%s is rejected', (name, value, message) => {
  expect(settingFaults(() => readSettings(withOidc({ [name]: value })))).toContain(`${name}: ${message}`);
});

test('auth refuses to start with a secret that the provider rejects, and names the setting', async () => {
  const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: provider.client.id, OIDC_CLIENT_SECRET: 'wrong' };
  const auth = startServiceProcess(new URL('../src/main.ts', import.meta.url), withOidc(settings));
  onTestFinished(() => auth.stop('SIGKILL'));
  expect(await auth.ended).toBe(1);
  expect(auth.errors()).toContain(
    'Invalid settings:\n  OIDC_CLIENT_SECRET: is not accepted by the provider, or OIDC_CLIENT_ID is not its client',
  );
});

test('auth starts with a provider that accepts the secret or is down', async () => {
  await check();
  await check({ issuer: 'http://127.0.0.1:9' });
  provider.tamper = (context) => void Object.assign(context, { status: 503, body: 'down' });
  await check();
  provider.tamper = null;
  await expect(check({ clientId: 'unknown' })).rejects.toMatchObject({ setting: 'OIDC_CLIENT_SECRET' });
});

test.each<[string, (metadata: Record<string, unknown>) => void, RegExp]>([
  ['calls itself another', (metadata) => Object.assign(metadata, { issuer: 'https://evil.example.com' }), /issuer/],
  ['has no keys', (metadata) => delete metadata.jwks_uri, /no published keys/],
  ['has no PKCE', (metadata) => Object.assign(metadata, { code_challenge_methods_supported: ['plain'] }), /no PKCE/],
  [
    'has a script for a page',
    (metadata) => Object.assign(metadata, { authorization_endpoint: 'javascript:1' }),
    /page/,
  ],
])('an issuer that %s is rejected', async (_fault, change, reason) => {
  provider.tamper = ({ path, body }) => {
    if (path === '/.well-known/openid-configuration') change(body as Record<string, unknown>);
  };
  const refused = await check().catch((error: unknown) => error);
  expect(refused).toMatchObject({ name: 'UnusableSetting', setting: 'OIDC_ISSUER' });
  expect(String(refused)).toMatch(reason);
});

test('an issuer that is not an OpenID provider is rejected, and its redirects are not followed', async () => {
  const site = createServer((req, res) => {
    if (req.url?.startsWith('/moved')) res.writeHead(302, { Location: `${provider.issuer}${req.url.slice(6)}` }).end();
    else res.writeHead(404).end();
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  onTestFinished(() => void site.close());
  const at = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  await expect(check({ issuer: at })).rejects.toThrow('is no OpenID provider: it answers 404');
  await expect(check({ issuer: `${at}/moved` })).rejects.toThrow('is no OpenID provider: it answers 302');
});
