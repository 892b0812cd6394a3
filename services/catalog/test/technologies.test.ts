import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type StartedCatalog, startCatalog } from './start-catalog.ts';

let started: StartedCatalog;
beforeAll(async () => {
  started = await startCatalog();
});
afterAll(() => started.stop());
beforeEach(async () => {
  await started.catalog.technologies.deleteMany({});
});

const as = (authorization: string) => ({
  create: (name: unknown) =>
    request(started.app).post('/api/technologies').set('Authorization', authorization).send({ name }),
  rename: (id: string, name: unknown) =>
    request(started.app).put(`/api/technologies/${id}`).set('Authorization', authorization).send({ name }),
  remove: (id: string) => request(started.app).delete(`/api/technologies/${id}`).set('Authorization', authorization),
});
const admin = () => as(started.admin.authorization);
const list = async () => (await request(started.app).get('/api/technologies').expect(200)).body.technologies;

const nowhere = '0123456789abcdef01234567';

describe('creating a technology', () => {
  test('returns the technology with an id and a slug', async () => {
    const { body } = await admin().create('  Node.js ').expect(201);
    expect(body).toEqual({
      technology: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        name: 'Node.js',
        slug: 'node-js',
        version: expect.any(String),
      },
    });
    expect(await list()).toEqual([body.technology]);
  });

  test.each(['node.JS', ' Node.js ', 'NODE.JS', 'Ｎｏｄｅ.js'])('rejects %j if Node.js exists', async (name) => {
    await admin().create('Node.js').expect(201);
    const { body } = await admin().create(name).expect(409);
    expect(body).toMatchObject({ message: 'Technology already exists', code: 'conflict' });
    expect(await list()).toHaveLength(1);
  });

  test('succeeds for one of ten concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin().create('Rust')));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
    expect(await list()).toHaveLength(1);
  });

  test('numbers the slug if another technology has it, also in concurrent requests', async () => {
    const names = ['C++', 'C Plus Plus', 'c-plus-plus', 'C plus-plus'];
    const answers = await Promise.all(names.map((name) => admin().create(name).expect(201)));
    expect(answers.map(({ body }) => body.technology.slug).sort()).toEqual([
      'c-plus-plus',
      'c-plus-plus-2',
      'c-plus-plus-3',
      'c-plus-plus-4',
    ]);
  });

  test('derives a slug for a name without letters, and for a long one', async () => {
    expect((await admin().create('🚀').expect(201)).body.technology.slug).toBe('technology');
    expect((await admin().create('…').expect(201)).body.technology.slug).toBe('technology-2');
    const long = (await admin().create('+'.repeat(100)).expect(201)).body.technology.slug;
    expect(long.length).toBeLessThanOrEqual(100);
  });

  test.each([undefined, '', '   ', null, 7, { $ne: '' }, ['Go'], '\u200b'])('rejects %j', async (name) => {
    const { body } = await admin().create(name).expect(400);
    expect(body).toMatchObject({ message: 'Technology name cannot be empty', code: 'invalid_request' });
    expect(body.details).toEqual([{ path: 'name', message: 'Technology name cannot be empty' }]);
  });

  test('stores script and right-to-left text as text', async () => {
    for (const name of ['<script>alert(1)</script>', 'تطوير', '👩‍💻 Coding']) {
      expect((await admin().create(name).expect(201)).body.technology.name).toBe(name);
    }
  });

  test('rejects a body that is not JSON', async () => {
    const { body } = await request(started.app)
      .post('/api/technologies')
      .set('Authorization', started.admin.authorization)
      .set('Content-Type', 'application/json')
      .send('{"name":')
      .expect(400);
    expect(body.message).toBe('The request body is not valid JSON');
  });
});

test('returns a list ordered by name, ignoring case', async () => {
  for (const name of ['sql', 'Go', 'React', 'angular', 'C 10', 'C 9']) await admin().create(name).expect(201);
  expect((await list()).map((one: { name: string }) => one.name)).toEqual([
    'angular',
    'C 9',
    'C 10',
    'Go',
    'React',
    'sql',
  ]);
});

describe('renaming a technology', () => {
  test('keeps id and slug', async () => {
    const { technology } = (await admin().create('Node')).body;
    const { body } = await admin().rename(technology.id, ' Node.js ').expect(200);
    expect(body).toEqual({ technology: { ...technology, name: 'Node.js', version: expect.any(String) } });
    expect(await list()).toEqual([body.technology]);
  });

  test('rejects a rename of an older version, and names who was first', async () => {
    const { technology } = (await admin().create('Node')).body;
    const rename = (name: string) => admin().rename(technology.id, name).set('If-Match', `"${technology.version}"`);
    const { body } = await rename('Node.js').expect(200);
    expect((await rename('NodeJS').expect(409)).body).toMatchObject({
      details: [{ path: 'name' }],
      conflict: { by: started.admin.email, version: body.technology.version },
    });
  });

  test("allows another case of its own name, but not another technology's name", async () => {
    const { technology } = (await admin().create('Go')).body;
    await admin().create('Rust').expect(201);
    await admin().rename(technology.id, 'GO').expect(200);
    const { body } = await admin().rename(technology.id, 'rust ').expect(409);
    expect(body.message).toBe('Technology already exists');
  });

  test('rejects an empty name and an unknown id', async () => {
    const { technology } = (await admin().create('Go')).body;
    expect((await admin().rename(technology.id, ' ').expect(400)).body.message).toBe('Technology name cannot be empty');
    expect((await admin().rename(nowhere, 'Go 2').expect(404)).body.message).toBe('Technology not found');
  });
});

describe('deleting a technology', () => {
  test('removes it from the list, once', async () => {
    const { technology } = (await admin().create('Go')).body;
    await admin().remove(technology.id).expect(204, '');
    expect(await list()).toEqual([]);
    await admin().remove(technology.id).expect(404);
    await admin().rename(technology.id, 'Golang').expect(404);
  });

  test('frees the name and its slug', async () => {
    const first = (await admin().create('Go')).body.technology;
    await admin().remove(first.id).expect(204);
    const second = (await admin().create('GO').expect(201)).body.technology;
    expect(second).toMatchObject({ name: 'GO', slug: 'go' });
    expect(second.id).not.toBe(first.id);
  });

  test('keeps the slug reserved for its sets', async () => {
    const first = (await admin().create('C++')).body.technology;
    await admin().remove(first.id).expect(204);
    expect((await admin().create('C Plus Plus').expect(201)).body.technology.slug).toBe('c-plus-plus-2');
  });
});
