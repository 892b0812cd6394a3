import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { beginScram, scramCredentials } from '../src/authentication/scram.ts';
import { type EmbeddedMongo, startEmbeddedMongo } from '../src/embedded-mongo.ts';
import { failure, MongoClient } from './test-server.ts';

let server: EmbeddedMongo;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
  const accounts = [
    { user: 'root', password: 'root-password', rights: { '*': 'all' } },
    { user: 'auth', password: 'auth-password', rights: { auth: 'all', audit: 'append' } },
  ] as const;
  server = await startEmbeddedMongo({ port: 0, dataDir, accounts });
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** A real driver's client. */
async function connect(user?: string, password?: string) {
  const uri = new URL(server.uri);
  uri.username = user ?? '';
  uri.password = password ?? '';
  const client = new MongoClient(uri.toString(), { serverSelectionTimeoutMS: 2000 });
  onTestFinished(() => client.close());
  return client.connect();
}
async function refusal(work: Promise<unknown>) {
  const { code, codeName, errmsg } = await failure(work);
  return { code, codeName, errmsg };
}

describe('a server with accounts', () => {
  test('lets the driver sign in with the right password, and rejects any other', async () => {
    const root = await connect('root', 'root-password');
    await root.db('auth').collection('users').insertOne({ name: 'Ada' });
    expect(await root.db('auth').collection('users').countDocuments()).toBe(1);
    const refused = { code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' };
    expect(await refusal(connect('root', 'wrong'))).toEqual(refused);
    expect(await refusal(connect('nobody', 'root-password'))).toEqual(refused);
  });

  test('answers only the handshake before authentication', async () => {
    const visitor = await connect();
    expect(await visitor.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    const unauthorized = { code: 13, codeName: 'Unauthorized', errmsg: 'Command find requires authentication' };
    expect(await refusal(visitor.db('auth').collection('users').findOne({}))).toEqual(unauthorized);
    expect((await refusal(visitor.db('admin').command({ listDatabases: 1 }))).code).toBe(13);
  });

  test('restricts an account to its own database', async () => {
    const auth = await connect('auth', 'auth-password');
    await auth
      .db('auth')
      .collection('users')
      .updateOne({ name: 'Ada' }, { $set: { role: 'admin' } });
    await auth.db('auth').collection('users').rename('people');
    await auth.db('auth').collection('people').rename('users');
    const foreign = auth.db('catalog').collection('sets');
    const errmsg = 'not authorized on catalog to execute command find';
    expect(await refusal(foreign.findOne({}))).toEqual({ code: 13, codeName: 'Unauthorized', errmsg });
    expect((await refusal(foreign.insertOne({}))).code).toBe(13);
    const stolen = { renameCollection: 'catalog.sets', to: 'auth.sets' };
    expect((await refusal(auth.db('admin').command(stolen))).code).toBe(13);
    expect((await refusal(auth.db('admin').command({ listDatabases: 1 }))).code).toBe(13);
  });

  test('lets an append-only account only read and insert', async () => {
    const entries = (await connect('auth', 'auth-password'))
      .db('audit')
      .collection<{ _id: number; text?: string }>('entries');
    // It may create a collection's indexes before the collection exists.
    await entries.createIndex({ text: 1 });
    await entries.insertOne({ _id: 1 });
    expect(await entries.find({}).toArray()).toEqual([{ _id: 1 }]);
    const attempts = [
      () => entries.updateOne({ _id: 1 }, { $set: { text: 'changed' } }),
      () => entries.findOneAndUpdate({ _id: 1 }, { $set: { text: 'changed' } }),
      () => entries.deleteOne({ _id: 1 }),
      () => entries.drop(),
      () => entries.createIndex({ text: 1 }, { expireAfterSeconds: 0 }),
      () => entries.rename('other'),
    ];
    for (const attempt of attempts) expect((await refusal(attempt())).code).toBe(13);
    expect(await entries.find({}).toArray()).toEqual([{ _id: 1 }]);
  });
});

test('rejects a SCRAM proof from another sign-in', () => {
  const credentials = scramCredentials('password');
  const first = 'n,,n=ada,r=abc';
  const exchange = beginScram(first, () => credentials)!;
  const forged = `c=biws,r=${exchange.serverFirst.slice(2).split(',')[0]},p=${Buffer.alloc(32).toString('base64')}`;
  expect(exchange.finish(forged)).toBeNull();
  expect(exchange.finish('c=biws,r=abc,p=')).toBeNull();
  expect(beginScram('y', () => credentials)).toBeNull();
});
