import { makePasskey, type SoftwarePasskey } from '@interview-prep/kit/testing/software-passkey';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertion, registration, storePasskey } from './software-authenticator.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

/** The time of the authenticator app and of the server. Each code needs its own 30-second step. */
const clock = { nowMs: 1_900_000_000_000 };
function nextCode(secret: string): string {
  clock.nowMs += 30_000;
  return new TOTP({ secret }).generate({ timestamp: clock.nowMs });
}

let started: StartedAuth;
beforeAll(async () => {
  const settings = { PUBLIC_URL: 'https://prep.example.com', MFA_REQUIRED_ROLES: 'admin' };
  started = await startAuth(settings, undefined, () => clock.nowMs);
});
afterAll(() => started.stop());

const call = (method: 'get' | 'post' | 'delete', path: string, token?: string, body?: object) =>
  started.call(method, path, token, body);
async function answerOf(passkey: SoftwarePasskey) {
  const { body } = await call('post', '/api/auth/passkey-sign-in/options').expect(200);
  return assertion(passkey, { challenge: body.options.challenge, counter: 0 });
}
const passkeySignIn = async (passkey: SoftwarePasskey): Promise<string> =>
  (await call('post', '/api/auth/passkey-sign-in', undefined, { passkey: await answerOf(passkey) }).expect(200)).body
    .user.token;
const stepUp = (token: string, proof: object) => call('post', '/api/auth/step-up', token, proof);

async function withPasskey() {
  const admin = await started.add('admin');
  const passkey = await storePasskey(started, admin._id.toHexString());
  return { id: admin._id.toHexString(), email: admin.email, passkey };
}
/** A token of the same user issued eleven minutes ago, as on an unlocked, unattended computer. */
async function olderToken(id: string): Promise<string> {
  return started.auth.signAccessToken(await started.auth.users.findById(id).orFail(), Date.now() - 11 * 60_000);
}
async function addApp(token: string): Promise<string> {
  const { secret } = (await call('post', '/api/auth/totp', token).expect(200)).body;
  await call('post', '/api/auth/totp/confirm', token, { code: nextCode(secret) }).expect(200);
  return secret;
}

describe('a password alone, if the role requires a second factor and the user has a passkey', () => {
  test('cannot set up an authenticator app, and returns no token', async () => {
    const { email, passkey } = await withPasskey();
    const { body } = await started.login(email).expect(403);
    expect(body).toEqual({
      code: 'passkey_required',
      message: 'Your account needs your passkey. Choose “Sign in with a passkey”.',
      requestId: expect.any(String),
    });
    // A wrong password doesn't reveal it.
    await started.login(email, 'wrong').expect(401);
    await passkeySignIn(passkey);
  });

  test('cannot finish setting up an app that was begun before the passkey was added', async () => {
    const admin = await started.add('admin');
    const { secondFactor } = (await started.login(admin.email).expect(200)).body;
    await storePasskey(started, admin._id.toHexString());
    const { challenge, enrolment } = secondFactor;
    const confirm = { challenge, code: nextCode(enrolment.secret) };
    await call('post', '/api/auth/second-factor', undefined, confirm).expect(401);
    expect((await started.auth.users.findById(admin._id).lean())?.totp).toBeUndefined();
  });

  test('cannot be used for a step-up: no app is set up, no passkey removed and no password changed', async () => {
    const { id, passkey } = await withPasskey();
    const old = await olderToken(id);
    expect((await stepUp(old, { password }).expect(400)).body.details).toEqual([
      { path: 'passkey', message: 'Please use your passkey.' },
    ]);
    const change = { currentPassword: password, newPassword: 'another password' };
    for (const answer of [
      await call('post', '/api/auth/totp', old),
      await call('delete', `/api/auth/passkeys/${passkey.id}`, old),
      await call('post', '/api/auth/change-password', old, change),
      await call('post', '/api/auth/delete-account', old, { password }),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, 'step_up_required']);
  });

  test('can set up an app after an admin’s reset', async () => {
    const { id, email } = await withPasskey();
    const other = await withPasskey();
    await call('delete', `/api/users/${id}/second-factor`, await passkeySignIn(other.passkey)).expect(204);
    expect((await started.login(email).expect(200)).body.secondFactor).toHaveProperty('enrolment');
  });
});

describe('a passkey', () => {
  test("confirms only its own user's step-up, with a response that was not used before", async () => {
    const { id, passkey } = await withPasskey();
    const stranger = await withPasskey();
    const old = await olderToken(id);
    expect((await stepUp(old, { passkey: await answerOf(stranger.passkey) }).expect(400)).body.details).toMatchObject([
      { path: 'passkey' },
    ]);
    const proof = await answerOf(passkey);
    const { token } = (await stepUp(old, { passkey: proof }).expect(200)).body;
    await stepUp(token, { passkey: proof }).expect(400);
    await stepUp(token, { passkey: { ...(await answerOf(passkey)), id: makePasskey().id } }).expect(400);
    await addApp(token);
  });

  test('can be used for a step-up even if the role requires no second factor', async () => {
    const user = await started.signedIn('others');
    const passkey = await storePasskey(started, user.id);
    await stepUp(await olderToken(user.id), { passkey: await answerOf(passkey) }).expect(200);
    await stepUp(await olderToken(user.id), { password }).expect(200);
  });
});

describe('the last second factor, if the role requires one', () => {
  const lastOne = /^Your role needs a second factor\./;

  test('can be replaced, but not only removed', async () => {
    const { passkey } = await withPasskey();
    const token = await passkeySignIn(passkey);
    const remove = (id: string) => call('delete', `/api/auth/passkeys/${id}`, token);
    expect((await remove(passkey.id).expect(409)).body.message).toMatch(lastOne);
    // Another passkey is a substitute for it, and so is an app; then the app is the last factor.
    const { options } = (await call('post', '/api/auth/passkeys/options', token).expect(200)).body;
    const second = makePasskey();
    await call('post', '/api/auth/passkeys', token, { passkey: registration(second, options.challenge) }).expect(201);
    await remove(passkey.id).expect(204);
    await addApp(token);
    await remove(second.id).expect(204);
    expect((await call('delete', '/api/auth/totp', token).expect(409)).body.message).toMatch(lastOne);
  });

  test('survives the concurrent removal of two', async () => {
    const { id, passkey } = await withPasskey();
    const token = await passkeySignIn(passkey);
    await addApp(token);
    const answers = await Promise.all([
      call('delete', '/api/auth/totp', token),
      call('delete', `/api/auth/passkeys/${passkey.id}`, token),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const hasApp = (await started.auth.users.findById(id).lean())?.totp !== undefined;
    expect([hasApp, await started.auth.passkeyRecords.countDocuments({ userId: id })]).toEqual(
      hasApp ? [true, 0] : [false, 1],
    );
  });
});
