import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('commands', () => {
  const refusals: [title: string, command: AnyDoc, code: number, codeName: string][] = [
    ['one that does not exist', { makeCoffee: 1 }, 59, 'CommandNotFound'],
    ['a real one that is not done here', { mapReduce: 'c' }, 59, 'CommandNotFound'],
    ['the name of a method of every object', { constructor: 1 }, 59, 'CommandNotFound'],
    ['an unknown field', { find: 'c', fliter: {} }, 40415, 'IDLUnknownField'],
    ['a real option that is not done here', { find: 'c', tailable: true }, 115, 'CommandNotSupported'],
    ['a transaction', { find: 'c', txnNumber: 1, startTransaction: true, autocommit: false }, 20, 'IllegalOperation'],
    ['a collection without a name', { find: '' }, 73, 'InvalidNamespace'],
    ['a collection that is a number', { find: 5 }, 73, 'InvalidNamespace'],
    ['a negative limit', { find: 'c', limit: -5 }, 51024, 'Location51024'],
    ['an empty batch', { insert: 'c', documents: [] }, 16, 'InvalidLength'],
    ['a change stream', { aggregate: 'c', pipeline: [{ $changeStream: {} }], cursor: {} }, 40573, 'Location40573'],
  ];
  it.each(refusals)('refuse %s', async (_title, command, code, codeName) => {
    expect(await failure(server.client.db('test').command(command))).toMatchObject({ code, codeName });
  });

  it('describe the server', async () => {
    const admin = server.client.db('admin');
    expect(await admin.command({ buildInfo: 1 })).toMatchObject({
      ok: 1,
      version: '8.0.0',
      modules: ['embedded-mongo'],
    });
  });

  it('count their own executions', async () => {
    const counted = async () => (await server.client.db('admin').command({ serverStatus: 1 })).metrics.commands;
    const before = await counted();
    await server.client.db('test').command({ ping: 1 });
    const after = await counted();
    expect(after.ping.total - (before.ping?.total ?? 0)).toBe(1);
    expect(after.serverStatus.total - before.serverStatus.total).toBe(1);
  });

  it('accept sessions, read preferences and write concerns, and reject transactions with code 20', async () => {
    const collection = await server.fresh([{ _id: 1 }]);
    const session = server.client.startSession();
    await collection.insertOne({ _id: 2 }, { session, writeConcern: { w: 'majority', j: true } });
    expect(await collection.find({}, { session, readPreference: 'primaryPreferred' }).toArray()).toHaveLength(2);
    const transaction = session.withTransaction(() => collection.insertOne({ _id: 3 }, { session }));
    // The driver prefixes this error with text of its own.
    expect((await failure(transaction)).originalError).toMatchObject({ code: 20, codeName: 'IllegalOperation' });
    await session.endSession();
    expect(await collection.countDocuments()).toBe(2);
  });
});
