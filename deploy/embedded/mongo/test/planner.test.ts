import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
let pages: Awaited<ReturnType<TestServer['fresh']>>;
const COUNT = 20_000;
const USERS = 20;

beforeAll(async () => {
  server = await startTestServer();
  pages = await server.fresh();
  await pages.createIndex({ userId: 1, createdAt: -1, _id: -1 });
  await pages.createIndex({ createdAt: -1, _id: -1 });
  await pages.createIndex({ status: 1, createdAt: -1 });
  await pages.createIndex({ tags: 1 });
  for (let from = 0; from < COUNT; from += 10_000) {
    const documents = Array.from({ length: 10_000 }, (_, i) => pageDocument(from + i));
    await pages.insertMany(documents);
  }
}, 120_000);
afterAll(() => server.stop());

/** Three documents share each timestamp, so paging also needs _id. */
const pageDocument = (n: number): AnyDoc => ({
  _id: n,
  userId: `user${n % USERS}`,
  createdAt: new Date(Math.floor(n / 60) * 1000),
  status: ['pending', 'completed', 'failed'][n % 7 === 0 ? 0 : (n % 2) + 1],
  tags: [`t${n % 50}`, `t${(n + 1) % 50}`],
});

// biome-ignore lint/suspicious/noExplicitAny: find's and aggregate's cursors have no common type
async function explain(cursor: any): Promise<AnyDoc> {
  const { queryPlanner, executionStats } = await cursor.explain('executionStats');
  return { ...queryPlanner.winningPlan, ...executionStats };
}

describe('queries over twenty thousand documents', () => {
  it('page by keyset without a scan or a sort, for one user', async () => {
    const sort = { createdAt: -1, _id: -1 } as const;
    const seen: number[] = [];
    let after: AnyDoc | undefined;
    for (let page = 0; page < 3; page++) {
      const filter = {
        userId: 'user3',
        ...(after
          ? { $or: [{ createdAt: { $lt: after.createdAt } }, { createdAt: after.createdAt, _id: { $lt: after._id } }] }
          : {}),
      };
      const plan = await explain(pages.find(filter).sort(sort).limit(101));
      expect(plan).toMatchObject({ stage: 'IXSCAN', indexName: 'userId_1_createdAt_-1__id_-1', nReturned: 101 });
      expect(plan.totalDocsExamined).toBeLessThanOrEqual(102);
      expect(plan.totalKeysExamined).toBeLessThanOrEqual(102);
      const found = await pages.find(filter).sort(sort).limit(101).toArray();
      seen.push(...found.slice(0, 100).map(({ _id }) => _id as number));
      after = found[99];
    }
    const mine = Array.from({ length: COUNT }, (_, n) => n).filter((n) => n % USERS === 3);
    expect(seen).toEqual(mine.reverse().slice(0, 300));
  });

  it('page from deep in the middle, in both directions', async () => {
    const at = pageDocument(10_043);
    for (const [direction, operator] of [
      [-1, '$lt'],
      [1, '$gt'],
    ] as const) {
      const filter = {
        userId: at.userId,
        $or: [{ createdAt: { [operator]: at.createdAt } }, { createdAt: at.createdAt, _id: { [operator]: at._id } }],
      };
      const cursor = () => pages.find(filter).sort({ createdAt: direction, _id: direction }).limit(101);
      const plan = await explain(cursor());
      expect(plan).toMatchObject({
        stage: 'IXSCAN',
        direction: direction === -1 ? 'forward' : 'backward',
        totalDocsExamined: 101,
      });
      expect((await cursor().toArray()).map(({ _id }) => _id)).toEqual(
        Array.from({ length: 101 }, (_, i) => at._id + direction * USERS * (i + 1)),
      );
    }
  });

  it('page over all users', async () => {
    expect(await explain(pages.find({}).sort({ createdAt: -1, _id: -1 }).limit(101))).toMatchObject({
      stage: 'IXSCAN',
      totalDocsExamined: 101,
    });
    expect(await explain(pages.find({}).sort({ createdAt: 1, _id: 1 }).limit(101))).toMatchObject({
      stage: 'IXSCAN',
      totalDocsExamined: 101,
    });
  });

  it('merge results in order for several values of the leading field', async () => {
    const cursor = () =>
      pages
        .find({ status: { $in: ['pending', 'failed'] } })
        .sort({ createdAt: -1 })
        .limit(50);
    const plan = await explain(cursor());
    expect(plan).toMatchObject({ stage: 'IXSCAN', indexName: 'status_1_createdAt_-1', totalDocsExamined: 50 });
    const expected = Array.from({ length: COUNT }, (_, n) => pageDocument(n))
      .filter(({ status }) => status !== 'completed')
      .map(({ createdAt }) => createdAt as Date)
      .reverse()
      .slice(0, 50);
    expect((await cursor().toArray()).map(({ createdAt }) => createdAt)).toEqual(expected);
  });

  it('count by an indexed equality without reading documents', async () => {
    const command = { count: pages.collectionName, query: { status: 'pending' } };
    const { executionStats } = await server.client
      .db('test')
      .command({ explain: command, verbosity: 'executionStats' });
    expect(executionStats).toMatchObject({ nReturned: Math.ceil(COUNT / 7), totalDocsExamined: 0 });
    expect(await pages.countDocuments({ status: 'pending' })).toBe(Math.ceil(COUNT / 7));
    expect(await pages.countDocuments({ tags: 't7' })).toBe((COUNT / 50) * 2);
    expect(await pages.estimatedDocumentCount()).toBe(COUNT);
  });

  it('find documents by an array element, each once', async () => {
    const plan = await explain(pages.find({ tags: { $in: ['t1', 't2'] } }));
    expect(plan).toMatchObject({
      stage: 'IXSCAN',
      isMultiKey: true,
      nReturned: (COUNT / 50) * 3,
      totalDocsExamined: (COUNT / 50) * 3,
    });
  });

  it('use an index for ranges, prefixes, and $or over two indexes', async () => {
    const from = new Date(1000);
    const to = new Date(3000);
    expect(await explain(pages.find({ createdAt: { $gte: from, $lt: to } }))).toMatchObject({
      stage: 'IXSCAN',
      nReturned: 120,
      totalDocsExamined: 120,
    });
    expect(await explain(pages.find({ userId: /^user19/ }).limit(5))).toMatchObject({
      stage: 'IXSCAN',
      totalDocsExamined: 5,
    });
    const either = await explain(pages.find({ $or: [{ _id: 5 }, { createdAt: to }] }));
    expect(either).toMatchObject({ stage: 'OR', nReturned: 61, totalDocsExamined: 61 });
  });

  it('scan if no index helps, and explain says so', async () => {
    expect(await explain(pages.find({ missing: 1 }))).toMatchObject({ stage: 'COLLSCAN', totalDocsExamined: COUNT });
    expect(await explain(pages.find({ createdAt: new Date(0) }).sort({ status: 1 }))).toMatchObject({
      stage: 'SORT',
      inputStage: { stage: 'IXSCAN' },
    });
  });

  it('aggregate through the same indexes', async () => {
    const pipeline = [{ $match: { userId: 'user3' } }, { $sort: { createdAt: -1, _id: -1 } }, { $limit: 5 }];
    expect(await explain(pages.aggregate(pipeline))).toMatchObject({ stage: 'IXSCAN', totalDocsExamined: 5 });
  });
});

describe('any query', () => {
  const scalar = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom('x', 'y', null, true),
    fc.constantFrom(0.5, Number.NaN),
  );
  const field = fc.oneof(
    { arbitrary: scalar, weight: 4 },
    { arbitrary: fc.array(scalar, { maxLength: 3 }), weight: 1 },
  );
  const inner = fc.record({ d: field, e: field }, { requiredKeys: [], noNullPrototype: true });
  const document = fc.record(
    { a: field, b: field, c: fc.oneof(inner, fc.array(inner, { maxLength: 2 }), scalar) },
    { requiredKeys: [], noNullPrototype: true },
  );
  const path = fc.constantFrom('a', 'b', 'c.d', 'c.e');
  const condition = fc.oneof(
    scalar,
    fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }, { noNullPrototype: true }),
    fc
      .tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte', '$ne'), scalar)
      .map(([operator, value]) => ({ [operator]: value })),
    fc.tuple(scalar, scalar).map(([$gte, $lt]) => ({ $gte, $lt })),
    fc.boolean().map(($exists) => ({ $exists })),
  );
  const conjunction = fc.dictionary(path, condition, { maxKeys: 3, noNullPrototype: true });
  const filter = fc.oneof(
    conjunction,
    fc.tuple(conjunction, fc.array(conjunction, { minLength: 1, maxLength: 3 })).map(([all, $or]) => ({ ...all, $or })),
  );
  const sort = fc.uniqueArray(fc.tuple(path, fc.constantFrom(1 as const, -1 as const)), {
    maxLength: 2,
    selector: ([name]) => name,
  });
  const parallelSafe = (documents: AnyDoc[]): AnyDoc[] =>
    documents.filter(
      (doc) =>
        [doc.a, doc.b].filter(Array.isArray).length < 2 &&
        !(Array.isArray(doc.c) && [doc.a, doc.b].some(Array.isArray)) &&
        !hasParallel(doc),
    );

  it('returns through indexes what a scan returns, in an order that the sort allows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: 5, maxLength: 30 }),
        fc.array(fc.tuple(filter, sort), { minLength: 10, maxLength: 10 }),
        async (documents, queries) => {
          const stored = parallelSafe(documents)
            .map((doc, _id) => ({ _id, ...doc }))
            .concat({ _id: -1 });
          const [collection, scan] = [await server.fresh(stored), await server.fresh(stored)];
          await collection.createIndexes([
            { key: { a: 1, b: -1 } },
            { key: { b: 1 }, sparse: true },
            { key: { 'c.d': 1, 'c.e': 1 } },
            { key: { a: -1, 'c.d': 1 }, name: 'partial', partialFilterExpression: { a: { $gt: 0 } } },
          ]);
          for (const [query, order] of queries) {
            const scanned = await scan.find(query).sort(order).toArray();
            const found = await collection.find(query).sort(order).toArray();
            const shown = JSON.stringify({ query, order });
            expect(found.map(({ _id }) => _id).sort(), shown).toEqual(scanned.map(({ _id }) => _id).sort());
            const keys = (list: AnyDoc[]) =>
              list.map((doc) =>
                order.map(([name]) =>
                  JSON.stringify(name.split('.').reduce((node, part) => node?.[part], doc) ?? null),
                ),
              );
            if (!scanned.some(hasArray)) expect(keys(found), shown).toEqual(keys(scanned));
            expect(await collection.countDocuments(query), shown).toBe(scanned.length);
          }
          await Promise.all([collection.drop(), scan.drop()]);
        },
      ),
      { numRuns: 40 },
    );
  });
});

const hasArray = (value: unknown): boolean =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && Object.values(value).some(hasArray));
function hasParallel(doc: AnyDoc): boolean {
  const inner = Array.isArray(doc.c) ? doc.c : [doc.c];
  return inner.some(
    (each) =>
      typeof each === 'object' &&
      each !== null &&
      ((Array.isArray(each.d) && Array.isArray(each.e)) || (Array.isArray(each.d) && Array.isArray(doc.a))),
  );
}
