import type { PasswordReset } from '@interview-prep/contracts/auth/password-reset';
import type { Role } from '@interview-prep/contracts/auth/users';
import { resetTicketProfile } from '@interview-prep/kit/tokens/reset-tickets';
import { signToken } from '@interview-prep/kit/tokens/signed-token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeResetToken } from '../src/users/reset-tokens.ts';
import { assertion, storePasskey } from './software-authenticator.ts';
import { type StartedAuth, startAuth } from './start-auth.ts';

const hourMs = 60 * 60_000;

let started: StartedAuth;
beforeAll(async () => {
  started = await startAuth({
    PUBLIC_URL: 'https://prep.example.com',
    GOOGLE_CLIENT_ID: 'client-id',
    MFA_REQUIRED_ROLES: 'admin',
  });
});
afterAll(() => started.stop());

const remove = (ticket: string) =>
  started.call('post', '/api/auth/reset-password/remove-access', undefined, { ticket });
const me = (token: string) => started.call('get', '/api/auth/me', token);

/** A user with a passkey and a linked account, whose password is then reset by mail. */
async function afterReset(role: Role) {
  const { _id, email } = await started.add(role);
  const userId = _id.toHexString();
  const passkey = await storePasskey(started, userId);
  const identity = `https://accounts.google.com/ ${userId}`;
  await started.auth.users.updateOne({ _id }, { $set: { identities: [identity] } });
  const token = await makeResetToken(started.auth.users, _id, hourMs);
  const body = { token, password: 'a new long password' };
  const { body: answer } = await started.call('post', '/api/auth/reset-password', undefined, body).expect(200);
  return { userId, email, passkey, ...(answer as PasswordReset) };
}

async function passkeySignIn(passkey: Parameters<typeof assertion>[0]) {
  const { options } = (await started.call('post', '/api/auth/passkey-sign-in/options').expect(200)).body;
  const answer = assertion(passkey, { challenge: options.challenge, counter: 0 });
  return started.call('post', '/api/auth/passkey-sign-in', undefined, { passkey: answer });
}

describe('a password reset by email', () => {
  test('lists what else gives access to the account, and removes it all with its ticket', async () => {
    const left = await afterReset('others');
    expect(left.access).toEqual({
      passkeys: [{ id: left.passkey.id, isSynced: false, createdAt: expect.any(String), lastUsedAt: null }],
      keepsPasskeys: false,
      providers: ['Google'],
    });
    const { token } = (await passkeySignIn(left.passkey)).body.user;
    expect((await remove(left.ticket).expect(200)).body).toEqual({
      passkeys: [],
      keepsPasskeys: false,
      providers: [],
    });
    await me(token).expect(401);
    expect((await passkeySignIn(left.passkey)).status).toBe(401);
    const stored = await started.auth.users.findById(left.userId).lean().orFail();
    expect(stored.identities).toBeUndefined();
    // Recording ends the links created until now.
    const published = await started.published('recording', 'user-changed');
    const snapshot = published.findLast(({ userId }) => userId === left.userId);
    expect(Date.parse(snapshot?.sharesEndedAt ?? '')).toBeCloseTo(Date.now(), -4);
    await started.login(left.email, 'a new long password').expect(200);
  });

  test('lists the sign-ins that it ended', async () => {
    const user = await started.signedIn('others');
    const { _id } = await started.auth.users.findById(user.id).orFail();
    const token = await makeResetToken(started.auth.users, _id, hourMs);
    const body = { token, password: 'a new long password' };
    const answer = await started.call('post', '/api/auth/reset-password', undefined, body).expect(200);
    // Don't reveal the user's addresses: someone else may have read their mail.
    expect(answer.body.endedSignIns).toEqual([{ browser: null, system: null, lastUsedAt: expect.any(String) }]);
    await me(user.token).expect(401);
  });

  test('keeps a passkey that the role requires, so that access to a mailbox is not enough to replace the second factor', async () => {
    const left = await afterReset('admin');
    expect(left.access.keepsPasskeys).toBe(true);
    const { body } = await remove(left.ticket).expect(200);
    expect(body).toMatchObject({ passkeys: [{ id: left.passkey.id }], keepsPasskeys: true, providers: [] });
    expect((await started.login(left.email, 'a new long password').expect(403)).body.code).toBe('passkey_required');
    expect((await passkeySignIn(left.passkey)).status).toBe(200);
  });

  test('removes it if the role has an authenticator app too, which stays', async () => {
    const { _id, email } = await started.add('admin');
    await storePasskey(started, _id.toHexString());
    await started.auth.users.updateOne({ _id }, { $set: { totp: { secret: 'A'.repeat(32), lastStep: 0 } } });
    const token = await makeResetToken(started.auth.users, _id, hourMs);
    const reset = { token, password: 'a new long password' };
    const { ticket } = (await started.call('post', '/api/auth/reset-password', undefined, reset).expect(200)).body;
    expect((await remove(ticket).expect(200)).body.passkeys).toEqual([]);
    const { body } = await started.login(email, reset.password).expect(200);
    expect(body.secondFactor.methods).toEqual(['totp']);
  });
});

describe('a reset ticket', () => {
  test('can be used once, and ends with a new password or sign-out of all devices', async () => {
    const used = await afterReset('others');
    await remove(used.ticket).expect(200);
    expect((await remove(used.ticket).expect(400)).body.message).toMatch(/^This page has expired/);

    const left = await afterReset('others');
    const { token } = (await started.login(left.email, 'a new long password').expect(200)).body.user;
    await started.call('delete', '/api/auth/sign-ins', token).expect(204);
    await remove(left.ticket).expect(400);
    expect(await started.auth.passkeyRecords.exists({ _id: left.passkey.id })).not.toBeNull();
  });

  test('does not sign anyone in, and an access token is not accepted as a ticket', async () => {
    const left = await afterReset('others');
    await me(left.ticket).expect(401);
    await started.call('get', '/api/auth/security', left.ticket).expect(401);
    const user = await started.signedIn('others');
    await remove(user.token).expect(400);
    await me(user.token).expect(200);
  });

  test('expires after 15 minutes', async () => {
    const { id } = await started.signedIn('others');
    const { kid, privateKey } = started.auth.keyring.signing();
    const iat = Date.now() / 1000 - 15 * 60 - 1;
    const claims = { sub: id, jti: 'late', iat, exp: Math.ceil(iat) + 15 * 60 };
    await remove(signToken(resetTicketProfile, privateKey, claims, kid)).expect(400);
    const left = await afterReset('others');
    const [, payload = ''] = left.ticket.split('.');
    const { iat: issued, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    expect(exp - issued).toBeLessThanOrEqual(15 * 60 + 1);
  });
});
