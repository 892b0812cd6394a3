import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { deserialize, serialize } from 'bson';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, startTestServer, type TestServer } from './test-server.ts';

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

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value, 0);
  return bytes;
}

const message = (command: AnyDoc, sequences: Buffer[] = [], flags = 0, tail: Buffer = Buffer.alloc(0)): Buffer =>
  frame(2013, Buffer.concat([int32(flags), Buffer.from([0]), serialize(command), ...sequences, tail]));

function sequence(name: string, documents: AnyDoc[]): Buffer {
  const content = Buffer.concat([Buffer.from(`${name}\0`), ...documents.map((doc) => serialize(doc))]);
  return Buffer.concat([Buffer.from([1]), int32(content.length + 4), content]);
}

/** Sends bytes and reads one complete reply. */
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
  it('replies to a driver’s first hello as OP_QUERY with OP_REPLY, and reports a standalone', async () => {
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

  it('rejects any other command as OP_QUERY', async () => {
    const socket = await dial();
    const query = Buffer.concat([int32(0), Buffer.from('test.$cmd\0'), int32(0), int32(-1), serialize({ ping: 1 })]);
    const { body } = await ask(socket, frame(2004, query));
    expect(deserialize(body.subarray(20))).toMatchObject({ ok: 0, code: 352, codeName: 'UnsupportedOpQueryCommand' });
    socket.destroy();
  });

  it('accepts document sequences, several messages in one packet, and one message in many packets', async () => {
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

  it('accepts a checksum, and does not reply to a message that wants no response', async () => {
    const socket = await dial();
    expect(await askCommand(socket, message({ ping: 1, $db: 'admin' }, [], 1, int32(0)))).toEqual({ ok: 1 });
    const silent = message({ insert: 'silent', documents: [{ _id: 1 }], $db: 'test' }, [], 2);
    expect(await askCommand(socket, Buffer.concat([silent, message({ count: 'silent', $db: 'test' })]))).toEqual({
      ok: 1,
      n: 1,
    });
    socket.destroy();
  });

  it('returns an error for a document that is too large', async () => {
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
});

describe('invalid bytes', () => {
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

  it.each(broken)('%s closes only that connection', async (_title, bytes) => {
    const [victim, bystander] = await Promise.all([dial(), dial()]);
    victim.write(bytes);
    victim.resume();
    await once(victim, 'close');
    expect(await askCommand(bystander, good)).toEqual({ ok: 1 });
    bystander.destroy();
  });

  it('a truncated message, and a client that disconnects during a reply, do no harm', async () => {
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

  it('any damaged message either gets a reply or closes the connection', async () => {
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
