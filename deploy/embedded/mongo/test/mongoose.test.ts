import type mongoose from 'mongoose';
import { Mongoose, Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure, type Loose, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
let connection: mongoose.Connection;
beforeAll(async () => {
  server = await startTestServer();
  // With Mongoose's own defaults: services change them, in tests that share this worker.
  connection = await new Mongoose().createConnection(`${server.server.uri}/app`).asPromise();
});
afterAll(async () => {
  await connection.close();
  await server.stop();
});

/** Each test gets its own model. */
async function personModel(name: string) {
  const address = new Schema({ city: String, zip: String }, { _id: false });
  const schema = new Schema(
    {
      email: { type: String, required: true, unique: true, lowercase: true },
      name: String,
      age: { type: Number, index: true },
      tags: [String],
      addresses: [address],
      settings: { type: Map, of: Number },
      friend: { type: Schema.Types.ObjectId, ref: name },
      balance: Schema.Types.Decimal128,
      visits: BigInt,
      photo: Buffer,
      key: Schema.Types.UUID,
      extra: Schema.Types.Mixed,
    },
    { timestamps: true, optimisticConcurrency: true },
  );
  schema.index({ age: -1, createdAt: -1 });
  const model = connection.model(name, schema as Loose) as unknown as mongoose.Model<Loose>;
  await model.init();
  return model;
}

describe('mongoose', () => {
  it('keeps every kind of field', async () => {
    const Person = await personModel('Types');
    const made = await Person.create({
      email: 'Ann@Example.org',
      age: 30,
      tags: ['a'],
      addresses: [{ city: 'Bonn' }],
      settings: { volume: 3 },
      balance: '10.50',
      visits: 2n ** 60n,
      photo: Buffer.from([1, 2]),
      key: '0e3ad9b5-5f7c-4bb4-9a6f-6f2c3c8d7a11',
      extra: { deep: [1, { x: null }] },
    });
    const found = (await Person.findById(made._id))!;
    expect(found.email).toBe('ann@example.org');
    expect(found.toObject()).toEqual(made.toObject());
    expect([found.balance!.toString(), found.visits, found.settings!.get('volume')]).toEqual(['10.50', 2n ** 60n, 3]);
  });

  it('builds the indexes that schemas declare, and keeps them in sync', async () => {
    const Person = await personModel('Indexed');
    expect((await Person.listIndexes()).map(({ name }) => name).sort()).toEqual([
      '_id_',
      'age_-1_createdAt_-1',
      'age_1',
      'email_1',
    ]);
    await Person.collection.createIndex({ name: 1 });
    expect(await Person.syncIndexes()).toEqual(['name_1']);
    await Person.create({ email: 'one@x.y' });
    const error = await failure(Person.create({ email: 'ONE@x.y' }));
    expect(error).toMatchObject({ code: 11000, keyPattern: { email: 1 }, keyValue: { email: 'one@x.y' } });
  });

  it('saves only changes, arrays by position, and detects a conflict by version', async () => {
    const Person = await personModel('Saved');
    const { _id } = await Person.create({
      email: 'a@b.c',
      tags: ['x', 'y', 'z'],
      addresses: [{ city: 'Bonn' }, { city: 'Ulm' }],
    });
    const [first, second] = [(await Person.findById(_id))!, (await Person.findById(_id))!];
    first.tags.set(1, 'changed');
    first.addresses[1]!.zip = '89073';
    first.tags.push('w');
    await first.save();
    second.set('name', 'late');
    expect((await failure(second.save())).name).toBe('VersionError');
    const found = (await Person.findById(_id))!;
    expect([found.tags.join(), found.addresses[1]!.zip, found.name]).toEqual(['x,changed,z,w', '89073', undefined]);
    found.addresses.pull(found.addresses[0]!);
    await found.save();
    await found.deleteOne();
    expect(await Person.exists({ _id })).toBeNull();
  });

  it('finds, populates, counts, pages and streams', async () => {
    const Person = await personModel('Found');
    const people = await Person.insertMany(
      Array.from({ length: 300 }, (_, i) => ({ email: `p${i}@x.y`, age: i % 50, tags: [i % 2 ? 'odd' : 'even'] })),
    );
    await Person.updateOne({ _id: people[0]!._id }, { friend: people[1]!._id });
    const first = await Person.findOne({ email: 'p0@x.y' })
      .populate<{ friend: { email: string } }>('friend', 'email')
      .orFail();
    expect(first.friend.email).toBe('p1@x.y');
    expect(await Person.countDocuments({ age: { $gte: 25 }, tags: 'odd' })).toBe(78);
    expect(await Person.estimatedDocumentCount()).toBe(300);
    expect(await Person.distinct('age', { age: { $lt: 3 } })).toEqual([0, 1, 2]);
    const page = await Person.find({ email: /^P1\d@/i })
      .sort('-age email')
      .skip(2)
      .limit(3)
      .select('email -_id')
      .lean();
    expect(page).toEqual([{ email: 'p17@x.y' }, { email: 'p16@x.y' }, { email: 'p15@x.y' }]);
    let streamed = 0;
    for await (const person of Person.find().sort({ age: 1 }).cursor({ batchSize: 40 }))
      streamed += person.age === undefined ? 0 : 1;
    expect(streamed).toBe(300);
    expect(await Person.where('age').gte(10).lt(12).in('tags', ['odd', 'none']).countDocuments()).toBe(6);
    await expect(Person.findOne({ email: 'nobody' }).orFail()).rejects.toThrow('No document found');
  });

  it('writes: updates, upserts, bulk, conditional moves', async () => {
    const Person = await personModel('Written');
    const upserted = await Person.findOneAndUpdate(
      { email: 'u@x.y' },
      { $set: { name: 'U' }, $setOnInsert: { age: 1 } },
      { upsert: true, returnDocument: 'after', setDefaultsOnInsert: true },
    );
    expect(upserted).toMatchObject({ email: 'u@x.y', name: 'U', age: 1 });
    const raw = await Person.findOneAndUpdate(
      { email: 'u@x.y' },
      { $inc: { age: 1 } },
      { includeResultMetadata: true },
    );
    expect(raw.lastErrorObject).toMatchObject({ n: 1, updatedExisting: true });
    const bulk = await Person.bulkWrite([
      { insertOne: { document: { email: 'b@x.y', tags: ['1', '2', '3'] } } },
      { updateOne: { filter: { email: 'b@x.y' }, update: { $set: { 'tags.1': 'two' } } } },
      { updateMany: { filter: {}, update: { $addToSet: { tags: 'all' } } } },
      { deleteOne: { filter: { email: 'u@x.y' } } },
    ]);
    expect(bulk).toMatchObject({ insertedCount: 1, modifiedCount: 3, deletedCount: 1 });
    expect((await Person.findOne({ email: 'b@x.y' }).lean())!.tags).toEqual(['1', 'two', '3', 'all']);
    const moved = await Person.updateOne({ email: 'b@x.y', age: { $exists: false } }, { age: 7 });
    const movedAgain = await Person.updateOne({ email: 'b@x.y', age: { $exists: false } }, { age: 8 });
    expect([moved.modifiedCount, movedAgain.modifiedCount]).toEqual([1, 0]);
    expect(await Person.findOneAndDelete({ email: 'b@x.y' })).toMatchObject({ age: 7 });
    const saved = await Person.bulkSave([new Person({ email: 's1@x.y' }), new Person({ email: 's2@x.y' })]);
    expect(saved.insertedCount).toBe(2);
  });

  it('aggregates, with casts in $match', async () => {
    const Person = await personModel('Grouped');
    await Person.insertMany([
      { email: 'a@x.y', age: 1, name: 'A' },
      { email: 'b@x.y', age: 2, name: 'A' },
      { email: 'c@x.y', age: 3, name: 'C' },
    ]);
    const grouped = await Person.aggregate()
      .match({ age: { $lt: 3 } })
      .group({ _id: '$name', oldest: { $max: '$age' }, count: { $sum: 1 } });
    expect(grouped).toEqual([{ _id: 'A', oldest: 2, count: 2 }]);
  });

  it('reports that transactions are not supported', async () => {
    const Person = await personModel('Transacted');
    await expect(
      connection.transaction((session) => Person.create([{ email: 't@x.y' }], { session })),
    ).rejects.toThrow();
    expect(await Person.countDocuments()).toBe(0);
  });
});
