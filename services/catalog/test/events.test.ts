import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import { connectWorker } from '@interview-prep/kit/redis/redis';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { consumeRepublish } from '../src/republish.ts';
import { type StartedCatalog, startCatalog } from './start-catalog.ts';

let started: StartedCatalog;
beforeEach(async () => {
  started = await startCatalog();
});
afterEach(() => started.stop());

const call = async (method: 'post' | 'put' | 'delete', path: string, body?: object) =>
  (await request(started.app)[method](path).set('Authorization', started.admin.authorization).send(body)).body;
const addTechnology = async (name: string) => (await call('post', '/api/technologies', { name })).technology;
const addSet = async (technology: string) =>
  (await call('post', '/api/interviews/sets', { title: 'T', technology, questions: ['Why?'], expertAnswers: ['So.'] }))
    .interviewSet;

/** The latest published snapshot of a set: the one with the largest revision. */
async function newestOf(setId: string) {
  const all = (await started.published('recording', 'set-changed')).filter((set) => set.setId === setId);
  return all.sort((a, b) => b.revision - a.revision)[0];
}
async function newestSlugs() {
  const all = await started.published('auth', 'technologies-changed');
  return all.sort((a, b) => b.revision - a.revision)[0]?.slugs;
}
async function emptyRedis() {
  const { redisAdministrator } = started.backing;
  await redisAdministrator.del(await redisAdministrator.keys(`${started.prefix}:*`));
}

test('a set is published whole when it is created, changed and deleted, with a growing revision', async () => {
  await addTechnology('Go');
  const set = await addSet('go');
  const first = await newestOf(set.id);
  expect(first).toEqual({
    setId: set.id,
    kind: 'interview',
    title: 'T',
    technology: 'Go',
    technologySlug: 'go',
    questions: ['Why?'],
    expertAnswers: ['So.'],
    deletedAt: null,
    revision: expect.any(Number),
    expertPoints: [derivePoints('So.')],
    // Browsers identify the revision that they showed by this time.
    updatedAt: set.updatedAt,
  });

  const update = { title: 'T 2', technology: 'go', questions: ['How?'], expertAnswers: [''] };
  const { interviewSet } = await call('put', `/api/interviews/sets/${set.id}`, update);
  const second = await newestOf(set.id);
  expect(second).toMatchObject({
    title: 'T 2',
    questions: ['How?'],
    expertAnswers: [''],
    expertPoints: [[]],
    deletedAt: null,
  });
  expect(second?.updatedAt).toBe(interviewSet.updatedAt);
  expect(second?.revision).toBeGreaterThan(first?.revision ?? 0);

  await call('delete', `/api/interviews/sets/${set.id}`);
  const third = await newestOf(set.id);
  expect(third).toMatchObject({ deletedAt: expect.any(String), questions: ['How?'] });
  expect(third?.revision).toBeGreaterThan(second?.revision ?? 0);
});

test('renaming or deleting a technology publishes its sets, without changing their times', async () => {
  const technology = await addTechnology('Go');
  const set = await addSet('go');
  await call('put', `/api/technologies/${technology.id}`, { name: 'Golang' });
  await expect.poll(async () => (await newestOf(set.id))?.technology).toBe('Golang');
  await call('delete', `/api/technologies/${technology.id}`);
  await expect.poll(async () => (await newestOf(set.id))?.technology).toBe('Unknown Technology');
  const kept = await started.catalog.sets.findById(set.id).orFail();
  expect(kept.updatedAt.toISOString()).toBe(set.updatedAt);
});

test('technology slugs are published to auth, each time with a larger revision', async () => {
  const go = await addTechnology('Go');
  await addTechnology('C++');
  expect(await newestSlugs()).toEqual(['go', 'c-plus-plus']);
  await call('delete', `/api/technologies/${go.id}`);
  expect(await newestSlugs()).toEqual(['c-plus-plus']);
  await addTechnology('Go');
  expect(await newestSlugs()).toEqual(['c-plus-plus', 'go']);
  const revisions = (await started.published('auth', 'technologies-changed')).map(({ revision }) => revision);
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
});

test('everything is published again after Redis was emptied, including deletions', async () => {
  await addTechnology('Go');
  const kept = await addSet('go');
  const deleted = await addSet('go');
  await call('delete', `/api/interviews/sets/${deleted.id}`);
  await emptyRedis();
  await expect.poll(async () => (await newestOf(kept.id))?.title).toBe('T');
  await expect.poll(async () => (await newestOf(deleted.id))?.deletedAt).toEqual(expect.any(String));
  await expect.poll(newestSlugs).toEqual(['go']);
});

test('everything is published again when another service requests it', async () => {
  await addTechnology('Go');
  const set = await addSet('go');
  await started.allJobs.queue('recording').obliterate({ force: true });
  await started.allJobs.queue('auth').obliterate({ force: true });
  const connection = connectWorker(started.backing.settings.REDIS_URL, started.backing.log);
  const worker = consumeRepublish(started.catalog, { connection, prefix: started.prefix, log: started.backing.log });
  try {
    await started.jobs.add('catalog', 'republish', { since: null });
    await expect.poll(async () => (await newestOf(set.id))?.title).toBe('T');
    await expect.poll(newestSlugs).toEqual(['go']);

    await expect.poll(() => started.jobs.queue('catalog').getJobCounts()).toMatchObject({ active: 0, waiting: 0 });
    await expect.poll(() => started.catalog.sets.find({ unpublished: true }).lean()).toEqual([]);
    await started.allJobs.queue('recording').obliterate({ force: true });
    await started.allJobs.queue('auth').obliterate({ force: true });
    const later = await addTechnology('Rust');
    await started.allJobs.queue('auth').obliterate({ force: true });
    const { createdAt } = await started.catalog.technologies.findById(later.id).orFail();
    await started.jobs.add('catalog', 'republish', { since: createdAt.toISOString() });
    await expect.poll(newestSlugs).toEqual(['go', 'rust']);
    await expect.poll(() => started.jobs.queue('catalog').getJobCounts()).toMatchObject({ active: 0, waiting: 0 });
    expect(await newestOf(set.id)).toBeUndefined();
  } finally {
    await worker.close();
    connection.disconnect();
  }
});
