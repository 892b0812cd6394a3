import { randomUUID } from 'node:crypto';
import { type AuditTrail, openAuditTrail } from '@interview-prep/kit/audit/audit-trail';
import { connectMongo } from '@interview-prep/kit/mongo/mongo';
import { createJobProducer, type JobProducer } from '@interview-prep/kit/redis/job-queues';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { createMongoTap } from '@interview-prep/kit/testing/mongo-tap';
import { createTokenDenylist, type TokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import type { Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSealedSecrets, type SealedSecrets } from '../src/secrets/sealed-secrets.ts';
import { type Keyring, openKeyring } from '../src/signing-keys/keyring.ts';
import {
  type KeyCause,
  openKey,
  publishLeadMs,
  rotateSigningKey,
  type StoredKey,
  type StoredKeyModel,
  storedKeyModel,
  storeNewKey,
} from '../src/signing-keys/stored-keys.ts';

const dayMs = 24 * 3_600_000;
const plain = createSealedSecrets(undefined);

let backing: TestBacking;
let jobs: JobProducer;
let audit: AuditTrail;
let denylist: TokenDenylist;
let model: StoredKeyModel;
const connections: Connection[] = [];
const keyrings: Keyring[] = [];
beforeAll(async () => {
  backing = await createTestBacking('auth');
  const { mongo, redis, log, settings } = backing;
  jobs = createJobProducer(redis, settings.REDIS_PREFIX);
  audit = openAuditTrail({ service: 'auth', mongo, redis, jobs, prefix: settings.REDIS_PREFIX, log, sweeps: false });
  denylist = createTokenDenylist(redis, settings.REDIS_PREFIX);
  await denylist.restore([]);
  model = storedKeyModel(mongo);
});
beforeEach(() => model.deleteMany({}));
afterEach(async () => {
  await Promise.all(keyrings.splice(0).map((keyring) => keyring.stop()));
  await Promise.all(connections.splice(0).map((connection) => connection.close(true)));
});
afterAll(async () => {
  await audit.stop();
  await jobs.close();
  await backing.close();
});

/** A keyring as in a separate process, with its own connection. */
async function open(
  options: { now?: () => number; secrets?: SealedSecrets; rotationDays?: number; mongoUri?: string } = {},
): Promise<Keyring> {
  const { now, secrets = plain, rotationDays = 90, mongoUri = backing.settings.MONGODB_URI } = options;
  const connection = await connectMongo({ ...backing.settings, MONGODB_URI: mongoUri }, 'auth', backing.log);
  connections.push(connection);
  const deps = { secrets, denylist, audit, log: backing.log, rotationDays, now, pollMs: 500 };
  const keyring = await openKeyring({ ...deps, model: storedKeyModel(connection) });
  keyrings.push(keyring);
  return keyring;
}

const stored = () => model.find().sort({ _id: 1 }).lean<StoredKey[]>();
const publishedKids = (keyring: Keyring) => keyring.published().map(({ kid }) => kid);

/** Stores keys created this many days ago. */
async function storeKeys(ages: readonly { days: number; cause: KeyCause }[], nowMs: number): Promise<StoredKey[]> {
  for (const [latest, { days, cause }] of ages.entries()) {
    await storeNewKey(model, { latest, cause, nowMs: nowMs - days * dayMs }, plain);
  }
  await model.updateMany({}, { $unset: { auditEvent: 1 } });
  return stored();
}

test('an installation has one signing key, even if several processes start together', async () => {
  const opened = await Promise.all(Array.from({ length: 4 }, () => open()));
  opened.push(await open());
  expect(new Set(opened.map((keyring) => keyring.signing().kid)).size).toBe(1);
  expect(await stored()).toHaveLength(1);
});

test('KEY_ENCRYPTION_KEY encrypts the signing key, also an existing one; another key cannot decrypt it', async () => {
  const before = (await open()).signing();
  const { d } = before.privateKey.export({ format: 'jwk' });
  expect(JSON.stringify(await stored())).toContain(d);
  const secrets = createSealedSecrets('k'.repeat(32));
  for (const _ of ['encrypts it', 'reads it']) {
    const key = (await open({ secrets })).signing();
    expect([key.kid, key.privateKey.equals(before.privateKey)]).toEqual([before.kid, true]);
    await expect.poll(async () => JSON.stringify(await stored())).not.toContain(d);
  }
  const refusal = { setting: 'KEY_ENCRYPTION_KEY' };
  for (const wrong of [createSealedSecrets('x'.repeat(32)), plain]) {
    await expect(open({ secrets: wrong })).rejects.toMatchObject(refusal);
    await expect(rotateSigningKey(model, wrong, 'revocation')).rejects.toMatchObject(refusal);
  }
  expect(await stored()).toHaveLength(1);
  await rotateSigningKey(model, secrets, 'command');
  const [, next] = await stored();
  expect(next?.privateJwk).toMatch(/^sealed1:/);
  expect(openKey(next?.privateJwk ?? '', secrets)).toHaveProperty('d');
});

test('after a change of KEY_ENCRYPTION_KEY, everything is encrypted again', async () => {
  const [old, next] = ['k', 'n'].map((letter) => letter.repeat(32)) as [string, string];
  const { kid } = (await open({ secrets: createSealedSecrets(old) })).signing();
  await expect(open({ secrets: createSealedSecrets(next) })).rejects.toMatchObject({ setting: 'KEY_ENCRYPTION_KEY' });
  expect((await open({ secrets: createSealedSecrets(next, old) })).signing().kid).toBe(kid);
  const opens = async () => {
    const [key] = await stored();
    return Boolean(openKey(key?.privateJwk ?? '', createSealedSecrets(next)));
  };
  await expect.poll(() => opens().catch(() => false)).toBe(true);
  expect((await open({ secrets: createSealedSecrets(next) })).signing().kid).toBe(kid);
});

describe('key rotation', () => {
  test('publishes the new key before using it; the old one is accepted until its last token has expired', async () => {
    let nowMs = Date.now();
    const processes = await Promise.all([open({ now: () => nowMs }), open({ now: () => nowMs })]);
    const [old] = publishedKids(processes[0] as Keyring);
    const { kid } = await rotateSigningKey(model, plain, 'command');
    for (const keyring of processes) {
      await expect.poll(() => publishedKids(keyring), { timeout: 5000 }).toEqual([old, kid]);
      expect(keyring.signing().kid).toBe(old);
    }
    nowMs = Date.now() + publishLeadMs + 1000;
    for (const keyring of processes) expect(keyring.signing().kid).toBe(kid);

    // The private half is deleted first.
    nowMs += 61_000;
    await expect.poll(async () => (await stored()).map((key) => key.privateJwk !== undefined)).toEqual([false, true]);
    nowMs += 30 * dayMs - 120_000;
    for (const keyring of processes) expect(keyring.find(old)).toBeDefined();
    nowMs += 120_000;
    await expect.poll(async () => (await stored()).map((key) => key.kid), { timeout: 5000 }).toEqual([kid]);
    for (const keyring of processes) {
      await expect.poll(() => publishedKids(keyring), { timeout: 5000 }).toEqual([kid]);
      expect(keyring.find(old)).toBeUndefined();
    }
  });

  test('happens by age, once for all processes; 0 days means never', async () => {
    const nowMs = Date.now();
    await storeKeys([{ days: 91, cause: 'first' }], nowMs);
    await open({ rotationDays: 0 });
    expect(await stored()).toHaveLength(1);
    const opened = await Promise.all(Array.from({ length: 4 }, () => open()));
    expect(new Set(opened.map((keyring) => keyring.signing().kid)).size).toBe(1);
    expect((await stored()).map(({ cause }) => cause)).toEqual(['first', 'age']);
  });

  test('by two concurrent commands creates two keys', async () => {
    await open();
    await Promise.all([rotateSigningKey(model, plain, 'command'), rotateSigningKey(model, plain, 'command')]);
    expect((await stored()).map(({ _id }) => _id)).toEqual([1, 2, 3]);
  });

  test.each([
    {
      of: 'by age',
      ages: [
        { days: 150, cause: 'first' },
        { days: 95, cause: 'age' },
      ],
      left: [2, 3],
      cuts: 3,
    },
    {
      of: 'that is over',
      ages: [
        { days: 40, cause: 'first' },
        { days: 1, cause: 'command' },
      ],
      left: [1, 2],
      cuts: 1,
    },
    {
      of: 'by a revocation',
      ages: [
        { days: 40, cause: 'first' },
        { days: 1, cause: 'command' },
      ],
      revokes: true,
      left: [1, 2, 3],
      cuts: 3,
    },
  ] as const)('$of completes, wherever a process is killed', async ({ ages, left, cuts, ...rest }) => {
    const revokes = 'revokes' in rest;
    let cutAt = 0;
    for (let wasCut = true; wasCut; cutAt += wasCut ? 1 : 0) {
      await model.deleteMany({});
      const nowMs = Date.now();
      const keys = await storeKeys(ages, nowMs);
      if (revokes) await rotateSigningKey(model, plain, 'revocation');

      const tap = await createMongoTap(backing.settings.MONGODB_URI);
      let writes = 0;
      const hold = tap.hold(
        (command) => ['insert', 'update', 'delete'].some((name) => name in command) && writes++ === cutAt,
      );
      const opening = open({ mongoUri: tap.uri });
      const settled = opening.then((keyring) => keyring.stop()).catch(() => {});
      wasCut = await Promise.race([hold.reached.then(() => true), settled.then(() => false)]);
      tap.close();
      for (const connection of connections.splice(0)) await connection.close(true);
      await settled;

      const keyring = await open();
      await expect.poll(async () => (await stored()).map(({ _id }) => _id)).toEqual(left);
      await expect
        .poll(async () => (await stored()).map(({ privateJwk, auditEvent }) => [privateJwk !== undefined, auditEvent]))
        .toEqual(left.map((id) => [revokes ? id === 3 : id >= 2, undefined]));
      const end = await stored();
      expect(keyring.signing().kid).toBe(end.find(({ _id }) => _id === (revokes ? 3 : 2))?.kid);
      if (revokes) {
        expect(publishedKids(keyring)).toEqual([end.at(-1)?.kid]);
        for (const { kid } of keys) {
          expect(await denylist.hasEnded({ sub: 'u', jti: randomUUID(), iat: Date.now() / 1000, kid })).toBe(true);
        }
      }
      const target = `signing-key:${end.at(-1)?.kid}`;
      const events = await backing.mongo.collection('audit_outbox').find({ target }).toArray();
      expect(events).toHaveLength(ages.length < end.at(-1)!._id ? 1 : 0);
      await keyring.stop();
    }
    // The driver may have retried a write.
    expect(cutAt).toBeGreaterThanOrEqual(cuts);
  });
});
