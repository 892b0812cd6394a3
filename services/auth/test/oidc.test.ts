import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { startOpenIdProvider, type TestOpenIdProvider } from '@interview-prep/kit/testing/openid-provider';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type StartedAuth, startAuth } from './start-auth.ts';

const publicUrl = 'http://prep.example.com';
const redirectUri = `${publicUrl}/sign-in/callback`;

let provider: TestOpenIdProvider;
let started: StartedAuth;
beforeAll(async () => {
  provider = await startOpenIdProvider();
  provider.redirectUris.add(redirectUri);
  started = await startAuth(settingsFor(provider));
});
afterEach(() => {
  provider.tamper = null;
});
afterAll(async () => {
  await started.stop();
  await provider.stop();
});

const settingsFor = ({ issuer, client }: TestOpenIdProvider) => ({
  PUBLIC_URL: publicUrl,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: client.id,
  OIDC_CLIENT_SECRET: client.secret,
  OIDC_NAME: 'Acme',
});

const post = (path: string, body?: object, token?: string) => started.call('post', path, token, body);
const begin = async (): Promise<{ url: string; attempt: string }> => (await post('/api/auth/oidc').expect(200)).body;

/** What the page sends when the browser is back. */
const answerOf = (attempt: string, returned: URL) => ({ attempt, ...Object.fromEntries(returned.searchParams) });
const finish = (attempt: string, returned: URL, changes: object = {}) =>
  post('/api/auth/oidc/finish', { ...answerOf(attempt, returned), ...changes });

/** An account with a verified email, unless `claims` says more. */
let count = 0;
function newAccount(claims: { email?: string; email_verified?: boolean } = {}): { sub: string; email: string } {
  const sub = `Person-${++count}`;
  const email = claims.email ?? `person-${count}@example.com`;
  provider.accounts.set(sub, { email, email_verified: true, ...claims });
  return { sub, email };
}
/** A whole sign-in at the provider and back. */
async function signIn(sub: string, changes: object = {}) {
  const { url, attempt } = await begin();
  return finish(attempt, await provider.visit(url, sub), changes);
}

describe('an account of the provider', () => {
  test('signs in a new user with role others, by the code flow with PKCE, state, nonce and one exact address', async () => {
    const { sub, email } = newAccount({ email: 'Ada@Example.com' });
    const { url, attempt } = await begin();
    const asked = Object.fromEntries(new URL(url).searchParams);
    expect(asked).toMatchObject({
      response_type: 'code',
      client_id: provider.client.id,
      redirect_uri: redirectUri,
      scope: 'openid email',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked[name]).toMatch(/^[\w-]{43}$/);
    expect(url).not.toContain(attempt);
    const returned = await provider.visit(url, sub);
    expect(returned.origin + returned.pathname).toBe(redirectUri);

    const { body } = await finish(attempt, returned).expect(200);
    expect(body.user).toMatchObject({ email: email.toLowerCase(), role: 'others', technologies: [], plan: 'basic' });
    await started.call('get', '/api/auth/me', body.user.token).expect(200);
    expect((await signIn(sub)).body.user.id).toBe(body.user.id);
    const entries = await started.published('auth', 'audit-event');
    const own = entries.filter(({ action, outcome }) => action === 'sign-in.oidc' && outcome === 'success');
    expect(own.map(({ actor }) => actor)).toEqual([body.user.id, body.user.id]);
    expect(JSON.stringify(entries)).not.toContain(returned.searchParams.get('code'));
  });

  test('whose email has changed signs in the same user; without a verified one it makes none', async () => {
    const { sub, email } = newAccount();
    const { body } = await signIn(sub);
    provider.accounts.set(sub, { email: 'another@example.com', email_verified: false });
    expect((await signIn(sub)).body.user).toMatchObject({ id: body.user.id, email });

    for (const claims of [{ email_verified: false }, { email: undefined as never }]) {
      const refused = await signIn(newAccount(claims).sub);
      expect(refused.status).toBe(401);
      expect(refused.body.message).toMatch(/^Acme gives no verified email\. Sign in as usual, then link it/);
    }
  });

  test('with the email of a user is refused, until that user links it', async () => {
    const user = await started.signedIn('dev', 'grace@example.com');
    const { sub } = newAccount({ email: 'grace@example.com' });
    const refused = await signIn(sub);
    expect(refused.status).toBe(409);
    expect(refused.body.message).toBe(
      'There is an account with this email already. Sign in as usual, then link Acme under Sign-in and Security.',
    );
    expect(await started.auth.users.findById(user.id).lean()).not.toHaveProperty('identities');

    await link(user.token, sub).then(({ status }) => expect(status).toBe(204));
    expect((await signIn(sub)).body.user).toMatchObject({ id: user.id, role: 'dev' });
    await started.login('grace@example.com').expect(200);
  });

  test('is not the one of another issuer with the same sub', async () => {
    const { sub } = newAccount();
    const other = { email: `google-${sub}@example.com`, identities: [`https://accounts.google.com/ ${sub}`] };
    const { id } = await started.auth.users.create({ ...other, role: 'dev', technologies: [] });
    expect((await signIn(sub)).body.user).toMatchObject({ id: expect.not.stringContaining(id), role: 'others' });
  });

  test('creates one user for two sign-ins at once', async () => {
    const { sub } = newAccount();
    const answers = await Promise.all([signIn(sub), signIn(sub), signIn(sub)]);
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
  });

  test('is one factor: a role that needs two sets up an app, and a user with an app is asked for a code', async () => {
    const strict = await startAuth({ ...settingsFor(provider), MFA_REQUIRED_ROLES: 'others' });
    const { sub } = newAccount();
    const { url, attempt } = (await strict.call('post', '/api/auth/oidc').expect(200)).body;
    const returned = await provider.visit(url, sub);
    const { body } = await strict.call('post', '/api/auth/oidc/finish', undefined, answerOf(attempt, returned));
    expect(body).toEqual({
      secondFactor: { challenge: expect.any(String), methods: [], enrolment: expect.anything() },
    });
    await strict.stop();

    await signIn(sub);
    await started.auth.users.updateOne(
      { identities: `${provider.issuer}/ ${sub}` },
      { totp: { secret: 'x', lastStep: 0 } },
    );
    expect((await signIn(sub)).body).toEqual({ secondFactor: { challenge: expect.any(String), methods: ['totp'] } });
  });
});

/** Links an account to the user of a token. */
async function link(token: string, sub: string) {
  const begun = await post('/api/auth/oidc/link', {}, token);
  if (begun.status !== 200) return begun;
  const returned = await provider.visit(begun.body.url, sub);
  return post('/api/auth/oidc/link/finish', answerOf(begun.body.attempt, returned), token);
}
const providersOf = async (token: string) => (await started.call('get', '/api/auth/security', token)).body.providers;
const unlink = (token: string, id = 'oidc') => started.call('delete', `/api/auth/identities/${id}`, token);
async function olderToken(id: string, minutes: number): Promise<string> {
  return started.auth.signAccessToken(await started.auth.users.findById(id).orFail(), Date.now() - minutes * 60_000);
}

describe('linking', () => {
  test('shows what is linked, takes one account of the provider, and leaves traces in the audit log', async () => {
    const user = await started.signedIn('others');
    expect(await providersOf(user.token)).toEqual([{ id: 'oidc', name: 'Acme', isLinked: false }]);
    const { sub } = newAccount();
    expect((await link(user.token, sub)).status).toBe(204);
    expect((await link(user.token, sub)).status).toBe(204);
    expect(await providersOf(user.token)).toEqual([{ id: 'oidc', name: 'Acme', isLinked: true }]);
    const second = await link(user.token, newAccount().sub);
    expect([second.status, second.body.message]).toEqual([
      409,
      'Another Acme account is linked already. Unlink it first.',
    ]);
    const thief = await started.signedIn('others');
    const taken = await link(thief.token, sub);
    expect([taken.status, taken.body.message]).toEqual([409, 'This Acme account signs in another user.']);

    await unlink(user.token).expect(204);
    await unlink(user.token).expect(404);
    expect((await signIn(sub)).body.user.id).not.toBe(user.id);
    const actions = (await started.published('auth', 'audit-event')).filter(({ actor }) => actor === user.id);
    expect(actions.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
      expect.arrayContaining(['identity.link success', 'identity.link failed', 'identity.unlink success']),
    );
  });

  test('and unlinking need a fresh sign-in', async () => {
    const { id } = await started.signedIn('others');
    const late = await olderToken(id, 11);
    for (const refused of [await post('/api/auth/oidc/link', {}, late), await unlink(late)]) {
      expect([refused.status, refused.body.code]).toEqual([403, 'step_up_required']);
    }
  });

  test('ends with the one who began: an attempt of another user, or of a sign-in, links nothing', async () => {
    const [user, victim] = [await started.signedIn('others'), await started.signedIn('others')];
    const { sub } = newAccount();
    const own = (await post('/api/auth/oidc/link', {}, user.token).expect(200)).body;
    const answer = answerOf(own.attempt, await provider.visit(own.url, sub));
    await post('/api/auth/oidc/link/finish', answer, victim.token).expect(400);
    await post('/api/auth/oidc/finish', answer).expect(401);
    const { url, attempt } = await begin();
    await post('/api/auth/oidc/link/finish', answerOf(attempt, await provider.visit(url, sub)), victim.token).expect(
      400,
    );
    expect(await providersOf(victim.token)).toMatchObject([{ isLinked: false }]);
  });

  test('the last way in stays: account, then passkey', async () => {
    const { sub } = newAccount();
    const { user } = (await signIn(sub)).body;
    const refused = await unlink(user.token).expect(409);
    expect(refused.body.message).toMatch(/^You could not sign in any more\./);
    const strange = await startAuth({ PUBLIC_URL: 'http://localhost' }, started.backing);
    const passkey = { _id: 'cGFzc2tleQ', userId: user.id, publicKey: Buffer.from('k'), counter: 0, isSynced: true };
    await started.auth.passkeyRecords.create({ ...passkey, createdAt: new Date() });
    await unlink(user.token).expect(204);
    await started.call('delete', `/api/auth/passkeys/${passkey._id}`, user.token).expect(409);
    // An account of a provider that is not set up any more is no way in either.
    expect((await link(user.token, sub)).status).toBe(204);
    await strange.call('delete', `/api/auth/passkeys/${passkey._id}`, user.token).expect(409);
    await started.call('delete', `/api/auth/passkeys/${passkey._id}`, user.token).expect(204);
    await strange.stop();
  });
});

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** An ID token of somebody else, with the claims of the real one. */
function forged(idToken: unknown, changes: { header?: object; claims?: object; signature(data: string): string }) {
  const [header, claims] = String(idToken)
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}') as object);
  const data = `${base64url({ ...header, ...changes.header })}.${base64url({ ...claims, ...changes.claims })}`;
  return `${data}.${changes.signature(data)}`;
}
const ownKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const bySomebody = (data: string) => sign('RSA-SHA256', Buffer.from(data), ownKey).toString('base64url');
const byProvider = (data: string) => sign('RSA-SHA256', Buffer.from(data), provider.privateKey).toString('base64url');

describe('an attack', () => {
  const unverified = 'The answer of Acme could not be verified. Please try again.';
  const used = 'This sign-in has ended or was used already. Please try again.';

  test('with a wrong state, or with the code of another window, signs nobody in', async () => {
    const { sub } = newAccount();
    expect((await signIn(sub, { state: 'x'.repeat(43) })).body.message).toBe(unverified);
    // The attacker's code and state, brought to a victim whose window has begun a sign-in of its own.
    const [attacker, victim] = [await begin(), await begin()];
    const returned = await provider.visit(attacker.url, sub);
    expect((await finish(victim.attempt, returned).expect(401)).body.message).toBe(unverified);
    // A code that was read in a log, without the secret of its window.
    expect((await finish('stolen', returned).expect(401)).body.message).toBe(used);
    // The code of another sign-in: PKCE binds it to its own.
    const [one, other] = [await begin(), await begin()];
    const [oneBack, otherBack] = [await provider.visit(one.url, sub), await provider.visit(other.url, sub)];
    await finish(one.attempt, oneBack, { code: otherBack.searchParams.get('code') }).expect(401);
  });

  test('that replays an answer is refused, at once and later', async () => {
    const { url, attempt } = await begin();
    const returned = await provider.visit(url, newAccount().sub);
    const answers = await Promise.all([1, 2, 3].map(() => finish(attempt, returned)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    expect((await finish(attempt, returned).expect(401)).body.message).toBe(used);
    // The code alone, with another window's secret and state, and at the provider as well.
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
  ])('with an ID token with %s is refused', async (_fault, idToken) => {
    const before = await started.auth.users.countDocuments();
    provider.changeTokens((tokens) => {
      tokens.id_token = idToken(tokens);
    });
    const { status, body } = await signIn(newAccount().sub);
    expect([status, body.message]).toEqual([401, unverified]);
    expect(await started.auth.users.countDocuments()).toBe(before);
  });

  test('with a rightly signed ID token of another sign-in is refused by its nonce', async () => {
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

  test('with the answer of another issuer, or with none named, is refused as a mix-up', async () => {
    const { sub } = newAccount();
    expect((await signIn(sub, { iss: 'https://evil.example.com' })).body.message).toBe(unverified);
    expect((await signIn(sub, { iss: undefined })).body.message).toBe(unverified);
  });

  test('on the user info, which must be of the same person, is refused', async () => {
    provider.tamper = ({ path, body }) => {
      if (path === '/me') (body as { sub: string }).sub = 'somebody else';
    };
    expect((await signIn(newAccount().sub)).body.message).toBe(unverified);
  });

  test('on the address to come back to is refused by the provider', async () => {
    const url = new URL((await begin()).url);
    url.searchParams.set('redirect_uri', 'https://evil.example.com/sign-in/callback');
    await expect(provider.visit(url.href, newAccount().sub)).rejects.toThrow(/answered 400/);
  });
});

describe('what goes wrong is said in words', () => {
  test.each([
    [null, {}, 401, 'The sign-in at Acme was cancelled.'],
    [null, { error: 'login_required' }, 401, 'Acme did not sign you in.'],
    [null, { error: 'temporarily_unavailable' }, 503, 'Acme can not be reached right now. Please try again.'],
  ])('%#: %j', async (login, changes, status, message) => {
    const { url, attempt } = await begin();
    const { body, headers } = await finish(attempt, await provider.visit(url, login), changes).expect(status);
    expect(body.message).toBe(message);
    if (status === 503) expect(headers['retry-after']).toBeDefined();
  });

  test('clocks that differ', async () => {
    provider.tamper = async ({ path, body }) => {
      if (path !== '/token') return;
      // Rightly signed, by a provider whose clock is an hour behind: the token is over when it comes.
      (body as { id_token: string }).id_token = forged((body as { id_token: string }).id_token, {
        claims: { iat: 1_700_000_000, exp: 1_700_000_060 },
        signature: byProvider,
      });
    };
    const { status, body } = await signIn(newAccount().sub);
    expect([status, body.message]).toEqual([
      401,
      'The clocks of this server and of Acme differ. Please tell an admin.',
    ]);
  });

  test.each<[string, NonNullable<TestOpenIdProvider['tamper']>]>([
    ['fails', (context) => Object.assign(context, { status: 503, body: 'down' })],
    ['does not answer', () => new Promise(() => undefined)],
  ])('a provider that %s answers 503 within the deadline', async (_how, tamper) => {
    const { url, attempt } = await begin();
    const returned = await provider.visit(url, newAccount().sub);
    provider.tamper = tamper;
    const { body, headers } = await finish(attempt, returned).expect(503);
    expect(body.message).toBe('Acme can not be reached right now. Please try again.');
    expect(headers['retry-after']).toBeDefined();
  });

  test('a provider that is down at the beginning, and is back later', async () => {
    const gone = await startOpenIdProvider();
    const late = await startAuth(settingsFor(gone));
    await gone.stop();
    const { headers } = await late.call('post', '/api/auth/oidc').expect(503);
    expect(headers['retry-after']).toBeDefined();
    const back = await startOpenIdProvider(Number(new URL(gone.issuer).port));
    await late.call('post', '/api/auth/oidc').expect(200);
    await back.stop();
    await late.stop();
  });

  test('without settings there is no such sign-in', async () => {
    const plain = await startAuth();
    const { body } = await plain.call('post', '/api/auth/oidc').expect(501);
    expect(body.code).toBe('not_configured');
    await plain.stop();
  });
});
