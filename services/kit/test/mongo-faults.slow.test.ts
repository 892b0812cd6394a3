import { randomUUID } from 'node:crypto';
import { type Model, Schema } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unavailable } from '../src/http/http-error.ts';
import { migrate } from '../src/mongo/migrations.ts';
import { createOutbox, type Outbox, type Published, publishedFields } from '../src/redis/outbox.ts';
import { createFaultyMongo, type FaultyMongo, type WriteCase } from '../testing/faulty-mongo.ts';
import { writeFaults } from '../testing/mongo-faults.ts';

interface Note extends Published {
  text: string;
}

let backing: FaultyMongo;
let notes: Model<Note>;
let outbox: Outbox<Note>;
const published = new Map<string, number>();
beforeAll(async () => {
  backing = await createFaultyMongo('kit');
  const schema = new Schema<Note>({ text: String, ...publishedFields }, { timestamps: true });
  notes = backing.mongo.model<Note>('Note', schema);
  outbox = createOutbox<Note>({
    name: 'notes',
    model: notes,
    async emit({ text, revision }) {
      published.set(text, revision);
    },
    redis: backing.redis,
    sweepMs: 50,
    prefix: backing.settings.REDIS_PREFIX,
    log: backing.log,
  });
});
afterAll(async () => {
  await outbox.stop();
  await backing.close();
});

const places: Record<string, () => Promise<WriteCase>> = {
  'a migration, by two processes': async () => {
    for (const name of ['migrations', 'migrationLocks', 'runs']) {
      await backing.mongo.collection(name).deleteMany({});
    }
    const up = async () => void (await backing.mongo.collection('runs').updateOne({}, { $inc: { count: 1 } }));
    const migrations = [
      { name: '0001-count', up },
      { name: '0002-count', up },
    ];
    const run = (count = 1) =>
      migrate(backing.mongo, migrations.slice(0, count), backing.log, { leaseMs: 300 }).catch((error: Error) => {
        // The process would exit, and its supervisor restart it.
        throw unavailable(error.message, error, 'mongodb');
      });
    return {
      calls: [() => run(), () => run()],
      async check() {
        // If a process failed to release the lock, it expires.
        await run(2);
        const ran = await backing.mongo.collection('migrations').find().toArray();
        expect(ran.map(({ _id }) => String(_id))).toEqual(['0001-count', '0002-count']);
      },
    };
  },
  'a published change': async () => {
    const note = await notes.create({ text: randomUUID() });
    return {
      calls: [() => outbox.publish(note)],
      async check() {
        await expect.poll(async () => (await notes.findById(note._id).lean())?.unpublished).toBeUndefined();
        expect(published.get(note.text)).toBe(1);
      },
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
