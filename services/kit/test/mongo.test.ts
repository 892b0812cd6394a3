import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import mongoose, { Schema } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectMongo } from '../src/mongo.ts';
import { createTestBacking, type TestBacking } from '../src/testing/backing.ts';

const { BSON } = mongoose.mongo;
const writing = new Set(['insert', 'update', 'delete', 'findAndModify', 'createIndexes', 'drop']);
const messageHeader = 16;
const opMsg = 2013;

let backing: TestBacking;
beforeAll(async () => {
  backing = await createTestBacking('kit');
});
afterAll(() => backing.close());

/** Passes everything on to MongoDB, and notes the commands that go by: OP_MSG's first section is the command. */
async function tapMongo(uri: string) {
  const commands: mongoose.mongo.BSON.Document[] = [];
  const target = new URL(uri);
  const server = createServer((near) => {
    const far = connect(Number(target.port || 27017), target.hostname);
    let unread: Buffer = Buffer.alloc(0);
    near.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      while (unread.length >= messageHeader && unread.length >= unread.readInt32LE(0)) {
        const message = unread.subarray(0, unread.readInt32LE(0));
        unread = unread.subarray(message.length);
        if (message.readInt32LE(12) !== opMsg) continue;
        const command = message.subarray(messageHeader + 5);
        commands.push(BSON.deserialize(command.subarray(0, command.readInt32LE(0))));
      }
    });
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const own = new URL(uri);
  own.hostname = '127.0.0.1';
  own.port = String((server.address() as AddressInfo).port);
  return { uri: own.toString(), commands, close: () => server.close() };
}

test('each kind of write is answered only once it is in the journal', async () => {
  const tap = await tapMongo(backing.settings.MONGODB_URI);
  const mongo = await connectMongo({ ...backing.settings, MONGODB_URI: tap.uri }, 'kit', backing.log);
  const notes = mongo.model('Note', new Schema({ text: String }).index({ text: 1 }), 'notes');

  await notes.createIndexes();
  const note = await notes.create({ text: 'a' });
  note.text = 'b';
  await note.save();
  await notes.insertMany([{ text: 'c' }, { text: 'd' }]);
  await notes.updateOne({ text: 'c' }, { $set: { text: 'e' } }, { upsert: true, timestamps: false });
  await notes.updateMany({}, { $set: { text: 'f' } });
  await notes.findOneAndUpdate({}, { $set: { text: 'g' } }, { returnDocument: 'after' });
  await notes.findOneAndDelete({ text: 'g' });
  await notes.bulkWrite([{ insertOne: { document: { text: 'h' } } }, { deleteOne: { filter: { text: 'h' } } }]);
  await notes.deleteOne({ text: 'f' });
  await notes.deleteMany({});
  await notes.collection.drop();

  const written = tap.commands
    .map((command) => ({ name: Object.keys(command)[0] ?? '', concern: command.writeConcern }))
    .filter(({ name }) => writing.has(name));
  expect(new Set(written.map(({ name }) => name))).toEqual(writing);
  for (const { name, concern } of written) expect({ name, ...concern }).toEqual({ name, w: 'majority', j: true });
  await mongo.close();
  tap.close();
});
