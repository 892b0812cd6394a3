import { Schema, Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { badRequest } from '../src/http/http-error.ts';
import { afterPlace, decodeCursor, encodeCursor } from '../src/mongo/keyset.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';

let backing: TestBacking;
beforeAll(async () => {
  backing = await createTestBacking('kit');
});
afterAll(() => backing.close());

test('a cursor decodes to the place it encodes', () => {
  for (const createdAt of [new Date(0), new Date('2026-11-20T08:30:00.123Z'), new Date(253_402_300_799_999)]) {
    const place = { createdAt, _id: new Types.ObjectId() };
    const cursor = encodeCursor(place);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(decodeCursor(cursor)).toEqual(place);
  }
});

test.each(['', 'x', 'MTIz', '../../etc/passwd', Buffer.from('1.{"$gt":""}').toString('base64url'), '%00'])(
  '%j is rejected',
  (cursor) => {
    expect(() => decodeCursor(cursor)).toThrow(
      badRequest('This cursor is not valid', [{ path: 'cursor', message: 'This cursor is not valid' }]),
    );
  },
);

test('paging by cursor returns each entry once, in order, even if many have the same time', async () => {
  interface Entry {
    _id: Types.ObjectId;
    createdAt: Date;
  }
  const schema = new Schema<Entry>({ createdAt: Date }, { collection: 'entries' });
  schema.index({ createdAt: -1, _id: -1 });
  const model = backing.mongo.model<Entry>('Entry', schema);
  const times = Array.from({ length: 50 }, (_, index) => new Date(1_700_000_000_000 + Math.floor(index / 7) * 1000));
  await model.create(times.map((createdAt) => ({ createdAt })));

  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Entry[] = await model
      .find(cursor === null ? {} : afterPlace(decodeCursor(cursor)))
      .sort({ createdAt: -1, _id: -1 })
      .limit(4)
      .lean();
    seen.push(...page.map((entry) => entry._id.toHexString()));
    const last = page.at(-1);
    cursor = last ? encodeCursor(last) : null;
  } while (cursor !== null);

  const all = await model.find().sort({ createdAt: -1, _id: -1 }).lean();
  expect(seen).toEqual(all.map((entry) => entry._id.toHexString()));
  expect(seen).toHaveLength(50);
});
