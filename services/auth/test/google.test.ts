import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type StartedAuth, startAuth } from './start-auth.ts';

const clientId = 'prep.apps.googleusercontent.com';

/** The responses of a local stand-in for Google, by access token. */
const account = { sub: '1001', email: 'Ada@Example.com', email_verified: true as unknown };
let google: Server;
let tokens: Record<string, { aud: string; user: Record<string, unknown> }>;
let status = 200;
let silent = false;

beforeAll(async () => {
  google = createServer((req, res) => {
    if (silent) return;
    const url = new URL(req.url ?? '', 'http://google');
    const given = url.searchParams.get('access_token') ?? req.headers.authorization?.replace('Bearer ', '') ?? '';
    const known = tokens[given];
    const answer = (code: number, body: unknown) =>
      res.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (status !== 200) return answer(status, { error: 'backend_error' });
    if (!known) return answer(url.pathname === '/tokeninfo' ? 400 : 401, { error: 'invalid_token' });
    if (url.pathname === '/userinfo') return answer(200, known.user);
    const { sub, email, email_verified } = known.user;
    return answer(200, {
      azp: known.aud,
      aud: known.aud,
      sub,
      scope: 'openid',
      expires_in: '3599',
      email,
      email_verified,
    });
  });
  google.listen(0, '127.0.0.1');
  await once(google, 'listening');
});
afterAll(() => {
  google.closeAllConnections();
  google.close();
});

let started: StartedAuth;
async function start(setting = clientId) {
  const at = `http://127.0.0.1:${(google.address() as AddressInfo).port}`;
  return startAuth({
    GOOGLE_CLIENT_ID: setting,
    GOOGLE_TOKENINFO_URL: `${at}/tokeninfo`,
    GOOGLE_USERINFO_URL: `${at}/userinfo`,
  });
}
beforeEach(async () => {
  status = 200;
  silent = false;
  tokens = { good: { aud: clientId, user: account } };
  started = await start();
});
afterEach(() => started.stop());

const signIn = (accessToken: unknown = 'good') => started.call('post', '/api/auth/google', undefined, { accessToken });

describe('a Google account', () => {
  test('signs in a new user, with the role others and its verified email', async () => {
    const { body } = await signIn().expect(200);
    expect(body.user).toMatchObject({ email: 'ada@example.com', role: 'others', technologies: [], plan: 'basic' });
    await started.call('get', '/api/auth/me', body.user.token).expect(200);
    expect((await signIn().expect(200)).body.user.id).toBe(body.user.id);
  });

  test('signs in the existing user with its email once that user has linked it, without changing role or password', async () => {
    const user = await started.signedIn('dev', 'ada@example.com');
    const refused = await signIn().expect(409);
    expect(refused.body.message).toBe(
      'There is an account with this email already. Sign in as usual, then link Google under Sign-in and Security.',
    );
    const link = (accessToken: string) => started.call('post', '/api/auth/google/link', user.token, { accessToken });
    expect((await link('stolen').expect(400)).body.message).toBe('Google authentication failed');
    await link('good').expect(204);
    const { body } = await signIn().expect(200);
    expect(body.user).toMatchObject({ id: user.id, role: 'dev', technologies: ['go'] });
    await started.login('ada@example.com').expect(200);
    await started.call('delete', '/api/auth/identities/google', user.token).expect(204);
    await signIn().expect(409);
  });

  test('of someone else with the same email is refused, since addresses get reassigned', async () => {
    const { body } = await signIn().expect(200);
    tokens = { good: { aud: clientId, user: { ...account, sub: '2002' } } };
    const refused = await signIn().expect(409);
    expect(refused.body.message).toMatch(/^There is an account with this email already\./);
    const stored = await started.auth.users.find().lean();
    expect(stored).toMatchObject([{ email: 'ada@example.com', identities: ['https://accounts.google.com/ 1001'] }]);
    expect(stored[0]?._id.toHexString()).toBe(body.user.id);
  });

  test('with a changed email signs in the same user', async () => {
    const { body } = await signIn().expect(200);
    tokens = { good: { aud: clientId, user: { ...account, email: 'ada.byron@example.com' } } };
    const again = await signIn().expect(200);
    expect(again.body.user).toMatchObject({ id: body.user.id, email: 'ada@example.com' });
  });

  test('creates one user for two concurrent requests', async () => {
    const answers = await Promise.all([signIn(), signIn(), signIn()]);
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
  });

  test('can report its verified email as text', async () => {
    tokens = { good: { aud: clientId, user: { ...account, email_verified: 'true' } } };
    await signIn().expect(200);
  });

  test.each([
    ['a token that Google does not know', 'stolen', {}],
    ['a token made for another site', 'good', { aud: 'evil.apps.googleusercontent.com' }],
    ['an email that is not verified', 'good', { user: { ...account, email_verified: false } }],
    ['an email that is said not to be verified', 'good', { user: { ...account, email_verified: 'false' } }],
    ['no word on its verification', 'good', { user: { sub: '1001', email: 'ada@example.com' } }],
    ['no email', 'good', { user: { sub: '1001', email_verified: true } }],
  ])('with %s is rejected', async (_fault, token, changes) => {
    tokens = { good: { aud: clientId, user: account, ...changes } };
    const { body } = await signIn(token).expect(401);
    expect(body).toMatchObject({ message: 'Google authentication failed', code: 'unauthorized' });
    expect(await started.auth.users.find().lean()).toEqual([]);
  });

  test.each([
    ['no token', undefined],
    ['an empty one', ''],
    ['an operator', { $gt: '' }],
    ['ten thousand characters', 'x'.repeat(10_000)],
  ])('with %s as its token is rejected', async (_what, token) => {
    const { body } = await started.call('post', '/api/auth/google', undefined, { accessToken: token }).expect(400);
    expect(body.message).toBe('Google authentication failed');
  });
});

test.each([
  ['fails', () => (status = 503)],
  ['does not answer', () => (silent = true)],
])('a Google that %s leads to a 503', async (_how, set) => {
  set();
  const { body, headers } = await signIn().expect(503);
  expect(body.message).toBe('Google cannot be reached right now. Please try again.');
  expect(headers['retry-after']).toBeDefined();
});

test('without a client id, Google sign-in is not set up', async () => {
  const plain = await startAuth();
  const { body } = await plain.call('post', '/api/auth/google', undefined, { accessToken: 'good' }).expect(501);
  expect(body).toMatchObject({ message: 'Google sign-in is not set up', code: 'not_configured' });
  await plain.stop();
});

test('with Workspaces configured, only their accounts can sign in, including earlier users', async () => {
  const { body } = await signIn().expect(200);
  await started.stop();
  started = await start(`${clientId}, acme.com, acme.org`);
  await started.auth.users.create({
    email: 'ada@example.com',
    identities: ['https://accounts.google.com/ 1001'],
    role: 'others',
  });
  tokens.elsewhere = { aud: clientId, user: { ...account, hd: 'example.com' } };
  // A company address whose owner registered it as a personal account.
  tokens.personal = { aud: clientId, user: { ...account, sub: '1002', email: 'eve@acme.com' } };
  tokens.employee = { aud: clientId, user: { ...account, sub: '1003', email: 'bob@acme.org', hd: 'Acme.org' } };
  for (const token of ['good', 'elsewhere', 'personal']) {
    const refused = await signIn(token).expect(403);
    expect(refused.body.message).toBe('Only Google accounts of acme.com, acme.org can sign in here.');
  }
  expect((await signIn('employee').expect(200)).body.user.email).toBe('bob@acme.org');
  expect(body.user.role).toBe('others');
});
