import { randomBytes } from 'node:crypto';
import { makePasskey } from '@interview-prep/kit/testing/software-passkey';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { relyingPartyOf } from '../src/passkeys/check-passkeys.ts';
import { unusedOfVisitorsMax } from '../src/store/drop-oldest.ts';
import { assertion, registration, storePasskey } from './software-authenticator.ts';
import { type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
beforeAll(async () => {
  started = await startAuth({ PUBLIC_URL: 'https://prep.example.com' });
});
afterAll(() => started.stop());

/** A user with a passkey stored on the server. */
async function withPasskey(role: 'admin' | 'others' = 'others', counter = 0) {
  const user = await started.signedIn(role);
  const { id, privateKey } = await storePasskey(started, user.id, counter);
  return { user, id, privateKey };
}

const newChallenge = async () =>
  (await started.call('post', '/api/auth/passkey-sign-in/options').expect(200)).body.options.challenge as string;
const signIn = (passkey: object) => started.call('post', '/api/auth/passkey-sign-in', undefined, { passkey });

describe('a passkey', () => {
  test('signs in its user without a password and a code', async () => {
    const { user, ...key } = await withPasskey();
    await started.auth.users.updateOne({ _id: user.id }, { $set: { totp: { secret: 'A'.repeat(32), lastStep: 0 } } });
    const { body } = await signIn(assertion(key, { challenge: await newChallenge() })).expect(200);
    expect(body.user.id).toBe(user.id);
    const { passkeys } = (await started.call('get', '/api/auth/security', body.user.token).expect(200)).body;
    expect(passkeys).toEqual([
      { id: key.id, isSynced: false, createdAt: expect.any(String), lastUsedAt: expect.any(String) },
    ]);
  });

  test('rejects a replayed response, also a concurrent one, and a challenge that was not issued', async () => {
    const { user: _, ...key } = await withPasskey();
    const answer = assertion(key, { challenge: await newChallenge(), counter: 0 });
    const answers = await Promise.all([1, 2, 3].map(() => signIn(answer)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    await signIn(answer).expect(401);
    await signIn(assertion(key, { challenge: randomBytes(32).toString('base64url') })).expect(401);
    // Nor one that was issued for creating a passkey.
    const other = await started.signedIn('others');
    const { options } = (await started.call('post', '/api/auth/passkeys/options', other.token).expect(200)).body;
    await signIn(assertion(key, { challenge: options.challenge })).expect(401);
  });

  test('response is not used up by a MongoDB outage: it is accepted afterward', async () => {
    const { user: _, ...key } = await withPasskey();
    const answer = assertion(key, { challenge: await newChallenge() });
    const challenges = started.auth.passkeyRecords.db.model('PasskeyChallenge');
    vi.spyOn(challenges, 'deleteOne').mockRejectedValueOnce(
      new mongoose.mongo.MongoNetworkError('the connection was closed'),
    );
    await signIn(answer).expect(503);
    await signIn(answer).expect(200);
  });

  test.each([
    ['that another site asked for', { origin: 'https://evil.example.com' }],
    ['made for another site', { host: 'evil.example.com' }],
    ['without a check of the person', { flags: 1 }],
    ['with a counter that went back', { counter: 3 }],
  ])('response is rejected %s', async (_fault, change) => {
    const { user: _, ...key } = await withPasskey('others', 7);
    await signIn(assertion(key, { counter: 8, ...change, challenge: await newChallenge() })).expect(401);
    await signIn(assertion(key, { counter: 8, challenge: await newChallenge() })).expect(200);
  });

  test("response signed with another key, or with another user's passkey, is rejected", async () => {
    const { user: _, ...key } = await withPasskey();
    const { user: __, ...other } = await withPasskey();
    const forged = { id: key.id, privateKey: other.privateKey };
    const { body } = await signIn(assertion(forged, { challenge: await newChallenge() })).expect(401);
    expect(body.message).toBe('This passkey could not be verified. Please try again.');
    await signIn(assertion({ ...key, id: 'unknown' }, { challenge: await newChallenge() })).expect(401);
  });

  test('can be removed only by its user, and by an admin who resets the second factor', async () => {
    const { user, ...key } = await withPasskey();
    const stranger = await started.signedIn('admin');
    await started.call('delete', `/api/auth/passkeys/${key.id}`, stranger.token).expect(404);
    await started.call('delete', `/api/auth/passkeys/${key.id}`, user.token).expect(204);
    await signIn(assertion(key, { challenge: await newChallenge() })).expect(401);

    const { user: lost, ...lostKey } = await withPasskey();
    await started.call('delete', `/api/users/${lost.id}/second-factor`, stranger.token).expect(204);
    await signIn(assertion(lostKey, { challenge: await newChallenge() })).expect(401);
  });

  test('is deleted with its user', async () => {
    const { user, ...key } = await withPasskey();
    await started.call('post', '/api/auth/delete-account', user.token, {}).expect(204);
    await signIn(assertion(key, { challenge: await newChallenge() })).expect(401);
    expect(await started.auth.passkeyRecords.countDocuments({ userId: user.id })).toBe(0);
  });
});

describe('a user can add at most ten passkeys', () => {
  const options = async (token: string): Promise<string> =>
    (await started.call('post', '/api/auth/passkeys/options', token).expect(200)).body.options.challenge;
  const add = (token: string, challenge: string) =>
    started.call('post', '/api/auth/passkeys', token, { passkey: registration(makePasskey(), challenge) });

  test('also with challenges requested earlier, one after another and concurrently', async () => {
    const { token, id } = await started.signedIn('others');
    const challenges: string[] = [];
    for (let n = 0; n < 16; n += 1) challenges.push(await options(token));
    await add(token, challenges.pop()!).expect(201);
    const answers = await Promise.all(challenges.map((challenge) => add(token, challenge)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 9 }, () => 201),
      ...Array.from({ length: 6 }, () => 409),
    ]);
    expect(await started.auth.passkeyRecords.countDocuments({ userId: id })).toBe(10);
    await started.call('post', '/api/auth/passkeys/options', token).expect(409);
  });
});

describe('requests for a challenge', () => {
  const visitors = () => started.auth.passkeyRecords.db.model('PasskeyChallenge').find({ userId: null });

  test('never lock anyone out, however many come from one IP address', async () => {
    const limited = await startAuth({ LOGIN_ATTEMPTS: '1', PUBLIC_URL: 'https://prep.example.com' }, started.backing);
    onTestFinished(async () => {
      await limited.auth.stop();
      await limited.jobs.close();
    });
    const { user, ...key } = await withPasskey();
    const challenge = await newChallenge();
    for (let n = 0; n < 150; n += 1) await limited.call('post', '/api/auth/passkey-sign-in/options').expect(200);
    const passkey = assertion(key, { challenge });
    await limited.call('post', '/api/auth/passkey-sign-in', undefined, { passkey }).expect(200);
    // Failures are counted.
    for (let n = 0; n < 10; n += 1)
      await limited.call('post', '/api/auth/passkey-sign-in', undefined, { passkey }).expect(401);
    await limited.call('post', '/api/auth/passkey-sign-in', undefined, { passkey }).expect(429);
  });

  test('do not fill the database: the oldest unused ones of visitors end first', async () => {
    const challenges = started.auth.passkeyRecords.db.model('PasskeyChallenge');
    await challenges.deleteMany({});
    const { token } = await started.signedIn('others');
    await started.call('post', '/api/auth/passkeys/options', token).expect(200);
    const inFourMinutes = Date.now() + 4 * 60_000;
    await challenges.insertMany(
      Array.from({ length: unusedOfVisitorsMax }, (_, n) => ({
        _id: `flood-${n}`,
        userId: null,
        expiresAt: new Date(inFourMinutes + n),
      })),
      { lean: true },
    );
    const { user: _, ...key } = await withPasskey();
    const challenge = await newChallenge();
    expect(await visitors().countDocuments()).toBe(unusedOfVisitorsMax);
    expect(await challenges.exists({ _id: 'flood-0' })).toBeNull();
    expect(await challenges.countDocuments()).toBe(unusedOfVisitorsMax + 1);
    await signIn(assertion(key, { challenge })).expect(200);
    await challenges.deleteMany({});
  });
});

test.each([
  ['https://prep.example.com/', { id: 'prep.example.com', origin: 'https://prep.example.com' }],
  ['http://127.0.0.1:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
  ['http://[::1]:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
  ['http://192.168.1.7:8080', null],
])('passkeys from %s belong to %j', (publicUrl, site) => {
  expect(relyingPartyOf(publicUrl)).toEqual(site);
});
