import type { Redis } from 'ioredis';
import { type HydratedDocument, type Model, Schema } from 'mongoose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bumpRevision, createOutbox, type Outbox, type Published, publishedFields } from '../src/outbox.ts';
import { connectProducer } from '../src/redis.ts';
import { createTestBacking, type TestBacking } from '../src/testing/backing.ts';
import { createFaultProxy } from '../src/testing/fault-proxy.ts';

interface Note extends Published {
  text: string;
  updatedAt: Date;
}

let backing: TestBacking;
let notes: Model<Note>;
let outbox: Outbox<Note> | undefined;
let told: string[];
beforeEach(async () => {
  backing = await createTestBacking('kit');
  const schema = new Schema<Note>({ text: String, ...publishedFields }, { timestamps: true });
  schema.index({ unpublished: 1 }, { sparse: true });
  notes = backing.mongo.model<Note>('Note', schema);
  await notes.createIndexes();
  told = [];
});
afterEach(async () => {
  await outbox?.stop();
  await backing.close();
});

const sayNote = async (note: HydratedDocument<Note>) => {
  told.push(`${note.text} ${note.revision}`);
};
const open = (
  emit = sayNote,
  redis: Redis = backing.redis,
  sweepMs: number | null = 50,
  thoroughMs: number | undefined = undefined,
) => {
  outbox = createOutbox<Note>({
    ...{ name: 'notes', model: notes, emit, redis, sweepMs, ...(thoroughMs ? { thoroughMs } : {}) },
    ...{ prefix: backing.settings.REDIS_PREFIX, log: backing.log },
  });
  return outbox;
};
const change = (id: unknown, text: string) =>
  notes
    .findOneAndUpdate(
      { _id: id },
      { $inc: bumpRevision.$inc, $set: { ...bumpRevision.$set, text } },
      { returnDocument: 'after' },
    )
    .orFail();
const leftOver = async () => (await notes.find({ unpublished: true }).lean()).length;
const witnessed = () =>
  expect.poll(() => backing.redis.keys(`${backing.settings.REDIS_PREFIX}:published:*`)).toHaveLength(1);

test('a change is told at once, and its time stays', async () => {
  const box = open(sayNote, backing.redis, null);
  const note = await notes.create({ text: 'a' });
  expect(await leftOver()).toBe(1);
  await box.publish(note);
  expect(told).toEqual(['a 1']);
  expect(await leftOver()).toBe(0);
  expect((await notes.findById(note._id).orFail()).updatedAt).toEqual(note.updatedAt);
});

test('a change whose process ended between the write and the telling is told later, once', async () => {
  open();
  await witnessed();
  const note = await notes.create({ text: 'a' });
  await expect.poll(() => told).toEqual(['a 1']);
  await change(note._id, 'b');
  await expect.poll(() => told).toEqual(['a 1', 'b 2']);
  await expect.poll(leftOver).toBe(0);
});

test('a telling that fails is repeated until it works, and never throws at who wrote', async () => {
  let failures = 3;
  const box = open(async (note) => {
    failures -= 1;
    if (failures >= 0) throw new Error('Redis is away');
    await sayNote(note);
  });
  await box.publish(await notes.create({ text: 'a' }));
  await expect.poll(() => told).toEqual(['a 1']);
  await expect.poll(leftOver).toBe(0);
});

test('a change that comes while the one before is told is told as well', async () => {
  let first = true;
  const box = open(async (note) => {
    await sayNote(note);
    if (!first) return;
    first = false;
    await change(note._id, 'b');
  });
  await witnessed();
  await box.publish(await notes.create({ text: 'a' }));
  await expect.poll(() => told.at(-1)).toBe('b 2');
  await expect.poll(leftOver).toBe(0);
});

test('everything is told again after Redis was emptied', async () => {
  const box = open();
  await witnessed();
  for (const text of ['a', 'b', 'c']) await box.publish(await notes.create({ text }));
  told.length = 0;
  await backing.redis.del(await backing.redis.keys(`${backing.settings.REDIS_PREFIX}:*`));
  await expect.poll(() => [...new Set(told)].sort()).toEqual(['a 1', 'b 1', 'c 1']);
});

/** Writes a note that was told before and bears an older time. */
const toldBefore = async (text: string, minutesAgo: number) => {
  const note = await notes.create({ text, unpublished: undefined });
  const updatedAt = new Date(Date.now() - minutesAgo * 60_000);
  await notes.collection.updateOne({ _id: note._id }, { $set: { updatedAt }, $unset: { unpublished: 1 } });
};

test('what Redis lost of its last seconds is told again once it is back, and what is older is not', async () => {
  const link = await createFaultProxy(backing.settings.REDIS_URL);
  const redis = await connectProducer(link.url, backing.log);
  await toldBefore('old', 30);
  const box = open(sayNote, redis);
  await witnessed();
  for (const text of ['a', 'b']) await box.publish(await notes.create({ text }));
  told.length = 0;
  link.cut();
  link.mend();
  await expect.poll(() => [...told].sort()).toEqual(['a 1', 'b 1']);
  await box.stop();
  redis.disconnect();
  await link.close();
});

test('a process that starts tells again what was told shortly before', async () => {
  await open().stop();
  await toldBefore('old', 30);
  await toldBefore('new', 0);
  await backing.redis.set(`${backing.settings.REDIS_PREFIX}:published:notes`, Date.now() - 60_000);
  open();
  await expect.poll(() => told).toEqual(['new 1']);
});

test('now and then what was written since the last time is told again', async () => {
  await toldBefore('a', 0);
  open(sayNote, backing.redis, 20, 50);
  await expect.poll(() => told.length).toBeGreaterThan(2);
  expect(new Set(told)).toEqual(new Set(['a 1']));
});

test('a change that can not be told keeps none of the others back, and is told once it can be', async () => {
  let broken = true;
  open(async (note) => {
    if (note.text === 'a' && broken) throw new Error('this note has no session');
    await sayNote(note);
  });
  await witnessed();
  for (const text of ['a', 'b', 'c']) await notes.create({ text });
  await expect.poll(() => told).toEqual(['b 1', 'c 1']);
  expect(await leftOver()).toBe(1);
  broken = false;
  await expect.poll(() => told).toEqual(['b 1', 'c 1', 'a 1']);
  await expect.poll(leftOver).toBe(0);
});

test('everything, or what was written since a time, is told when asked', async () => {
  const box = open(sayNote, backing.redis, null);
  await notes.create({ text: 'old' });
  const since = new Date(Date.now() + 1);
  await expect.poll(() => Date.now()).toBeGreaterThan(since.getTime());
  await notes.create({ text: 'new' });
  expect(await box.publishAll(since)).toBe(1);
  expect(told).toEqual(['new 1']);
  expect(await box.publishAll()).toBe(2);
  expect(told.slice(1).sort()).toEqual(['new 1', 'old 1']);
});

test('with Redis away nothing is lost: it is told when Redis is back', async () => {
  const link = await createFaultProxy(backing.settings.REDIS_URL);
  const redis = await connectProducer(link.url, backing.log);
  const box = open(async (note) => {
    await redis.ping();
    await sayNote(note);
  }, redis);
  await witnessed();
  link.cut();
  await box.publish(await notes.create({ text: 'a' }));
  expect(told).toEqual([]);
  expect(await leftOver()).toBe(1);
  link.mend();
  await expect.poll(() => told, { timeout: 10_000 }).toContain('a 1');
  await box.stop();
  redis.disconnect();
  await link.close();
});
