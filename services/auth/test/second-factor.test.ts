import { TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { purpose } from '../src/second-factor/second-factors.ts';
import { createSealedSecrets } from '../src/secrets/sealed-secrets.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

/** The time of the authenticator app and of the server. Each code needs its own 30-second step. */
const clock = { nowMs: 1_900_000_000_000 };
const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: clock.nowMs });
function nextCode(secret: string): string {
  clock.nowMs += 30_000;
  return codeOf(secret);
}
/** A code that is wrong now and in the adjacent 30-second steps. */
function wrongCode(secret: string): string {
  const near = [-60, -30, 0, 30, 60].map((s) => new TOTP({ secret }).generate({ timestamp: clock.nowMs + s * 1000 }));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!;
}

let started: StartedAuth;
beforeAll(async () => {
  started = await startAuth({}, undefined, () => clock.nowMs);
});
afterAll(() => started.stop());

const call = (method: 'get' | 'post' | 'put' | 'delete', path: string, token?: string, body?: object) =>
  started.call(method, path, token, body);
const second = (challenge: string, code: string) =>
  call('post', '/api/auth/second-factor', undefined, { challenge, code });
const security = async (token: string) => (await call('get', '/api/auth/security', token).expect(200)).body;

/** A user with an authenticator app, who signed in before it was set up. */
async function withApp(role: 'admin' | 'others' = 'others') {
  const user = await started.signedIn(role);
  const { secret } = (await call('post', '/api/auth/totp', user.token).expect(200)).body;
  const confirmed = await call('post', '/api/auth/totp/confirm', user.token, { code: nextCode(secret) }).expect(200);
  return { ...user, secret: secret as string, recoveryCodes: confirmed.body.recoveryCodes as string[] };
}
/** The challenge of a sign-in with the correct password. */
async function challengeOf(email: string): Promise<string> {
  const { body } = await started.login(email).expect(200);
  expect(body).not.toHaveProperty('user');
  return body.secondFactor.challenge;
}
/** A token of the same user issued `minutes` ago. */
async function olderToken(id: string, minutes: number): Promise<string> {
  const stored = await started.auth.users.findById(id).orFail();
  return started.auth.signAccessToken(stored, Date.now() - minutes * 60_000);
}

describe('an authenticator app', () => {
  test('is set up with one of its codes, and then required at sign-in', async () => {
    const user = await started.signedIn('others', 'ada@example.com');
    expect(await security(user.token)).toEqual({
      hasPassword: true,
      totp: false,
      recoveryCodesLeft: 0,
      secondFactorRequired: false,
      passkeys: [],
      passkeyHost: 'localhost',
      providers: [],
    });
    const { body } = await call('post', '/api/auth/totp', user.token).expect(200);
    expect(body.uri).toMatch(
      /^otpauth:\/\/totp\/Interview%20Prep:ada%40example\.com\?issuer=Interview%20Prep&secret=[A-Z2-7]{32}&/,
    );
    // The app doesn't count until its first code.
    expect((await started.login(user.email).expect(200)).body.user.id).toBe(user.id);
    const confirm = (code: string) => call('post', '/api/auth/totp/confirm', user.token, { code });
    await confirm(wrongCode(body.secret)).expect(400);
    const { recoveryCodes } = (await confirm(nextCode(body.secret)).expect(200)).body;
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
    expect(await security(user.token)).toMatchObject({ totp: true, recoveryCodesLeft: 10 });

    const { secondFactor } = (await started.login(user.email).expect(200)).body;
    expect(secondFactor).toEqual({ challenge: expect.any(String), methods: ['totp', 'recovery-code'] });
    const answer = await second(secondFactor.challenge, nextCode(body.secret)).expect(200);
    await call('get', '/api/auth/me', answer.body.user.token).expect(200);
    // Only the setup returns recovery codes.
    expect(answer.body).not.toHaveProperty('recoveryCodes');
  });

  test('rejects a replayed code, also concurrently and in another sign-in', async () => {
    const user = await withApp();
    const challenges = await Promise.all([1, 2, 3].map(() => challengeOf(user.email)));
    const code = nextCode(user.secret);
    const answers = await Promise.all(challenges.map((challenge) => second(challenge, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const replay = await second(await challengeOf(user.email), code).expect(400);
    expect(replay.body.details).toEqual([{ path: 'code', message: expect.stringMatching(/^This code is not valid/) }]);
    // The code that set up the app can't be used to sign in either.
    const fresh = await started.signedIn('others');
    const { secret } = (await call('post', '/api/auth/totp', fresh.token)).body;
    const first = nextCode(secret);
    await call('post', '/api/auth/totp/confirm', fresh.token, { code: first }).expect(200);
    await second(await challengeOf(fresh.email), first).expect(400);
  });

  test('rejects a code from another half minute, or of another user', async () => {
    const user = await withApp();
    const other = await withApp();
    const challenge = await challengeOf(user.email);
    const early = codeOf(user.secret);
    clock.nowMs += 60_000;
    await second(challenge, early).expect(400);
    await second(challenge, nextCode(other.secret)).expect(400);
    await second(challenge, nextCode(user.secret)).expect(200);
  });

  test('challenge can be used once, and ends after five wrong codes, after ten minutes, and with a new password', async () => {
    const user = await withApp();
    const used = await challengeOf(user.email);
    await second(used, nextCode(user.secret)).expect(200);
    await second(used, nextCode(user.secret)).expect(401);

    const tried = await challengeOf(user.email);
    for (const _ of [1, 2, 3, 4, 5]) await second(tried, wrongCode(user.secret)).expect(400);
    await second(tried, nextCode(user.secret)).expect(401);

    const late = await challengeOf(user.email);
    const collection = started.backing.mongo.collection('sign_in_challenges');
    await collection.updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } });
    await second(late, nextCode(user.secret)).expect(401);

    const before = await challengeOf(user.email);
    const change = { currentPassword: password, newPassword: 'another password' };
    await call('post', '/api/auth/change-password', user.token, change).expect(200);
    await second(before, nextCode(user.secret)).expect(401);
    await second('unknown', nextCode(user.secret)).expect(401);
  });

  test('stores no challenge and no recovery code that someone who reads the database could use', async () => {
    const user = await withApp();
    const challenge = await challengeOf(user.email);
    const stored = JSON.stringify([
      await started.auth.users.findById(user.id).lean(),
      await started.backing.mongo.collection('sign_in_challenges').find().toArray(),
    ]);
    for (const secret of [challenge, ...user.recoveryCodes]) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(secret.replace('-', ''));
    }
  });
});

describe('a recovery code', () => {
  test('signs in once, in any spelling', async () => {
    const user = await withApp();
    const [first, secondCode] = user.recoveryCodes as [string, string];
    const challenges = [await challengeOf(user.email), await challengeOf(user.email)];
    const typed = ` ${first.toUpperCase().replace('-', ' ')} `;
    const answers = await Promise.all(challenges.map((challenge) => second(challenge, typed)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const { token } = answers.find(({ status }) => status === 200)?.body.user ?? {};
    expect((await security(token)).recoveryCodesLeft).toBe(9);

    const { body } = await call('post', '/api/auth/recovery-codes', token).expect(200);
    expect(body.recoveryCodes).toHaveLength(10);
    await second(await challengeOf(user.email), secondCode).expect(400);
    await second(await challengeOf(user.email), body.recoveryCodes[9]).expect(200);
  });

  test('cannot be guessed: attempts are limited per user, across challenges and concurrently', async () => {
    const limited = await startAuth({ LOGIN_ATTEMPTS: '10' }, started.backing, () => clock.nowMs);
    const user = await withApp();
    const guess = async (challenge: string, code: string) =>
      limited.call('post', '/api/auth/second-factor', undefined, { challenge, code });
    const challenges = await Promise.all(Array.from({ length: 16 }, () => challengeOf(user.email)));
    const guesses = await Promise.all(challenges.map((challenge) => guess(challenge, 'aaaaa-aaaaa')));
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(6);
    // The correct code is refused until the 15 minutes are over.
    const refused = await guess(await challengeOf(user.email), user.recoveryCodes[0]!);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '900']);
    const since = new Date(Date.now() - 16 * 60_000);
    await started.auth.users.updateOne({ _id: user.id }, { $set: { 'codeGuesses.since': since } });
    expect((await guess(await challengeOf(user.email), user.recoveryCodes[0]!)).status).toBe(200);
    await limited.auth.stop();
    await limited.jobs.close();
  });
});

describe('MFA_REQUIRED_ROLES', () => {
  let strict: StartedAuth;
  beforeAll(async () => {
    strict = await startAuth({ MFA_REQUIRED_ROLES: 'admin, dev' }, started.backing, () => clock.nowMs);
  });
  afterAll(async () => {
    await strict.auth.stop();
    await strict.jobs.close();
  });

  test('a sign-in without a second factor sets one up before it returns a token', async () => {
    const { email } = await strict.add('admin');
    const { secondFactor } = (await strict.login(email).expect(200)).body;
    expect(secondFactor).toMatchObject({ methods: [], enrolment: { secret: expect.stringMatching(/^[A-Z2-7]{32}$/) } });
    const { challenge, enrolment } = secondFactor;
    const post = (body: object) => strict.call('post', '/api/auth/second-factor', undefined, body);
    await post({ challenge, code: wrongCode(enrolment.secret) }).expect(400);
    const other = (await strict.login(email).expect(200)).body.secondFactor;
    const { body } = await post({ challenge, code: nextCode(enrolment.secret) }).expect(200);
    expect(body.recoveryCodes).toHaveLength(10);
    // A second setup that was in progress doesn't replace the app.
    await post({ challenge: other.challenge, code: nextCode(other.enrolment.secret) }).expect(401);
    expect((await strict.login(email).expect(200)).body.secondFactor.methods).toEqual(['totp', 'recovery-code']);
    const { body: refused } = await strict.call('delete', '/api/auth/totp', body.user.token).expect(409);
    expect(refused.message).toBe('Your role needs a second factor. Set up another app instead.');
  });

  test('applies only to the roles named', async () => {
    expect((await strict.login((await strict.add('dev')).email).expect(200)).body).toHaveProperty('secondFactor');
    expect((await strict.login((await strict.add('others')).email).expect(200)).body).toHaveProperty('user');
  });
});

describe('a step-up', () => {
  let admin: Awaited<ReturnType<typeof started.signedIn>>;
  let old: string;
  beforeEach(async () => {
    admin = await started.signedIn('admin');
    old = await olderToken(admin.id, 11);
  });
  const stepUp = (token: string, body: object) => call('post', '/api/auth/step-up', token, body);

  test('is required to delete an account or change a second factor eleven minutes after the sign-in', async () => {
    const user = await started.add('others');
    const calls = (token: string) => [
      call('delete', `/api/users/${user._id}`, token),
      call('delete', `/api/users/${user._id}/second-factor`, token),
      call('post', '/api/auth/totp', token),
      call('delete', '/api/auth/totp', token),
      call('post', '/api/auth/recovery-codes', token),
    ];
    for (const answer of await Promise.all(calls(old))) {
      expect(answer.status).toBe(403);
      expect(answer.body).toMatchObject({ code: 'step_up_required', message: "Confirm it's you." });
    }
    expect((await stepUp(old, {}).expect(400)).body.details).toMatchObject([{ path: 'password' }]);
    expect((await stepUp(old, { password: 'wrong' }).expect(400)).body.message).toBe('The password is incorrect');
    const { token } = (await stepUp(old, { password }).expect(200)).body;
    await call('delete', `/api/users/${user._id}`, token).expect(204);
  });

  test('continues the same sign-in: its end stays, and a logout ends both tokens', async () => {
    const { token } = (await stepUp(old, { password }).expect(200)).body;
    const [before, after] = [await started.auth.verify(old), await started.auth.verify(token)];
    expect(after).toMatchObject({ jti: before.jti, exp: before.exp, sub: before.sub });
    await call('post', '/api/auth/logout', token).expect(204);
    for (const each of [old, token]) await call('get', '/api/auth/me', each).expect(401);
  });

  test('requires the second factor if the user has one: the password alone is not enough, nor to delete the account', async () => {
    const user = await withApp('admin');
    const late = await olderToken(user.id, 11);
    const { body } = await stepUp(late, { password }).expect(400);
    expect(body.details).toEqual([{ path: 'code', message: 'Please enter a code of your authenticator app.' }]);
    await stepUp(late, { code: wrongCode(user.secret) }).expect(400);
    expect((await call('post', '/api/auth/delete-account', late, { password }).expect(403)).body.code).toBe(
      'step_up_required',
    );
    const { token } = (await stepUp(late, { code: nextCode(user.secret) }).expect(200)).body;
    await call('post', '/api/auth/delete-account', token, {}).expect(204);
  });

  test('is also required to change the password, which returns a fresh token', async () => {
    const user = await withApp();
    const late = await olderToken(user.id, 11);
    const change = { currentPassword: password, newPassword: 'another password' };
    const refused = await call('post', '/api/auth/change-password', late, change).expect(403);
    expect(refused.body.code).toBe('step_up_required');
    const { token } = (await stepUp(late, { code: nextCode(user.secret) }).expect(200)).body;
    await call('post', '/api/auth/change-password', token, change).expect(200);
  });

  test('of a user without password and second factor is a new sign-in', async () => {
    const user = await started.auth.users.create({
      email: 'g@example.com',
      identities: ['https://accounts.google.com/ 7'],
      role: 'others',
      technologies: [],
    });
    const { body } = await stepUp(await olderToken(user.id, 11), { password: 'any' }).expect(409);
    expect(body.message).toBe('Please sign in again.');
  });

  test("an admin can remove another user's second factor, which ends their sign-ins", async () => {
    const user = await withApp();
    await call('delete', `/api/users/${user.id}/second-factor`, admin.token).expect(204);
    await call('get', '/api/auth/me', user.token).expect(401);
    expect((await started.login(user.email).expect(200)).body.user.id).toBe(user.id);
    const own = await call('delete', `/api/users/${admin.id}/second-factor`, admin.token).expect(400);
    expect(own.body.message).toBe('You cannot do this for yourself. Another admin can.');
  });
});

test('KEY_ENCRYPTION_KEY encrypts authenticator secrets; another key cannot decrypt them', async () => {
  const key = 'k'.repeat(32);
  const sealing = await startAuth({ KEY_ENCRYPTION_KEY: key }, started.backing, () => clock.nowMs);
  const user = await sealing.signedIn('others');
  const { secret } = (await sealing.call('post', '/api/auth/totp', user.token).expect(200)).body;
  const confirm = { code: nextCode(secret) };
  await sealing.call('post', '/api/auth/totp/confirm', user.token, confirm).expect(200);
  const { key: draftKey } = (await sealing.call('get', '/api/auth/draft-key', user.token).expect(200)).body;
  const stored = JSON.stringify(await started.auth.users.findById(user.id).lean());
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain(draftKey);
  const { challenge } = (await sealing.login(user.email).expect(200)).body.secondFactor;
  // This process has no key.
  await second(challenge, nextCode(secret)).expect(500);
  const post = sealing.call('post', '/api/auth/second-factor', undefined, { challenge, code: codeOf(secret) });
  await post.expect(200);
  await sealing.auth.stop();
  await sealing.jobs.close();

  // After a change of the key, secrets are encrypted with the new one.
  const secretOf = async () => (await started.auth.users.findById(user.id).lean())?.totp?.secret ?? '';
  const before = await secretOf();
  const newKey = 'n'.repeat(32);
  const settings = { KEY_ENCRYPTION_KEY: newKey, KEY_ENCRYPTION_KEY_PREVIOUS: key };
  const changed = await startAuth(settings, started.backing, () => clock.nowMs);
  await expect.poll(secretOf).not.toBe(before);
  const again = () => changed.call('get', '/api/auth/draft-key', user.token);
  await expect.poll(async () => (await again()).body.key).toBe(draftKey);
  await changed.auth.stop();
  await changed.jobs.close();
  expect(createSealedSecrets(newKey).open(await secretOf(), purpose)).toBe(secret);
  expect(() => createSealedSecrets(key).open(before, purpose)).not.toThrow();
  expect(() => createSealedSecrets(newKey).open(before, purpose)).toThrow();
});
