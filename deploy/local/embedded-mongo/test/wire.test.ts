import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { deserialize, Long, serialize } from 'bson';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cursors } from '../src/cursors.ts';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function dial(): Promise<Socket> {
  const socket = connect(server.server.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

function frame(opcode: number, body: Buffer, length = 16 + body.length): Buffer {
  const header = Buffer.alloc(16);
  header.writeInt32LE(length, 0);
  header.writeInt32LE(77, 4);
  header.writeInt32LE(opcode, 12);
  return Buffer.concat([header, body]);
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value, 0);
  return bytes;
};

const message = (command: AnyDoc, sequences: Buffer[] = [], flags = 0, tail: Buffer = Buffer.alloc(0)): Buffer =>
  frame(2013, Buffer.concat([int32(flags), Buffer.from([0]), serialize(command), ...sequences, tail]));

function sequence(name: string, documents: AnyDoc[]): Buffer {
  const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((doc) => serialize(doc))]);
  return Buffer.concat([Buffer.from([1]), int32(content.length + 4), content]);
}

/** Sends bytes and reads one whole answer. */
async function ask(socket: Socket, bytes: Buffer): Promise<{ header: number[]; body: Buffer }> {
  socket.write(bytes);
  let received: Buffer = Buffer.alloc(0);
  while (received.length < 4 || received.length < received.readInt32LE(0)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    received = Buffer.concat([received, chunk]);
  }
  return { header: [0, 4, 8, 12].map((at) => received.readInt32LE(at)), body: received.subarray(16) };
}

const askCommand = async (socket: Socket, bytes: Buffer): Promise<AnyDoc> =>
  deserialize((await ask(socket, bytes)).body.subarray(5));

describe('the protocol', () => {
  it('answers a driver’s first hello as OP_QUERY by OP_REPLY, and tells of a standalone', async () => {
    const socket = await dial();
    const query = Buffer.concat([
      int32(0),
      Buffer.from('admin.$cmd\0'),
      int32(0),
      int32(-1),
      serialize({ ismaster: 1, helloOk: true }),
    ]);
    const { header, body } = await ask(socket, frame(2004, query));
    expect(header.slice(2)).toEqual([77, 1]);
    const reply = deserialize(body.subarray(20));
    expect(reply).toMatchObject({
      ok: 1,
      ismaster: true,
      isWritablePrimary: true,
      helloOk: true,
      maxBsonObjectSize: 16777216,
    });
    expect(reply).not.toHaveProperty('setName');
    expect(reply).not.toHaveProperty('compression');
    socket.destroy();
  });

  it('refuses any other command as OP_QUERY', async () => {
    const socket = await dial();
    const query = Buffer.concat([int32(0), Buffer.from('test.$cmd\0'), int32(0), int32(-1), serialize({ ping: 1 })]);
    const { body } = await ask(socket, frame(2004, query));
    expect(deserialize(body.subarray(20))).toMatchObject({ ok: 0, code: 352, codeName: 'UnsupportedOpQueryCommand' });
    socket.destroy();
  });

  it('takes document sequences, several messages in one packet, and one message in many', async () => {
    const socket = await dial();
    const insert = message({ insert: 'sequences', $db: 'test' }, [sequence('documents', [{ _id: 1 }, { _id: 2 }])]);
    expect(await askCommand(socket, insert)).toMatchObject({ ok: 1, n: 2 });
    const update = message({ update: 'sequences', $db: 'test' }, [
      sequence('updates', [
        { q: { _id: 1 }, u: { $set: { a: 1 } } },
        { q: { _id: 3 }, u: { $set: { a: 1 } }, upsert: true },
      ]),
    ]);
    expect(await askCommand(socket, update)).toMatchObject({ n: 2, nModified: 1, upserted: [{ index: 1, _id: 3 }] });
    const ping = message({ ping: 1, $db: 'admin' });
    const { body } = await ask(socket, Buffer.concat([ping, ping.subarray(0, 10)]));
    expect(deserialize(body.subarray(5))).toEqual({ ok: 1 });
    expect(await askCommand(socket, ping.subarray(10))).toEqual({ ok: 1 });
    for (const byte of ping.subarray(0, -1)) socket.write(Buffer.from([byte]));
    expect(await askCommand(socket, ping.subarray(-1))).toEqual({ ok: 1 });
    socket.destroy();
  });

  it('takes a checksum, and answers nothing to a message that wants no answer', async () => {
    const socket = await dial();
    expect(await askCommand(socket, message({ ping: 1, $db: 'admin' }, [], 1, int32(0)))).toEqual({ ok: 1 });
    const silent = message({ insert: 'silent', documents: [{ _id: 1 }], $db: 'test' }, [], 2);
    expect(await askCommand(socket, Buffer.concat([silent, message({ count: 'silent', $db: 'test' })]))).toEqual({
      ok: 1,
      n: 1,
    });
    socket.destroy();
  });
});

describe('bytes that are no protocol', () => {
  const good = message({ ping: 1, $db: 'admin' });
  const broken: [title: string, bytes: Buffer][] = [
    ['text', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
    ['a giant length', frame(2013, Buffer.alloc(10), 0x7fffffff)],
    ['a negative length', frame(2013, Buffer.alloc(10), -5)],
    ['a length below the header', frame(2013, Buffer.alloc(0), 3)],
    ['an unknown opcode', frame(1234, Buffer.alloc(30))],
    ['compression, which was not agreed', frame(2012, Buffer.alloc(30))],
    ['flags that must be understood', message({ ping: 1, $db: 'admin' }, [], 4)],
    ['a section kind that does not exist', frame(2013, Buffer.from([0, 0, 0, 0, 7, 5, 0, 0, 0, 0]))],
    ['no body', frame(2013, Buffer.from([0, 0, 0, 0]))],
    [
      'a document longer than the message',
      frame(2013, Buffer.concat([int32(0), Buffer.from([0]), int32(5000), Buffer.alloc(20)])),
    ],
    [
      'a document whose insides are broken',
      frame(
        2013,
        Buffer.concat([int32(0), Buffer.from([0]), int32(12), Buffer.from([2, 97, 0, 255, 255, 255, 127, 0])]),
      ),
    ],
    [
      'a sequence without an end to its name',
      frame(
        2013,
        Buffer.concat([
          int32(0),
          Buffer.from([0]),
          serialize({ insert: 'a', $db: 'test' }),
          Buffer.from([1, 8, 0, 0, 0, 65, 65, 65, 65]),
        ]),
      ),
    ],
    ['an empty packet of header and nothing', frame(2013, Buffer.alloc(0))],
  ];

  it.each(broken)('%s ends that connection only', async (_title, bytes) => {
    const [victim, bystander] = await Promise.all([dial(), dial()]);
    victim.write(bytes);
    victim.resume();
    await once(victim, 'close');
    expect(await askCommand(bystander, good)).toEqual({ ok: 1 });
    bystander.destroy();
  });

  it('a message that breaks off, and a client that leaves while it is answered', async () => {
    await server.fresh([{ _id: 1, big: 'x'.repeat(5_000_000) }]);
    const truncated = await dial();
    truncated.end(good.subarray(0, 20));
    const impatient = await dial();
    impatient.write(message({ find: 'c1', $db: 'test' }));
    impatient.destroy();
    const bystander = await dial();
    expect(await askCommand(bystander, good)).toEqual({ ok: 1 });
    bystander.destroy();
  });

  it('any damage to a message is either answered or ends the connection', async () => {
    const whole = message({ find: 'c1', filter: { a: { $in: [1, 'x', { b: [null] }] } }, $db: 'test' });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 5), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (damage) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of damage) bytes[at + 4] = value;
          const socket = await dial();
          socket.on('error', () => socket.destroy());
          const answered = once(socket, 'data').then(
            () => 'answered',
            () => 'ended',
          );
          const ended = once(socket, 'close').then(() => 'ended');
          socket.end(bytes);
          expect(['answered', 'ended']).toContain(await Promise.race([answered, ended]));
          socket.destroy();
        },
      ),
      { numRuns: 200 },
    );
    expect(await server.client.db('test').command({ ping: 1 })).toEqual({ ok: 1 });
  });
});

describe('commands', () => {
  const refusals: [title: string, command: AnyDoc, code: number, codeName: string][] = [
    ['one that does not exist', { makeCoffee: 1 }, 59, 'CommandNotFound'],
    ['a real one that is not done here', { mapReduce: 'c' }, 59, 'CommandNotFound'],
    ['the name of a method of every object', { constructor: 1 }, 59, 'CommandNotFound'],
    ['an unknown field', { find: 'c', fliter: {} }, 40415, 'Location40415'],
    ['a real option that is not done here', { find: 'c', tailable: true }, 115, 'CommandNotSupported'],
    ['a transaction', { find: 'c', txnNumber: 1, startTransaction: true, autocommit: false }, 20, 'IllegalOperation'],
    ['a collection without a name', { find: '' }, 73, 'InvalidNamespace'],
    ['a collection that is a number', { find: 5 }, 73, 'InvalidNamespace'],
    ['a negative limit', { find: 'c', limit: -5 }, 51024, 'Location51024'],
    ['a snapshot', { find: 'c', readConcern: { level: 'snapshot' } }, 123, 'NotAReplicaSet'],
    [
      'an acknowledgement by others',
      { delete: 'c', deletes: [{ q: {}, limit: 1 }], writeConcern: { w: 2 } },
      2,
      'BadValue',
    ],
    ['an empty batch', { insert: 'c', documents: [] }, 16, 'InvalidLength'],
    ['a change stream', { aggregate: 'c', pipeline: [{ $changeStream: {} }], cursor: {} }, 40573, 'Location40573'],
  ];
  it.each(refusals)('refuse %s', async (_title, command, code, codeName) => {
    expect(await failure(server.client.db('test').command(command))).toMatchObject({ code, codeName });
  });

  it('say what the server is', async () => {
    const admin = server.client.db('admin');
    expect(await admin.command({ buildInfo: 1 })).toMatchObject({
      ok: 1,
      version: '8.0.0',
      modules: ['embedded-mongo'],
    });
    expect(await admin.command({ connectionStatus: 1 })).toMatchObject({ ok: 1 });
    expect(await admin.command({ serverStatus: 1 })).toMatchObject({ process: 'embedded-mongo' });
  });

  it('take sessions, read preferences and write concerns, and refuse transactions with code 20', async () => {
    const collection = await server.fresh([{ _id: 1 }]);
    const session = server.client.startSession();
    await collection.insertOne({ _id: 2 }, { session, writeConcern: { w: 'majority', j: true } });
    expect(await collection.find({}, { session, readPreference: 'primaryPreferred' }).toArray()).toHaveLength(2);
    const transaction = session.withTransaction(() => collection.insertOne({ _id: 3 }, { session }));
    // The driver puts a text of its own before this error.
    expect((await failure(transaction)).originalError).toMatchObject({ code: 20, codeName: 'IllegalOperation' });
    await session.endSession();
    expect(await collection.countDocuments()).toBe(2);
  });
});

/** The driver turns a small int64 into a number. */
const idOf = (cursor: AnyDoc): Long => Long.fromNumber(Number(cursor.id));

describe('cursors', () => {
  it('give 101 documents first, then as many as asked, and end when drained', async () => {
    const collection = await server.fresh(Array.from({ length: 250 }, (_, _id) => ({ _id })));
    const db = server.client.db('test');
    const { cursor } = await db.command({ find: collection.collectionName });
    expect(cursor.firstBatch).toHaveLength(101);
    const more = await db.command({ getMore: idOf(cursor), collection: collection.collectionName, batchSize: 100 });
    expect(more.cursor.nextBatch).toHaveLength(100);
    const last = await db.command({ getMore: idOf(cursor), collection: collection.collectionName });
    expect(last.cursor.nextBatch).toHaveLength(49);
    expect(last.cursor.id.toString()).toBe('0');
    expect(await failure(db.command({ getMore: idOf(cursor), collection: collection.collectionName }))).toMatchObject({
      code: 43,
      codeName: 'CursorNotFound',
    });
  });

  it('take an empty first batch, a single batch, and a limit', async () => {
    const collection = await server.fresh(Array.from({ length: 5 }, (_, _id) => ({ _id })));
    const db = server.client.db('test');
    const find = { find: collection.collectionName };
    const { cursor } = await db.command({ ...find, batchSize: 0 });
    expect(cursor.firstBatch).toEqual([]);
    expect(
      (await db.command({ getMore: idOf(cursor), collection: collection.collectionName })).cursor.nextBatch,
    ).toHaveLength(5);
    const single = await db.command({ ...find, limit: 2, singleBatch: true });
    expect(single.cursor.firstBatch).toHaveLength(2);
    expect(single.cursor.id.toString()).toBe('0');
  });

  it('are killed, and die with their collection', async () => {
    const documents = Array.from({ length: 200 }, (_, _id) => ({ _id }));
    const db = server.client.db('test');
    const collection = await server.fresh(documents);
    const name = collection.collectionName;
    const { cursor } = await db.command({ find: name });
    expect(await db.command({ killCursors: name, cursors: [idOf(cursor)] })).toMatchObject({
      cursorsKilled: [cursor.id],
    });
    expect(await failure(db.command({ getMore: idOf(cursor), collection: name }))).toMatchObject({ code: 43 });
    const other = (await db.command({ find: name })).cursor;
    await collection.drop();
    expect(await failure(db.command({ getMore: idOf(other), collection: name }))).toMatchObject({
      code: 175,
      codeName: 'QueryPlanKilled',
    });
  });

  it('are forgotten after ten minutes of rest, unless asked to stay', () => {
    const cursors = new Cursors();
    const documents = Array.from({ length: 3 }, (_, n) => Buffer.from(serialize({ n })));
    const [brief, patient] = [
      cursors.start('a.b', documents, { batchSize: 1 }),
      cursors.start('a.b', documents, { batchSize: 1, neverExpires: true }),
    ];
    cursors.expire(Date.now() + 9 * 60_000);
    expect(cursors.next(brief.id, 'a.b', 1).documents).toHaveLength(1);
    cursors.expire(Date.now() + 11 * 60_000);
    expect(() => cursors.next(brief.id, 'a.b')).toThrow('not found');
    expect(cursors.next(patient.id, 'a.b').documents).toHaveLength(2);
    expect(cursors.size).toBe(0);
  });

  it('carry no more than 16 MB in a batch', async () => {
    const collection = await server.fresh();
    for (let _id = 0; _id < 5; _id++) await collection.insertOne({ _id, big: 'x'.repeat(6_000_000) });
    const { cursor } = await server.client.db('test').command({ find: collection.collectionName });
    expect(cursor.firstBatch).toHaveLength(2);
    expect((await collection.find().toArray()).map(({ _id }) => _id)).toEqual([0, 1, 2, 3, 4]);
  });

  it('read on while others write, without a repetition', async () => {
    const collection = await server.fresh(Array.from({ length: 300 }, (_, n) => ({ _id: n, n })));
    await collection.createIndex({ n: 1 });
    const seen: number[] = [];
    for await (const doc of collection
      .find({ n: { $gte: 0 } })
      .sort({ n: 1 })
      .batchSize(50)) {
      seen.push(doc._id);
      await collection.deleteOne({ _id: doc._id });
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, n) => n));
    expect(await collection.countDocuments()).toBe(0);
  });

  it('refuse a document that is too large', async () => {
    const socket = await dial();
    const raw = serialize({ a: 'x'.repeat(16 * 1024 * 1024 - 10) });
    const documents = Buffer.concat([Buffer.from('documents\0'), raw]);
    const section = Buffer.concat([Buffer.from([1]), int32(documents.length + 4), documents]);
    expect(await askCommand(socket, message({ insert: 'large', $db: 'test' }, [section]))).toMatchObject({
      n: 0,
      writeErrors: [{ index: 0, code: 10334 }],
    });
    socket.destroy();
  });

  it('refuse to build one', async () => {
    const collection = await server.fresh();
    for (let _id = 0; _id < 3; _id++) await collection.insertOne({ _id, big: String(_id).repeat(7_000_000) });
    const pushed = collection.aggregate([{ $group: { _id: null, all: { $push: '$big' } } }]).toArray();
    expect(await failure(pushed)).toMatchObject({ code: 10334 });
    expect(await failure(collection.distinct('big'))).toMatchObject({ code: 10334 });
  });
});
