import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { relyingPartyOf } from '../src/passkeys/relying-party.ts';
import { type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
beforeAll(async () => {
  started = await startAuth({ PUBLIC_URL: 'https://prep.example.com' });
});
afterAll(() => started.stop());

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** An authenticator in software with one passkey, which the server knows. Source: WebAuthn level 3, sections 6.1 and 7.2. */
async function withPasskey(role: 'admin' | 'others' = 'others', counter = 0) {
  const user = await started.signedIn(role);
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  const coordinates = [x, y].map((text) => new Uint8Array(Buffer.from(text, 'base64url')));
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinates[0]!],
    [-3, coordinates[1]!],
  ]);
  const id = randomBytes(16).toString('base64url');
  await started.auth.passkeyRecords.create({
    _id: id,
    userId: user.id,
    publicKey: Buffer.from(isoCBOR.encode(cose)),
    counter,
    isSynced: false,
    createdAt: new Date(),
  });
  return { user, id, privateKey };
}

/** What the authenticator signs, and what an attack changes of it. */
interface Signed {
  challenge: string;
  origin?: string;
  host?: string;
  /** User present 1, user verified 4. */
  flags?: number;
  counter?: number;
}

function assertion({ id, privateKey }: { id: string; privateKey: KeyObject }, signed: Signed) {
  const { challenge, origin = 'https://prep.example.com', host = 'prep.example.com', flags = 5, counter = 1 } = signed;
  const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin }));
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags);
  tail.writeUInt32BE(counter, 1);
  const authenticatorData = Buffer.concat([sha256(host), tail]);
  const signature = createSign('sha256').update(authenticatorData).update(sha256(clientData)).sign(privateKey);
  return {
    id,
    rawId: id,
    type: 'public-key',
    response: {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    },
    clientExtensionResults: {},
  };
}

const newChallenge = async () =>
  (await started.call('post', '/api/auth/passkey-sign-in/options').expect(200)).body.options.challenge as string;
const signIn = (passkey: object) => started.call('post', '/api/auth/passkey-sign-in', undefined, { passkey });

describe('a passkey', () => {
  test('signs in its user, without a password and a code', async () => {
    const { user, ...key } = await withPasskey();
    await started.auth.users.updateOne({ _id: user.id }, { $set: { totp: { secret: 'A'.repeat(32), lastStep: 0 } } });
    const { body } = await signIn(assertion(key, { challenge: await newChallenge() })).expect(200);
    expect(body.user.id).toBe(user.id);
    const { passkeys } = (await started.call('get', '/api/auth/security', body.user.token).expect(200)).body;
    expect(passkeys).toEqual([
      { id: key.id, isSynced: false, createdAt: expect.any(String), lastUsedAt: expect.any(String) },
    ]);
  });

  test('a replayed answer is refused, also at once, and so is a challenge that was not given out', async () => {
    const { user: _, ...key } = await withPasskey();
    const answer = assertion(key, { challenge: await newChallenge(), counter: 0 });
    const answers = await Promise.all([1, 2, 3].map(() => signIn(answer)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    await signIn(answer).expect(401);
    await signIn(assertion(key, { challenge: randomBytes(32).toString('base64url') })).expect(401);
    // Nor one that somebody was given to make a passkey.
    const other = await started.signedIn('others');
    const { options } = (await started.call('post', '/api/auth/passkeys/options', other.token).expect(200)).body;
    await signIn(assertion(key, { challenge: options.challenge })).expect(401);
  });

  test('an outage of MongoDB is no refusal: the same answer counts once it is over', async () => {
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
  ])('an answer %s is refused', async (_fault, change) => {
    const { user: _, ...key } = await withPasskey('others', 7);
    await signIn(assertion(key, { counter: 8, ...change, challenge: await newChallenge() })).expect(401);
    await signIn(assertion(key, { counter: 8, challenge: await newChallenge() })).expect(200);
  });

  test("an answer signed with another key is refused, and so is one for another's passkey", async () => {
    const { user: _, ...key } = await withPasskey();
    const { user: __, ...other } = await withPasskey();
    const forged = { id: key.id, privateKey: other.privateKey };
    const { body } = await signIn(assertion(forged, { challenge: await newChallenge() })).expect(401);
    expect(body.message).toBe('This passkey could not be verified. Please try again.');
    await signIn(assertion({ ...key, id: 'unknown' }, { challenge: await newChallenge() })).expect(401);
  });

  test('is removed by its user alone, and by an admin who resets the second factor', async () => {
    const { user, ...key } = await withPasskey();
    const stranger = await started.signedIn('admin');
    await started.call('delete', `/api/auth/passkeys/${key.id}`, stranger.token).expect(404);
    await started.call('delete', `/api/auth/passkeys/${key.id}`, user.token).expect(204);
    await signIn(assertion(key, { challenge: await newChallenge() })).expect(401);

    const { user: lost, ...lostKey } = await withPasskey();
    await started.call('delete', `/api/users/${lost.id}/second-factor`, stranger.token).expect(204);
    await signIn(assertion(lostKey, { challenge: await newChallenge() })).expect(401);
  });

  test('is gone with its user', async () => {
    const { user, ...key } = await withPasskey();
    await started.call('post', '/api/auth/delete-account', user.token, {}).expect(204);
    await signIn(assertion(key, { challenge: await newChallenge() })).expect(401);
    expect(await started.auth.passkeyRecords.countDocuments({ userId: user.id })).toBe(0);
  });
});

test.each([
  ['https://prep.example.com/', { id: 'prep.example.com', origin: 'https://prep.example.com' }],
  ['http://127.0.0.1:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
  ['http://[::1]:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
  ['http://192.168.1.7:8080', null],
])('passkeys of %s belong to %j', (publicUrl, site) => {
  expect(relyingPartyOf(publicUrl)).toEqual(site);
});
