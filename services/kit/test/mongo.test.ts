import { Schema } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectMongo } from '../src/mongo/mongo.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';
import { createMongoTap } from '../testing/mongo-tap.ts';

const writing = new Set(['insert', 'update', 'delete', 'findAndModify', 'createIndexes', 'drop']);

let backing: TestBacking;
beforeAll(async () => {
  backing = await createTestBacking('kit');
});
afterAll(() => backing.close());

test('every kind of write is acknowledged only once it is in the journal', async () => {
  const tap = await createMongoTap(backing.settings.MONGODB_URI);
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
