import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { type HydratedDocument, type Model, Schema } from 'mongoose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  bumpRevision,
  createOutbox,
  followChanges,
  type Outbox,
  type Published,
  publishedFields,
} from '../src/redis/outbox.ts';
import { connectProducer } from '../src/redis/redis.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';
import { createFaultProxy } from '../testing/fault-proxy.ts';

interface Note extends Published {
  text: string;
  updatedAt: Date;
}

let backing: TestBacking;
let notes: Model<Note>;
let outbox: Outbox<Note> | undefined;
let published: string[];
beforeEach(async () => {
  backing = await createTestBacking('kit');
  const schema = new Schema<Note>({ text: String, ...publishedFields }, { timestamps: true });
  followChanges(schema);
  notes = backing.mongo.model<Note>('Note', schema);
  await notes.createIndexes();
  published = [];
});
afterEach(async () => {
  await outbox?.stop();
  await backing.close();
});

async function recordEvent(note: HydratedDocument<Note>) {
  published.push(`${note.text} ${note.revision}`);
}
function open(emit = recordEvent, redis: Redis = backing.redis, sweepMs: number | null = 50, fullSweepMs?: number) {
  outbox = createOutbox<Note>({
    name: 'notes',
    model: notes,
    emit,
    redis,
    sweepMs,
    ...(fullSweepMs ? { fullSweepMs } : {}),
    prefix: backing.settings.REDIS_PREFIX,
    log: backing.log,
  });
  return outbox;
}
const change = (id: unknown, text: string) =>
  notes
    .findOneAndUpdate(
      { _id: id },
      { $inc: bumpRevision.$inc, $set: { ...bumpRevision.$set, text } },
      { returnDocument: 'after' },
    )
    .orFail();
const unpublishedCount = async () => (await notes.find({ unpublished: true }).lean()).length;
const checkpointSet = () =>
  expect.poll(() => backing.redis.exists(`${backing.settings.REDIS_PREFIX}:published:notes`)).toBe(1);

test('a change is published immediately, without changing its updatedAt', async () => {
  const box = open(recordEvent, backing.redis, null);
  const note = await notes.create({ text: 'a' });
  expect(await unpublishedCount()).toBe(1);
  await box.publish(note);
  expect(published).toEqual(['a 1']);
  expect(await unpublishedCount()).toBe(0);
  expect((await notes.findById(note._id).orFail()).updatedAt).toEqual(note.updatedAt);
});

test('the sweeper publishes a change once if its process died after the write', async () => {
  open();
  await checkpointSet();
  const note = await notes.create({ text: 'a' });
  await expect.poll(() => published).toEqual(['a 1']);
  await change(note._id, 'b');
  await expect.poll(() => published).toEqual(['a 1', 'b 2']);
  await expect.poll(unpublishedCount).toBe(0);
});

test('changes left by a bulk update are published at the next sweep', async () => {
  await publishedBefore('a', 30);
  // Without a reason, only the fifteenth sweep would run, too late for the poll below.
  open(recordEvent, backing.redis, 1100);
  await checkpointSet();
  published.length = 0;
  await notes.updateMany({}, bumpRevision);
  await expect.poll(() => published).toEqual(['a 2']);
}, 30_000);

test('without pending changes it polls rarely', async () => {
  open(recordEvent, backing.redis, 20);
  await checkpointSet();
  const gets = vi.spyOn(backing.redis, 'get');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  // Fewer than ten of about fifty sweeps.
  expect(gets.mock.calls.length).toBeLessThan(10);
  gets.mockRestore();
});

test('only one of two processes publishes everything again', async () => {
  await notes.insertMany(Array.from({ length: 50 }, (_, number) => ({ text: String(number) })));
  // Older than the margin of a full sweep.
  const updatedAt = new Date(Date.now() - 3_600_000);
  await notes.collection.updateMany({}, { $set: { updatedAt }, $unset: { unpublished: 1 } });
  const slowly = async (note: HydratedDocument<Note>) => {
    await pause(5);
    await recordEvent(note);
  };
  const first = open(slowly);
  open(slowly);
  await checkpointSet();
  await expect.poll(() => backing.redis.exists(`${backing.settings.REDIS_PREFIX}:published:notes:lease`)).toBe(0);
  await first.stop();
  await outbox?.stop();
  expect(published).toHaveLength(50);
});

test('publishing never throws, and is retried until it succeeds', async () => {
  let failures = 3;
  const box = open(async (note) => {
    failures -= 1;
    if (failures >= 0) throw new Error('Redis is down');
    await recordEvent(note);
  });
  await box.publish(await notes.create({ text: 'a' }));
  await expect.poll(() => published).toEqual(['a 1']);
  await expect.poll(unpublishedCount).toBe(0);
});

test('a change made while the previous one is being published is published too', async () => {
  let first = true;
  const box = open(async (note) => {
    await recordEvent(note);
    if (!first) return;
    first = false;
    await change(note._id, 'b');
  });
  await checkpointSet();
  await box.publish(await notes.create({ text: 'a' }));
  await expect.poll(() => published.at(-1)).toBe('b 2');
  await expect.poll(unpublishedCount).toBe(0);
});

test('everything is published again after Redis was emptied', async () => {
  const box = open();
  await checkpointSet();
  for (const text of ['a', 'b', 'c']) await box.publish(await notes.create({ text }));
  published.length = 0;
  await backing.redis.del(await backing.redis.keys(`${backing.settings.REDIS_PREFIX}:*`));
  await expect.poll(() => [...new Set(published)].sort()).toEqual(['a 1', 'b 1', 'c 1']);
});

/** Writes a note as if changed and published some minutes ago. */
async function publishedBefore(text: string, minutesAgo: number) {
  const note = await notes.create({ text, unpublished: undefined });
  const updatedAt = new Date(Date.now() - minutesAgo * 60_000);
  await notes.collection.updateOne({ _id: note._id }, { $set: { updatedAt }, $unset: { unpublished: 1 } });
}

test('after a lost connection recent changes are published again, older ones are not', async () => {
  const proxy = await createFaultProxy(backing.settings.REDIS_URL);
  const redis = await connectProducer(proxy.url, backing.log);
  await publishedBefore('old', 30);
  const box = open(recordEvent, redis);
  await checkpointSet();
  for (const text of ['a', 'b']) await box.publish(await notes.create({ text }));
  published.length = 0;
  proxy.cut();
  proxy.mend();
  await expect.poll(() => [...published].sort()).toEqual(['a 1', 'b 1']);
  await box.stop();
  redis.disconnect();
  await proxy.close();
});

test('at startup a process publishes again what was written since the checkpoint', async () => {
  await open().stop();
  await publishedBefore('old', 30);
  await publishedBefore('new', 0);
  await backing.redis.set(`${backing.settings.REDIS_PREFIX}:published:notes`, Date.now() - 60_000);
  open();
  await expect.poll(() => published).toEqual(['new 1']);
});

test('each full sweep publishes again what was written since the checkpoint', async () => {
  await publishedBefore('a', 0);
  const logged = vi.spyOn(backing.log, 'info');
  open(recordEvent, backing.redis, 20, 50);
  await expect.poll(() => published.length).toBeGreaterThan(2);
  // Only the first one is logged: a healthy product should be quiet.
  expect(logged).toHaveBeenCalledOnce();
  expect(new Set(published)).toEqual(new Set(['a 1']));
});

test('a full sweep publishes leftover changes once', async () => {
  await notes.create({ text: 'a' });
  open();
  await checkpointSet();
  expect(published).toEqual(['a 1']);
});

test('a full sweep publishes leftover changes from long before the checkpoint', async () => {
  // Every sweep is a full one.
  open(recordEvent, backing.redis, 20, 1);
  await checkpointSet();
  const yesterday = new Date(Date.now() - 86_400_000);
  await notes.insertMany([{ text: 'old', createdAt: yesterday, updatedAt: yesterday }], { timestamps: false });
  await expect.poll(() => published).toEqual(['old 1']);
});

test('a change that cannot be published does not block others, and is published once it can be', async () => {
  let broken = true;
  open(async (note) => {
    if (note.text === 'a' && broken) throw new Error('this note has no session');
    await recordEvent(note);
  });
  await checkpointSet();
  for (const text of ['a', 'b', 'c']) await notes.create({ text });
  await expect.poll(() => published).toEqual(['b 1', 'c 1']);
  expect(await unpublishedCount()).toBe(1);
  broken = false;
  await expect.poll(() => published).toEqual(['b 1', 'c 1', 'a 1']);
  await expect.poll(unpublishedCount).toBe(0);
});

test('publishAll publishes everything, or what was written since a given time', async () => {
  const box = open(recordEvent, backing.redis, null);
  await notes.create({ text: 'old' });
  const since = new Date(Date.now() + 1);
  await expect.poll(() => Date.now()).toBeGreaterThan(since.getTime());
  await notes.create({ text: 'new' });
  expect(await box.publishAll(since)).toBe(1);
  expect(published).toEqual(['new 1']);
  expect(await box.publishAll()).toBe(2);
  expect(published.slice(1).sort()).toEqual(['new 1', 'old 1']);
});

test('nothing is lost while Redis is down', async () => {
  const proxy = await createFaultProxy(backing.settings.REDIS_URL);
  const redis = await connectProducer(proxy.url, backing.log);
  const box = open(async (note) => {
    await redis.ping();
    await recordEvent(note);
  }, redis);
  await checkpointSet();
  proxy.cut();
  await box.publish(await notes.create({ text: 'a' }));
  expect(published).toEqual([]);
  expect(await unpublishedCount()).toBe(1);
  proxy.mend();
  await expect.poll(() => published, { timeout: 10_000 }).toContain('a 1');
  await box.stop();
  redis.disconnect();
  await proxy.close();
});
