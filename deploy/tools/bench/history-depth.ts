import { join } from 'node:path';
import { encodeCursor } from '@interview-prep/kit/mongo/keyset';
import { buildIndexes, connectMongo } from '@interview-prep/kit/mongo/mongo';
import { createLogger } from '@interview-prep/kit/process/logger';
import { Types } from 'mongoose';
import { historyModels } from '../../../services/history/src/projection/model.ts';
import { type Measure, quantile, timed } from './measure.ts';
import { startOwnHistory } from './own-history.ts';

const sizes = { small: 1000, large: 1_000_000 };
const requests = 200;
const users = 200;
const technologies = ['JavaScript', 'TypeScript', 'React', 'SQL', 'Python'];
const pageSize = 100;
const batchSize = 5000;
const newest = Date.parse('2026-06-01T00:00:00Z');
const log = createLogger('bench', 'warn');

/** Fills a history database with sessions one minute apart, and returns the cursor of the deepest page. */
async function fill(uri: string, prefix: string, count: number): Promise<string> {
  const mongo = await connectMongo({ MONGODB_URI: uri, MONGODB_PREFIX: prefix }, 'history', log);
  const models = historyModels(mongo);
  await buildIndexes(mongo);
  const userIds = Array.from({ length: users }, () => new Types.ObjectId().toHexString());
  const totals = new Map<string, number>();
  let cursor = '';
  for (let start = 0; start < count; start += batchSize) {
    const batch = Array.from({ length: Math.min(batchSize, count - start) }, (_, offset) => {
      const index = start + offset;
      const userId = userIds[index % users] ?? '';
      const technology = technologies[index % technologies.length] ?? '';
      const createdAt = new Date(newest - index * 60_000);
      const _id = new Types.ObjectId();
      totals.set(`${userId} ${technology}`, (totals.get(`${userId} ${technology}`) ?? 0) + 1);
      if (index === count - pageSize - 1) cursor = encodeCursor({ createdAt, _id });
      const user = { email: `user${index % users}@example.com`, role: 'others', lastLogin: null };
      return {
        _id,
        userId,
        technology,
        createdAt,
        user,
        sessionId: _id.toHexString(),
        kind: 'interview',
        listKind: 'interview',
        setId: _id.toHexString(),
        title: 'Closures',
        revision: 1,
        questions: ['What is a closure?', 'What is hoisting?'],
        expertAnswers: ['A function with its scope.', ''],
        answeredCount: 2,
        pendingCount: 0,
        averageCorrectness: 70,
        countsRevision: 2,
      };
    });
    await models.sessions.collection.insertMany(batch);
  }
  await models.totals.collection.insertMany(
    [...totals].map(([key, total]) => {
      const [userId = '', technology = ''] = key.split(' ');
      const email = `user${userIds.indexOf(userId)}@example.com`;
      const _id = `interview ${key}` as unknown as Types.ObjectId;
      return { _id, listKind: 'interview', userId, email, technology, count: total, latest: new Date(newest) };
    }),
  );
  await mongo.close();
  return cursor;
}

export const historyDepth: Measure = {
  what: "p95 of the interview history's first and deepest page, with 1,000,000 sessions relative to 1,000",
  unit: '×',
  limit: 1.2,
  async run({ folder, say }) {
    const own = await startOwnHistory(join(folder, 'history'));
    try {
      const admin = await own.identity.user('admin', { expiresInSeconds: 3600 });
      const pages: Record<string, { first: string; deepest: string }> = {};
      for (const [name, count] of Object.entries(sizes)) {
        say(`filling ${count.toLocaleString('en-US')} sessions`);
        // Started before there are sessions, so that its migrations are trivial.
        const first = `${await own.startService(`${name}-`)}/api/interviews/history?limit=${pageSize}`;
        const cursor = await fill(own.mongodbUri, `${name}-`, count);
        pages[name] = { first, deepest: `${first}&cursor=${cursor}` };
      }

      const ratios: string[] = [];
      let worst = 0;
      for (const page of ['first', 'deepest'] as const) {
        const times: Record<string, number[]> = { small: [], large: [] };
        for (let i = -50; i < requests; i += 1) {
          for (const [name, list] of Object.entries(times)) {
            const took = await timed(async () => {
              const response = await fetch(pages[name]?.[page] ?? '', {
                headers: { authorization: admin.authorization },
              });
              const { recordings } = (await response.json()) as { recordings: unknown[] };
              if (recordings.length !== pageSize)
                throw new Error(`Expected ${pageSize} entries on the page, got ${recordings.length}`);
            });
            if (i >= 0) list.push(took);
          }
        }
        const [small, large] = [quantile(times.small ?? [], 0.95), quantile(times.large ?? [], 0.95)];
        worst = Math.max(worst, large / small);
        ratios.push(`${page} page ${large.toFixed(1)} ms over ${small.toFixed(1)} ms`);
      }
      return { value: worst, from: ratios.join('; ') };
    } finally {
      await own.stop();
    }
  },
};
