import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import request from 'supertest';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadSeed } from '../src/seed/load-seed.ts';
import { readSeedFiles } from '../src/seed/seed-files.ts';
import { type StartedCatalog, startCatalog } from './start-catalog.ts';

const files = await readSeedFiles();
const pieces = files.technologies.length + files.interviewSets.length + files.practiceSets.length;

let started: StartedCatalog;
beforeEach(async () => {
  started = await startCatalog();
});
afterEach(() => started.stop());

const load = (from = files) => loadSeed(started.backing.mongo, started.catalog, from);
const call = (method: 'get' | 'put' | 'delete' | 'post', path: string, body?: object) =>
  request(started.app)[method](path).set('Authorization', started.admin.authorization).send(body);
const interviewSets = async () => (await call('get', '/api/interviews/sets').expect(200)).body.interviewSets;
const technologies = async () => (await call('get', '/api/technologies').expect(200)).body.technologies;

test('the demonstration data is loaded in order, each set with an existing technology', async () => {
  expect(await load()).toBe(pieces);
  const sets = await interviewSets();
  expect(sets.map((set: { title: string }) => set.title)).toEqual(files.interviewSets.map(({ title }) => title));
  expect(sets[0].questions).toEqual(files.interviewSets[0]!.questions.map(({ question }) => question));
  expect(sets[0].expertAnswers).toEqual(files.interviewSets[0]!.questions.map(({ expertAnswer }) => expertAnswer));
  for (const { expertAnswers, expertPoints } of sets) expect(expertPoints).toEqual(expertAnswers.map(derivePoints));
  const { practiceSets } = (await call('get', '/api/practice').expect(200)).body;
  expect(practiceSets.map((set: { title: string }) => set.title)).toEqual(files.practiceSets.map(({ title }) => title));
  for (const set of [...sets, ...practiceSets]) expect(set.technology).not.toBe('Unknown Technology');
  expect(await technologies()).toHaveLength(files.technologies.length);
});

test('loading again keeps what an admin edited, renamed or deleted', async () => {
  await load();
  const [edited, deleted] = await interviewSets();
  const [renamed] = await technologies();
  const changes = { title: 'Mine', technology: edited.technologySlug, questions: ['Mine?'], tags: [] };
  await call('put', `/api/interviews/sets/${edited.id}`, changes).expect(200);
  await call('delete', `/api/interviews/sets/${deleted.id}`).expect(204);
  await call('put', `/api/technologies/${renamed.id}`, { name: 'Renamed' }).expect(200);

  expect(await load()).toBe(0);
  const sets = await interviewSets();
  expect(sets).toHaveLength(files.interviewSets.length - 1);
  expect(sets[0]).toMatchObject({ id: edited.id, title: 'Mine', questions: ['Mine?'] });
  expect((await technologies()).map((one: { name: string }) => one.name)).toContain('Renamed');
});

test('a set of a later release is added', async () => {
  await load({ ...files, interviewSets: files.interviewSets.slice(0, -1) });
  expect(await load()).toBe(1);
  const titles = (await interviewSets()).map((set: { title: string }) => set.title);
  expect(titles).toEqual(files.interviewSets.map(({ title }) => title));
});

test('two concurrent loads load everything once', async () => {
  await Promise.all([load(), load()]);
  expect(await interviewSets()).toHaveLength(files.interviewSets.length);
  expect(await technologies()).toHaveLength(files.technologies.length);
});

test("an admin's technology with the same name is not changed", async () => {
  const { body } = await call('post', '/api/technologies', { name: 'javascript' }).expect(201);
  await load();
  const named = (await technologies()).filter((one: { slug: string }) => one.slug === 'javascript');
  expect(named).toEqual([body.technology]);
});
