import { randomUUID } from 'node:crypto';
import { unavailable } from '@interview-prep/kit/http/http-error';
import { createFaultyMongo, type FaultyMongo, type WriteCase } from '@interview-prep/kit/testing/faulty-mongo';
import { writeFaults } from '@interview-prep/kit/testing/mongo-faults';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSeed } from '../src/seed/load-seed.ts';
import { readSeedFiles } from '../src/seed/seed-files.ts';
import { createTechnology } from '../src/technologies/save-technology.ts';
import { type StartedCatalog, startCatalog } from './start-catalog.ts';

const all = await readSeedFiles();
const files = {
  technologies: all.technologies.slice(0, 1),
  interviewSets: all.interviewSets.slice(0, 1),
  practiceSets: all.practiceSets.slice(0, 1),
};

let backing: FaultyMongo;
let started: StartedCatalog;
beforeAll(async () => {
  backing = await createFaultyMongo('catalog');
  started = await startCatalog(backing);
});
afterAll(async () => {
  await started.stop();
  await backing.close();
});

/** The status of an admin's request: 503 is an outage, after which the admin retries. */
async function answered(method: 'post' | 'put' | 'delete', path: string, body: object, ...expected: number[]) {
  const { status } = await request(started.app)
    [method](path)
    .set('Authorization', started.admin.authorization)
    .send(body);
  if (status === 503) throw unavailable('503', undefined, 'mongodb');
  expect(expected).toContain(status);
}

const newTechnology = () => createTechnology(started.catalog.technologies, `Technology ${randomUUID()}`);

async function newSet() {
  const { slug } = await newTechnology();
  const body = { title: 'Closures', technology: slug, questions: ['What is a closure?'], tags: [] };
  const answer = await request(started.app)
    .post('/api/interviews/sets')
    .set('Authorization', started.admin.authorization)
    .send(body)
    .expect(201);
  return { id: answer.body.interviewSet.id as string, body };
}

const places: Record<string, () => Promise<WriteCase>> = {
  'a new technology': async () => {
    const name = randomUUID();
    // If the response to the first try was lost, the retry reports that the technology exists.
    const add = () => answered('post', '/api/technologies', { name }, 201, 409);
    return {
      calls: [add, add],
      check: async () => expect(await started.catalog.technologies.countDocuments({ name })).toBe(1),
    };
  },
  'two technologies whose slugs are alike': async () => {
    const word = `t${randomUUID()}`;
    return {
      calls: [`${word} !`, `${word} ?`].map((name) => () => answered('post', '/api/technologies', { name }, 201, 409)),
      async check() {
        const stored = await started.catalog.technologies.find({ slug: new RegExp(`^${word}(-2)?$`) }).lean();
        expect(stored.map(({ slug }) => slug).toSorted()).toEqual([word, `${word}-2`]);
      },
    };
  },
  'a technology that is renamed': async () => {
    const { _id } = await newTechnology();
    const name = randomUUID();
    return {
      calls: [() => answered('put', `/api/technologies/${_id}`, { name }, 200)],
      check: async () => expect(await started.catalog.technologies.findById(_id).lean()).toMatchObject({ name }),
    };
  },
  'a technology that is deleted': async () => {
    const { _id } = await newTechnology();
    return {
      calls: [() => answered('delete', `/api/technologies/${_id}`, {}, 204, 404)],
      async check() {
        expect((await started.catalog.technologies.findById(_id).lean())?.deletedAt).toBeInstanceOf(Date);
      },
    };
  },
  'a set that is edited': async () => {
    const { id, body } = await newSet();
    const edit = () => answered('put', `/api/interviews/sets/${id}`, { ...body, title: 'Scopes' }, 200);
    return {
      calls: [edit, edit],
      async check() {
        expect(await started.catalog.sets.findById(id).lean()).toMatchObject({ title: 'Scopes' });
        // Every stored revision is published, if necessary by the sweeper.
        await expect.poll(async () => (await started.catalog.sets.findById(id).lean())?.unpublished).toBeUndefined();
      },
    };
  },
  'a set that is deleted': async () => {
    const { id } = await newSet();
    return {
      calls: [() => answered('delete', `/api/interviews/sets/${id}`, {}, 204, 404)],
      async check() {
        expect((await started.catalog.sets.findById(id).lean())?.deletedAt).toBeInstanceOf(Date);
      },
    };
  },
  'the demonstration records, by two processes': async () => {
    const { sets, technologies } = started.catalog;
    for (const name of ['sets', 'technologies', 'seeds']) await backing.mongo.collection(name).deleteMany({});
    const load = () => loadSeed(backing.mongo, started.catalog, files);
    return {
      calls: [load, load],
      async check() {
        expect(await sets.countDocuments()).toBe(2);
        expect(await technologies.countDocuments()).toBe(files.technologies.length);
        expect(await backing.mongo.collection('seeds').countDocuments()).toBe(files.technologies.length + 3);
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
