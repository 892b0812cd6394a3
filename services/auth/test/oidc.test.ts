import { startOpenIdProvider, type TestOpenIdProvider } from '@interview-prep/kit/testing/openid-provider';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startAuth } from './start-auth.ts';
import { answerOf, forged, redirectUri, type StartedOidc, settingsFor, startOidc } from './start-oidc.ts';

let oidc: StartedOidc;
let provider: StartedOidc['provider'];
let started: StartedOidc['started'];
let begin: StartedOidc['begin'];
let finish: StartedOidc['finish'];
let signIn: StartedOidc['signIn'];
let newAccount: StartedOidc['newAccount'];
let post: StartedOidc['post'];
beforeAll(async () => {
  oidc = await startOidc();
  ({ provider, started, post, begin, finish, signIn, newAccount } = oidc);
});
afterEach(() => {
  provider.tamper = null;
});
afterAll(() => oidc.stop());

describe('a provider account', () => {
  test('signs in a new user with the role others, through the code flow with PKCE, state, nonce and one exact redirect address', async () => {
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

  test('with a changed email signs in the same user; without a verified one it creates no user', async () => {
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

  test('with the email of an existing user is refused until that user links it', async () => {
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

  test('differs from the account of another issuer with the same sub', async () => {
    const { sub } = newAccount();
    const other = { email: `google-${sub}@example.com`, identities: [`https://accounts.google.com/ ${sub}`] };
    const { id } = await started.auth.users.create({ ...other, role: 'dev', technologies: [] });
    expect((await signIn(sub)).body.user).toMatchObject({ id: expect.not.stringContaining(id), role: 'others' });
  });

  test('creates one user for two concurrent sign-ins', async () => {
    const { sub } = newAccount();
    const answers = await Promise.all([signIn(sub), signIn(sub), signIn(sub)]);
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
  });

  test('counts as one factor: a role that requires two sets up an app, and a user with an app is asked for a code', async () => {
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
  test('shows linked accounts, allows one account per provider, and is recorded in the audit log', async () => {
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

  test('and unlinking require a fresh sign-in', async () => {
    const { id } = await started.signedIn('others');
    const late = await olderToken(id, 11);
    for (const refused of [await post('/api/auth/oidc/link', {}, late), await unlink(late)]) {
      expect([refused.status, refused.body.code]).toEqual([403, 'step_up_required']);
    }
  });

  test('can be finished only by the user who began it: an attempt of another user, or of a sign-in, links nothing', async () => {
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

  test('keeps the last way to sign in: account, then passkey', async () => {
    const { sub } = newAccount();
    const { user } = (await signIn(sub)).body;
    const refused = await unlink(user.token).expect(409);
    expect(refused.body.message).toMatch(/^You could not sign in any more\./);
    const strange = await startAuth({ PUBLIC_URL: 'http://localhost' }, started.backing);
    const passkey = { _id: 'cGFzc2tleQ', userId: user.id, publicKey: Buffer.from('k'), counter: 0, isSynced: true };
    await started.auth.passkeyRecords.create({ ...passkey, createdAt: new Date() });
    await unlink(user.token).expect(204);
    await started.call('delete', `/api/auth/passkeys/${passkey._id}`, user.token).expect(409);
    // Nor does an account of a provider that is no longer configured count as a way to sign in.
    expect((await link(user.token, sub)).status).toBe(204);
    await strange.call('delete', `/api/auth/passkeys/${passkey._id}`, user.token).expect(409);
    await started.call('delete', `/api/auth/passkeys/${passkey._id}`, user.token).expect(204);
    await strange.stop();
  });
});

describe('every error has a message', () => {
  test.each([
    [null, {}, 401, 'The sign-in at Acme was canceled.'],
    [null, { error: 'login_required' }, 401, 'Acme did not sign you in.'],
    [null, { error: 'temporarily_unavailable' }, 503, 'Acme cannot be reached right now. Please try again.'],
  ])('%#: %j', async (login, changes, status, message) => {
    const { url, attempt } = await begin();
    const { body, headers } = await finish(attempt, await provider.visit(url, login), changes).expect(status);
    expect(body.message).toBe(message);
    if (status === 503) expect(headers['retry-after']).toBeDefined();
  });

  test('clocks that differ', async () => {
    provider.tamper = async ({ path, body }) => {
      if (path !== '/token') return;
      // Correctly signed by a provider whose clock is an hour behind: the token has expired on arrival.
      (body as { id_token: string }).id_token = forged((body as { id_token: string }).id_token, {
        claims: { iat: 1_700_000_000, exp: 1_700_000_060 },
        signature: oidc.byProvider,
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
  ])('a provider that %s leads to a 503 within the deadline', async (_how, tamper) => {
    const { url, attempt } = await begin();
    const returned = await provider.visit(url, newAccount().sub);
    provider.tamper = tamper;
    const { body, headers } = await finish(attempt, returned).expect(503);
    expect(body.message).toBe('Acme cannot be reached right now. Please try again.');
    expect(headers['retry-after']).toBeDefined();
  });

  test('a provider that is down at first, and recovers later', async () => {
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

  test('without settings, sign-in with a provider is not offered', async () => {
    const plain = await startAuth();
    const { body } = await plain.call('post', '/api/auth/oidc').expect(501);
    expect(body.code).toBe('not_configured');
    await plain.stop();
  });
});
