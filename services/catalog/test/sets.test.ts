import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type StartedCatalog, startCatalog } from './start-catalog.ts';

let started: StartedCatalog;
beforeAll(async () => {
  started = await startCatalog();
});
afterAll(() => started.stop());

let technologyId: string;
beforeEach(async () => {
  await Promise.all([started.catalog.technologies.deleteMany({}), started.catalog.sets.deleteMany({})]);
  const { body } = await call('post', '/api/technologies', { name: 'Node.js' }).expect(201);
  technologyId = body.technology.id;
});

type Method = 'get' | 'post' | 'put' | 'delete';
const call = (method: Method, path: string, body?: object, authorization = started.admin.authorization) =>
  request(started.app)[method](path).set('Authorization', authorization).send(body);

const nowhere = '0123456789abcdef01234567';

/** What differs between the two kinds of sets. */
const kinds = [
  {
    kind: 'interview',
    path: '/api/interviews/sets',
    deletePaths: ['/api/interviews/sets'],
    one: 'interviewSet',
    many: 'interviewSets',
    answers: 'expertAnswers',
    missing: 'Interview set not found',
  },
  {
    kind: 'practice',
    path: '/api/practice',
    deletePaths: ['/api/practices/sets', '/api/practice'],
    one: 'practiceSet',
    many: 'practiceSets',
    answers: 'answers',
    missing: 'Practice set not found',
  },
] as const;

describe.each(kinds)('$kind sets', ({ path, deletePaths, one, many, answers, missing }) => {
  const content = (changes: object = {}) => ({
    title: 'Event loop',
    technology: 'node-js',
    questions: ['What is it?', 'Why?'],
    tags: ['async', ' runtime ', '', 'async'],
    [answers]: ['A loop.', 'For one thread.'],
    ...changes,
  });
  const create = async (changes?: object) => (await call('post', path, content(changes)).expect(201)).body[one];
  const list = async (authorization?: string) =>
    (await call('get', path, undefined, authorization).expect(200)).body[many];

  test('are created with all that was said, by value', async () => {
    const set = await create();
    expect(set).toEqual({
      _id: set.id,
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      title: 'Event loop',
      technology: 'Node.js',
      technologySlug: 'node-js',
      questions: ['What is it?', 'Why?'],
      tags: ['async', 'runtime'],
      createdBy: { email: started.admin.email },
      [answers]: ['A loop.', 'For one thread.'],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await list()).toEqual([set]);
  });

  test('are listed newest first, and may share a title', async () => {
    const made = [await create(), await create(), await create()];
    expect((await list()).map((set: { id: string }) => set.id)).toEqual(made.map((set) => set.id).reverse());
  });

  test('are replaced by an update; creator and creation stay', async () => {
    const set = await create();
    const changed = content({ title: ' Loops ', questions: ['How?'], [answers]: ['So.'], tags: [] });
    const { body } = await call('put', `${path}/${set.id}`, changed).expect(200);
    expect(body[one]).toEqual({
      ...set,
      title: 'Loops',
      questions: ['How?'],
      [answers]: ['So.'],
      tags: [],
      updatedAt: expect.any(String),
    });
    expect(Date.parse(body[one].updatedAt)).toBeGreaterThan(Date.parse(set.updatedAt));
    expect(await list()).toEqual([body[one]]);
  });

  test.each([...deletePaths])('are deleted by %s', async (deletePath) => {
    const set = await create();
    await call('delete', `${deletePath}/${set.id}`).expect(204, '');
    expect(await list()).toEqual([]);
    expect((await call('delete', `${deletePath}/${set.id}`).expect(404)).body.message).toBe(missing);
    expect((await call('put', `${path}/${set.id}`, content()).expect(404)).body.message).toBe(missing);
  });

  test('that are not there can not be changed', async () => {
    expect((await call('put', `${path}/${nowhere}`, content()).expect(404)).body.message).toBe(missing);
  });

  test('are not found among the other kind', async () => {
    const other = kinds.find((kind) => kind.one !== one)!;
    const set = await create();
    const body = content({ answers: ['a', 'b'], expertAnswers: ['a', 'b'] });
    expect((await call('put', `${other.path}/${set.id}`, body).expect(404)).body.message).toBe(other.missing);
    expect((await call('delete', `${other.deletePaths[0]}/${set.id}`).expect(404)).body.message).toBe(other.missing);
  });

  test.each([
    ['technology', { technology: 'cobol' }, 'This technology is not known'],
    ['technology', { technology: '' }, 'Technology is required'],
    ['title', { title: ' ' }, 'Title is required'],
    ['questions', { questions: [], [answers]: [] }, /Please add at least one question/],
    ['questions.1', { questions: ['Why?', '  '] }, 'A question cannot be blank'],
    ['questions.0', { questions: [{ $gt: '' }, 'b'] }, 'A question cannot be blank'],
    [answers, { [answers]: ['one too few'] }, /parallel|Each question needs an answer/],
  ])('are refused for a fault in %s', async (field, changes, message) => {
    for (const method of ['post', 'put'] as const) {
      const target = method === 'put' ? `${path}/${(await create()).id}` : path;
      const { body } = await call(method, target, content(changes)).expect(400);
      expect(body.details[0]).toEqual({ path: field, message: expect.stringMatching(message) });
      expect(body.message).toBe(body.details[0].message);
    }
  });

  test('take script, emoji and right-to-left text as text', async () => {
    const odd = { title: '<img src=x onerror=alert(1)>', questions: ['ما هو؟ 🚀', '‮\u202eabc'] };
    expect(await create(odd)).toMatchObject(odd);
  });

  test('show the name that their technology has now', async () => {
    await create();
    await call('put', `/api/technologies/${technologyId}`, { name: 'Node' }).expect(200);
    expect((await list())[0]).toMatchObject({ technology: 'Node', technologySlug: 'node-js' });
    await call('delete', `/api/technologies/${technologyId}`).expect(204);
    expect((await list())[0]).toMatchObject({ technology: 'Unknown Technology', technologySlug: 'node-js' });
    await call('post', '/api/technologies', { name: 'NODE' }).expect(201);
    expect((await list())[0]).toMatchObject({ technology: 'NODE', technologySlug: 'node-js' });
  });
});

describe('expert answers', () => {
  const path = '/api/interviews/sets';
  const content = { title: 'T', technology: 'node-js', questions: ['One?', 'Two?'], tags: [] };

  test('are shown to admins alone', async () => {
    await call('post', path, { ...content, expertAnswers: ['secret', ''] }).expect(201);
    for (const user of [started.dev, started.others]) {
      const { body, text } = await call('get', path, undefined, user.authorization).expect(200);
      expect(body.interviewSets[0]).not.toHaveProperty('expertAnswers');
      expect(text).not.toContain('secret');
    }
    const { body } = await call('get', path).expect(200);
    expect(body.interviewSets[0].expertAnswers).toEqual(['secret', '']);
  });

  test('are blank where none were sent', async () => {
    const { body } = await call('post', path, content).expect(201);
    expect(body.interviewSet.expertAnswers).toEqual(['', '']);
  });

  test('stay with their questions where an update sends none', async () => {
    const { body } = await call('post', path, { ...content, expertAnswers: ['1', '2'] }).expect(201);
    const update = { ...content, questions: ['Two?', 'New?', 'One?'] };
    const changed = await call('put', `${path}/${body.interviewSet.id}`, update).expect(200);
    expect(changed.body.interviewSet.expertAnswers).toEqual(['2', '', '1']);
  });
});

test("practice answers are everyone's, and none may be blank", async () => {
  const content = { title: 'T', technology: 'node-js', questions: ['One?'], answers: ['Yes.'], tags: [] };
  await call('post', '/api/practice', content).expect(201);
  const { body } = await call('get', '/api/practice', undefined, started.others.authorization).expect(200);
  expect(body.practiceSets[0].answers).toEqual(['Yes.']);
  const blank = await call('post', '/api/practice', { ...content, answers: [' '] }).expect(400);
  expect(blank.body.message).toBe('An answer cannot be blank');
});
