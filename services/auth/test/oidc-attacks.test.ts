import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { forged, type StartedOidc, startOidc } from './start-oidc.ts';

let oidc: StartedOidc;
let provider: StartedOidc['provider'];
let started: StartedOidc['started'];
let begin: StartedOidc['begin'];
let finish: StartedOidc['finish'];
let signIn: StartedOidc['signIn'];
let newAccount: StartedOidc['newAccount'];
let byProvider: StartedOidc['byProvider'];
beforeAll(async () => {
  oidc = await startOidc();
  ({ provider, started, begin, finish, signIn, newAccount, byProvider } = oidc);
});
afterEach(() => {
  provider.tamper = null;
});
afterAll(() => oidc.stop());

const ownKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const bySomebody = (data: string) => sign('RSA-SHA256', Buffer.from(data), ownKey).toString('base64url');

describe('an attack', () => {
  const unverified = 'The answer of Acme could not be verified. Please try again.';
  const used = 'This sign-in has ended or was used already. Please try again.';

  test('with a wrong state, or with the code of another window, signs no one in', async () => {
    const { sub } = newAccount();
    expect((await signIn(sub, { state: 'x'.repeat(43) })).body.message).toBe(unverified);
    // The attacker's code and state, passed to a victim whose window has started its own sign-in.
    const [attacker, victim] = [await begin(), await begin()];
    const returned = await provider.visit(attacker.url, sub);
    expect((await finish(victim.attempt, returned).expect(401)).body.message).toBe(unverified);
    // A code found in a log, without its window's secret.
    expect((await finish('stolen', returned).expect(401)).body.message).toBe(used);
    // Another sign-in's code: PKCE binds each code to its sign-in.
    const [one, other] = [await begin(), await begin()];
    const [oneBack, otherBack] = [await provider.visit(one.url, sub), await provider.visit(other.url, sub)];
    await finish(one.attempt, oneBack, { code: otherBack.searchParams.get('code') }).expect(401);
  });

  test('that replays a response is rejected, concurrently and later', async () => {
    const { url, attempt } = await begin();
    const returned = await provider.visit(url, newAccount().sub);
    const answers = await Promise.all([1, 2, 3].map(() => finish(attempt, returned)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await finish(attempt, returned).expect(401)).body.message).toBe(used);
    // Only the code, with another window's secret and state, and also directly at the provider.
    const { attempt: next, url: nextUrl } = await begin();
    const state = new URL(nextUrl).searchParams.get('state');
    expect((await finish(next, returned, { state }).expect(401)).body.message).toBe(used);
  });

  test.each<[string, (tokens: Record<string, unknown>) => unknown]>([
    ['alg none', ({ id_token }) => forged(id_token, { header: { alg: 'none' }, signature: () => '' })],
    ['a wrong key', ({ id_token }) => forged(id_token, { signature: bySomebody })],
    [
      'a key of its own in the header',
      ({ id_token }) =>
        forged(id_token, { header: { kid: 'mine', jku: 'http://127.0.0.1:9/keys' }, signature: bySomebody }),
    ],
    [
      'the client secret as a key',
      ({ id_token }) =>
        forged(id_token, {
          header: { alg: 'HS256' },
          signature: (data) => createHmac('sha256', provider.client.secret).update(data).digest('base64url'),
        }),
    ],
    ['another nonce', ({ id_token }) => forged(id_token, { claims: { nonce: 'x' }, signature: byProvider })],
    ['another issuer', ({ id_token }) => forged(id_token, { claims: { iss: 'https://evil' }, signature: byProvider })],
    ['another audience', ({ id_token }) => forged(id_token, { claims: { aud: 'evil' }, signature: byProvider })],
    ['no ID token', () => undefined],
    ['no JWT', () => 'x.y.z'],
  ])('with an ID token with %s is rejected', async (_fault, idToken) => {
    const before = await started.auth.users.countDocuments();
    provider.changeTokens((tokens) => {
      tokens.id_token = idToken(tokens);
    });
    const { status, body } = await signIn(newAccount().sub);
    expect([status, body.message]).toEqual([401, unverified]);
    expect(await started.auth.users.countDocuments()).toBe(before);
  });

  test('with a validly signed ID token of another sign-in is rejected by its nonce', async () => {
    let stolen: unknown;
    provider.changeTokens(({ id_token }) => {
      stolen = id_token;
    });
    const { sub } = newAccount();
    expect((await signIn(sub)).status).toBe(200);
    provider.changeTokens((tokens) => {
      tokens.id_token = stolen;
    });
    expect((await signIn(sub)).body.message).toBe(unverified);
  });

  test('with the response of another issuer, or of an unnamed one, is rejected as a mix-up', async () => {
    const { sub } = newAccount();
    expect((await signIn(sub, { iss: 'https://evil.example.com' })).body.message).toBe(unverified);
    expect((await signIn(sub, { iss: undefined })).body.message).toBe(unverified);
  });

  test('on the user info, which must be about the same person, is rejected', async () => {
    provider.tamper = ({ path, body }) => {
      if (path === '/me') (body as { sub: string }).sub = 'somebody else';
    };
    expect((await signIn(newAccount().sub)).body.message).toBe(unverified);
  });

  test('on the redirect address is rejected by the provider', async () => {
    const url = new URL((await begin()).url);
    url.searchParams.set('redirect_uri', 'https://evil.example.com/sign-in/callback');
    await expect(provider.visit(url.href, newAccount().sub)).rejects.toThrow(/answered 400/);
  });
});
