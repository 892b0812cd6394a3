import { randomUUID } from 'node:crypto';
import { unavailable } from '@interview-prep/kit/http/http-error';
import { createFaultyMongo, type FaultyMongo, type WriteCase } from '@interview-prep/kit/testing/faulty-mongo';
import { writeFaults } from '@interview-prep/kit/testing/mongo-faults';
import { trusted } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureFirstAdmin, makeDemoUsers } from '../src/first-users/prepare-first-users.ts';
import { identityUser } from '../src/identities/identity-user.ts';
import { createSealedSecrets } from '../src/secrets/sealed-secrets.ts';
import { openKeyring } from '../src/signing-keys/keyring.ts';
import { storedKeyModel } from '../src/signing-keys/stored-keys.ts';
import { makeResetToken } from '../src/users/reset-tokens.ts';
import { identityOf, password, type StartedAuth, startAuth } from './start-auth.ts';

let backing: FaultyMongo;
let started: StartedAuth;
beforeAll(async () => {
  backing = await createFaultyMongo('auth');
  started = await startAuth({}, backing);
});
afterAll(async () => {
  await started.stop();
  await backing.close();
});

const someEmail = () => `${randomUUID()}@example.com`;
const signedIn = (role: 'admin' | 'others') => identityOf(started).user(role);

/** The status of an API call: 503 is an outage, after which the user retries. */
async function answered(call: PromiseLike<{ status: number }>, ...expected: number[]): Promise<void> {
  const { status } = await call;
  if (status === 503) throw unavailable('503', undefined, 'mongodb');
  expect(expected).toContain(status);
}

const opens = async (email: string, secret: string) => (await started.login(email, secret)).status === 200;

const places: Record<string, () => Promise<WriteCase>> = {
  'a new user': async () => {
    const admin = await signedIn('admin');
    const email = someEmail();
    const body = { email, password, technologies: ['go'] };
    // If the response to the first try was lost, the retry reports that the user exists.
    const register = () => answered(started.call('post', '/api/auth/register', admin.token, body), 201, 409);
    return {
      calls: [register, register],
      check: async () => expect(await started.auth.users.countDocuments({ email })).toBe(1),
    };
  },
  "a user's technologies": async () => {
    const user = await signedIn('others');
    const body = { technologies: ['sql'] };
    return {
      calls: [() => answered(started.call('put', `/api/users/${user.id}`, user.token, body), 200)],
      check: async () => expect(await started.auth.users.findById(user.id).lean()).toMatchObject(body),
    };
  },
  'a sign-in': async () => {
    const email = someEmail();
    await started.add('others', email);
    const signIn = () => answered(started.login(email), 200);
    return {
      calls: [signIn, signIn],
      async check() {
        const user = await started.auth.users.findOne({ email }).lean();
        expect(user?.lastLogin).toBeInstanceOf(Date);
      },
    };
  },
  'a sign-out': async () => {
    const { token } = await signedIn('others');
    const signOut = () => answered(started.call('post', '/api/auth/logout', token), 204, 401);
    return {
      calls: [signOut, signOut],
      check: async () => void (await started.call('get', '/api/auth/me', token).expect(401)),
    };
  },
  'a changed password': async () => {
    const { email, token } = await signedIn('others');
    const body = { currentPassword: password, newPassword: 'another password' };
    // If the response to the first try was lost, the retry finds the password changed.
    const change = () => answered(started.call('post', '/api/auth/change-password', token, body), 200, 400, 401);
    return {
      calls: [change],
      async check() {
        expect(await opens(email, 'another password')).toBe(true);
        await expect.poll(async () => (await started.call('get', '/api/auth/me', token)).status).toBe(401);
      },
    };
  },
  'a password that is reset': async () => {
    const { id, email } = await signedIn('others');
    const user = await started.auth.users.findById(id).orFail();
    const token = await makeResetToken(started.auth.users, user._id, 60_000);
    const body = { token, password: 'another password' };
    const reset = () => answered(started.call('post', '/api/auth/reset-password', undefined, body), 200, 400);
    return { calls: [reset], check: async () => expect(await opens(email, 'another password')).toBe(true) };
  },
  'a deleted user': async () => {
    const [admin, user] = await Promise.all([signedIn('admin'), signedIn('others')]);
    const remove = () => answered(started.call('delete', `/api/users/${user.id}`, admin.token), 204, 404);
    return {
      calls: [remove, remove],
      async check() {
        expect(await started.auth.users.findById(user.id).lean()).toMatchObject({ email: '', eraseData: true });
        // An interrupted deletion is resumed within five seconds.
        const me = async () => (await started.call('get', '/api/auth/me', user.token)).status;
        await expect.poll(me, { interval: 500 }).toBe(401);
      },
    };
  },
  'a user of Google': async () => {
    const [key, email] = [`https://accounts.google.com/ ${randomUUID()}`, someEmail()];
    const account = { key, provider: 'Google', domains: [], profile: async () => ({ email, role: 'others' as const }) };
    const find = () => identityUser(started.auth.users, account);
    return {
      calls: [find, find],
      check: async () => expect(await started.auth.users.find({ email }).lean()).toMatchObject([{ identities: [key] }]),
    };
  },
  'the signing key, by two processes': async () => {
    await backing.mongo.collection('signing_keys').deleteMany({});
    const kids = new Set<string>();
    const { denylist, audit } = started;
    const deps = { model: storedKeyModel(backing.mongo), secrets: createSealedSecrets(undefined), denylist, audit };
    const load = async () => {
      const keyring = await openKeyring({ ...deps, log: backing.log });
      kids.add(keyring.signing().kid);
      await keyring.stop();
    };
    return {
      calls: [load, load],
      async check() {
        const stored = await backing.mongo.collection('signing_keys').find().toArray();
        expect(stored.map(({ kid }) => kid)).toEqual([...kids]);
      },
    };
  },
  'the first admin, by two processes': async () => {
    await started.auth.users.deleteMany({ role: 'admin' });
    const settings = { ADMIN_EMAIL: someEmail(), ADMIN_PASSWORD: password, PUBLIC_URL: 'http://prep.example.com' };
    const ensure = () => ensureFirstAdmin(started.auth, settings);
    return {
      calls: [ensure, ensure],
      async check() {
        expect(await started.auth.users.countDocuments({ role: 'admin' })).toBe(1);
        expect(await opens(settings.ADMIN_EMAIL, password)).toBe(true);
      },
    };
  },
  'the demonstration users, by two processes': async () => {
    const emails = ['admin@example.com', 'dev@example.com', 'candidate@example.com'];
    await backing.mongo.collection('seeds').deleteMany({});
    await started.auth.users.deleteMany({ email: trusted({ $in: emails }) });
    const make = () => makeDemoUsers(backing.mongo, started.auth, password);
    return {
      calls: [make, make],
      async check() {
        const users = await started.auth.users.find({}, 'email').lean();
        const made = users.map(({ email }) => email).filter((email) => emails.includes(email));
        expect(made.toSorted()).toEqual(emails.toSorted());
        expect(await backing.mongo.collection('seeds').countDocuments()).toBe(3);
      },
    };
  },
  'the mail about two appeals': async () => {
    const { id, email, token } = await signedIn('admin');
    await started.call('put', '/api/auth/mails', token, { appealMail: true }).expect(200);
    const announce = () => started.auth.mails.announceAppeal();
    return {
      calls: [announce, announce],
      async check() {
        expect(await backing.mongo.collection('reset_requests').countDocuments({ email })).toBe(1);
        // The next case has its own readers.
        await started.auth.users.updateOne({ _id: id }, { $unset: { appealMail: true } });
      },
    };
  },
  'two snapshots of the technologies': async () => {
    await backing.mongo.collection('known_technologies').deleteMany({});
    const { technologies } = started.auth;
    return {
      calls: [
        () => technologies.apply({ slugs: ['go', 'sql'], revision: 1 }),
        () => technologies.apply({ slugs: ['go', 'sql', 'rust'], revision: 2 }),
      ],
      check: () => technologies.require(['rust']),
    };
  },
};

describe.each(Object.entries(places))('%s', (_place, prepare) => {
  test('is stored correctly if upserts race as on a server that looks and inserts in two steps', () =>
    backing.raceUpserts(prepare));
  test.each(writeFaults)('is stored correctly if any write meets $name', async (fault) => {
    expect(await backing.failEachWrite(fault, prepare)).toBeGreaterThan(0);
  });
});
