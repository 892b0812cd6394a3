import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
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

/** The differences between the two kinds of sets. */
const kinds = [
  {
    kind: 'interview',
    path: '/api/interviews/sets',
    deletePaths: ['/api/interviews/sets'],
    one: 'interviewSet',
    many: 'interviewSets',
    answers: 'expertAnswers',
    shownPoints: (...answers: string[]) => ({ expertPoints: answers.map(derivePoints), unanswered: 0 }),
    missing: 'Interview set not found',
  },
  {
    kind: 'practice',
    path: '/api/practice',
    deletePaths: ['/api/practices/sets', '/api/practice'],
    one: 'practiceSet',
    many: 'practiceSets',
    answers: 'answers',
    shownPoints: () => ({}),
    missing: 'Practice set not found',
  },
] as const;

describe.each(kinds)('$kind sets', ({ path, deletePaths, one, many, answers, shownPoints, missing }) => {
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

  test('are created with every field', async () => {
    const set = await create();
    expect(set).toEqual({
      _id: set.id,
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      title: 'Event loop',
      technology: 'Node.js',
      technologySlug: 'node-js',
      questions: ['What is it?', 'Why?'],
      tags: ['async', 'runtime'],
      vocabulary: [],
      status: 'published',
      version: expect.any(String),
      createdBy: { email: started.admin.email },
      updatedBy: null,
      [answers]: ['A loop.', 'For one thread.'],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      ...shownPoints('A loop.', 'For one thread.'),
    });
    expect(await list()).toEqual([set]);
  });

  test('are listed newest first, and can share a title', async () => {
    const made = [await create(), await create(), await create()];
    expect((await list()).map((set: { id: string }) => set.id)).toEqual(made.map((set) => set.id).reverse());
  });

  test('are replaced by an update, except for creator and creation time', async () => {
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
      updatedBy: { email: started.admin.email },
      version: expect.any(String),
      ...shownPoints('So.'),
    });
    expect(Date.parse(body[one].updatedAt)).toBeGreaterThan(Date.parse(set.updatedAt));
    expect(await list()).toEqual([body[one]]);
  });

  test('keep vocabulary and language if an update omits them; null resets the language', async () => {
    const set = await create({ vocabulary: ['libuv'], language: 'de' });
    expect(set).toMatchObject({ vocabulary: ['libuv'], language: 'de' });
    const update = async (body: object) => (await call('put', `${path}/${set.id}`, body).expect(200)).body[one];
    expect(await update(content())).toMatchObject({ vocabulary: ['libuv'], language: 'de' });
    const reset = await update(content({ vocabulary: [], language: null }));
    expect(reset).toMatchObject({ vocabulary: [] });
    expect(reset).not.toHaveProperty('language');
    expect(await create({ language: null })).not.toHaveProperty('language');
  });

  test.each([...deletePaths])('are deleted by %s', async (deletePath) => {
    const set = await create();
    await call('delete', `${deletePath}/${set.id}`).expect(204, '');
    expect(await list()).toEqual([]);
    expect((await call('delete', `${deletePath}/${set.id}`).expect(404)).body.message).toBe(missing);
    expect((await call('put', `${path}/${set.id}`, content()).expect(404)).body.message).toBe(missing);
  });

  const edit = (id: string, version: string, changes: object) =>
    call('put', `${path}/${id}`, content(changes)).set('If-Match', `"${version}"`);

  test('reject an edit of an older version, and report who changed what; the version in the response is accepted', async () => {
    const set = await create();
    const { body } = await edit(set.id, set.version, { title: 'Loops', tags: [] }).expect(200);
    const refused = (await edit(set.id, set.version, { title: 'Mine' }).expect(409)).body;
    expect(refused).toMatchObject({
      code: 'edit_conflict',
      message: `${started.admin.email} has changed this in the meantime: title, tags`,
      details: [{ path: 'title' }, { path: 'tags' }],
      conflict: { by: started.admin.email, at: body[one].updatedAt, version: body[one].version },
    });
    expect((await list())[0].title).toBe('Loops');
    await edit(set.id, refused.conflict.version, { title: 'Mine' }).expect(200);
    // Without If-Match an update overwrites, as in the specification.
    await call('put', `${path}/${set.id}`, content()).expect(200);
  });

  test('accept one of ten concurrent edits of the same version', async () => {
    const set = await create();
    const edits = Array.from({ length: 10 }, (_, index) => edit(set.id, set.version, { title: `Title ${index}` }));
    const statuses = (await Promise.all(edits)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  });

  test('do not conflict with a renamed technology', async () => {
    const set = await create();
    await call('put', `/api/technologies/${technologyId}`, { name: 'Node' }).expect(200);
    await edit(set.id, set.version, { title: 'Loops' }).expect(200);
  });

  test('are hidden from candidates as drafts and in the archive, and can be published again', async () => {
    const candidate = started.others.authorization;
    const { id } = await create({ status: 'draft' });
    const setStatus = async (status: string) =>
      (await call('put', `${path}/${id}/status`, { status }).expect(200)).body[one];
    const shownTo = async (authorization: string) => {
      const { body } = await call('get', `${path}?status=all`, undefined, authorization).expect(200);
      const { status } = await call('get', `${path}/${id}`, undefined, authorization);
      return [body[many].length, body.total, status];
    };
    const published = async () =>
      (await started.published('recording', 'set-changed')).filter(({ setId }) => setId === id).at(-1)?.deletedAt;
    expect(await shownTo(candidate)).toEqual([0, 0, 404]);
    expect(await shownTo(started.admin.authorization)).toEqual([1, 1, 200]);
    expect(await list()).toEqual([]);
    // Drafts were never visible to candidates, so they can't be started.
    expect(await published()).toBe('1970-01-01T00:00:00.000Z');

    expect(await setStatus('published')).toMatchObject({ status: 'published', questions: ['What is it?', 'Why?'] });
    expect(await shownTo(candidate)).toEqual([1, 1, 200]);
    expect(await published()).toBeNull();

    const { updatedAt } = await setStatus('archived');
    expect(await shownTo(candidate)).toEqual([0, 0, 404]);
    expect(Math.abs(Date.parse((await published()) ?? '') - Date.parse(updatedAt))).toBeLessThan(1000);
    // An edit keeps the status.
    expect((await call('put', `${path}/${id}`, content()).expect(200)).body[one].status).toBe('archived');
    expect((await setStatus('draft')).status).toBe('draft');
  });

  test('cannot be published for a deleted technology', async () => {
    const { id } = await create({ status: 'draft' });
    await call('delete', `/api/technologies/${technologyId}`).expect(204);
    const { body } = await call('put', `${path}/${id}/status`, { status: 'published' }).expect(400);
    expect(body.details).toEqual([{ path: 'technology', message: 'This technology is not known' }]);
    await call('put', `${path}/${id}/status`, { status: 'archived' }).expect(200);
  });

  test('are paged, filtered by technology, and listed without answers', async () => {
    const titles = ['a', 'b', 'c', 'd', 'e'];
    for (const title of titles) await create({ title });
    const found: string[] = [];
    let cursor = '';
    do {
      const { body } = await call('get', `${path}?limit=2${cursor && `&cursor=${cursor}`}`).expect(200);
      expect(body.total).toBe(5);
      found.push(...body[many].map(({ title }: { title: string }) => title));
      cursor = body.nextCursor;
    } while (cursor);
    expect(found).toEqual(titles.toReversed());
    expect((await call('get', `${path}?technology=go`).expect(200)).body).toMatchObject({ [many]: [], total: 0 });
    const { body, text } = await call('get', `${path}?answers=false`).expect(200);
    expect(body[many][0].questions).toHaveLength(2);
    expect(text).not.toMatch(/A loop|[aA]nswers|Points/);
    await call('get', `${path}?limit=201`).expect(400);
    await call('get', `${path}?cursor=x`).expect(400);
  });

  test('are not sent again if they have not changed', async () => {
    await create();
    const first = await call('get', path).expect(200).expect('Cache-Control', 'private, no-cache');
    const again = () => call('get', path).set('If-None-Match', first.headers.etag as string);
    await again().expect(304, '');
    await create();
    await again().expect(200);
    // The ETag differs per user, since responses do.
    const others = await call('get', path, undefined, started.others.authorization).expect(200);
    expect(others.headers.etag).not.toBe((await call('get', path)).headers.etag);
  });

  test('cannot be changed if they do not exist', async () => {
    expect((await call('put', `${path}/${nowhere}`, content()).expect(404)).body.message).toBe(missing);
  });

  test('are not found as the other kind', async () => {
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
  ])('are rejected with an invalid %s', async (field, changes, message) => {
    for (const method of ['post', 'put'] as const) {
      const target = method === 'put' ? `${path}/${(await create()).id}` : path;
      const { body } = await call(method, target, content(changes)).expect(400);
      expect(body.details[0]).toEqual({ path: field, message: expect.stringMatching(message) });
      expect(body.message).toBe(body.details[0].message);
    }
  });

  test('store script, emoji and right-to-left text as text', async () => {
    const odd = { title: '<img src=x onerror=alert(1)>', questions: ['ما هو؟ 🚀', '‮\u202eabc'] };
    expect(await create(odd)).toMatchObject(odd);
  });

  test("show their technology's current name", async () => {
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

  test('are shown to admins only', async () => {
    await call('post', path, { ...content, expertAnswers: ['secret', ''] }).expect(201);
    for (const user of [started.dev, started.others]) {
      const { body, text } = await call('get', path, undefined, user.authorization).expect(200);
      expect(body.interviewSets[0]).not.toHaveProperty('expertAnswers');
      expect(body.interviewSets[0]).not.toHaveProperty('unanswered');
      expect(text).not.toContain('secret');
    }
    const { body } = await call('get', path).expect(200);
    expect(body.interviewSets[0]).toMatchObject({ expertAnswers: ['secret', ''], unanswered: 1 });
  });

  test('are blank if none were sent', async () => {
    const { body } = await call('post', path, content).expect(201);
    expect(body.interviewSet.expertAnswers).toEqual(['', '']);
  });

  test('stay with their questions if an update sends none', async () => {
    const { body } = await call('post', path, { ...content, expertAnswers: ['1', '2'] }).expect(201);
    const update = { ...content, questions: ['Two?', 'New?', 'One?'] };
    const changed = await call('put', `${path}/${body.interviewSet.id}`, update).expect(200);
    expect(changed.body.interviewSet.expertAnswers).toEqual(['2', '', '1']);
  });
});

describe('answer times', () => {
  const path = '/api/interviews/sets';
  const content = { title: 'T', technology: 'node-js', questions: ['One?'], tags: [] };
  const times = { thinkingSeconds: 30, timeLimitSeconds: 180, lengthHintSeconds: 120 };

  test('are shown to everyone, stay if an update omits them, and are turned off by null', async () => {
    const { body } = await call('post', path, { ...content, ...times }).expect(201);
    expect(body.interviewSet).toMatchObject(times);
    const listed = await call('get', path, undefined, started.others.authorization).expect(200);
    expect(listed.body.interviewSets[0]).toMatchObject(times);
    const change = async (part: object) =>
      (await call('put', `${path}/${body.interviewSet.id}`, { ...content, ...part }).expect(200)).body.interviewSet;
    expect(await change({ timeLimitSeconds: 150 })).toMatchObject({ ...times, timeLimitSeconds: 150 });
    const changed = await change({ thinkingSeconds: null });
    expect(changed).toMatchObject({ timeLimitSeconds: 150, lengthHintSeconds: 120 });
    expect(changed).not.toHaveProperty('thinkingSeconds');
    const published = (await started.published('recording', 'set-changed')).filter(({ setId }) => setId === changed.id);
    expect(published.map(({ lengthHintSeconds }) => lengthHintSeconds)).toEqual([120, 120, 120]);
  });

  test('reject a suggested length beyond the time limit, also against a saved limit', async () => {
    const refusal = [
      { path: 'lengthHintSeconds', message: 'The suggested length cannot be longer than the time limit' },
    ];
    const tooLong = { timeLimitSeconds: 60, lengthHintSeconds: 90 };
    expect((await call('post', path, { ...content, ...tooLong }).expect(400)).body.details).toEqual(refusal);
    const { body } = await call('post', path, { ...content, ...times }).expect(201);
    const change = (part: object) => call('put', `${path}/${body.interviewSet.id}`, { ...content, ...part });
    expect((await change({ timeLimitSeconds: 60 }).expect(400)).body.details).toEqual(refusal);
    await change({ timeLimitSeconds: 60, lengthHintSeconds: null }).expect(200);
  });

  test.each([
    ['thinkingSeconds', -1, 'Thinking time must be a whole number of seconds from 0 to 600'],
    ['timeLimitSeconds', 1801, 'The time limit must be a whole number of seconds from 15 to 1,800'],
    ['lengthHintSeconds', 60.5, 'The suggested length must be a whole number of seconds from 10 to 1,800'],
    ['lengthHintSeconds', '60', 'The suggested length must be a whole number of seconds from 10 to 1,800'],
  ])('%s cannot be %j', async (field, value, message) => {
    const { body } = await call('post', path, { ...content, [field]: value }).expect(400);
    expect(body.details).toEqual([{ path: field, message }]);
  });
});

describe('expert points', () => {
  const path = '/api/interviews/sets';
  const content = { title: 'T', technology: 'node-js', questions: ['One?', 'Two?'], tags: [] };
  const expertAnswers = ['A read is fast. It is small.', 'It is safe.'];
  const point = { text: 'Fast', weight: 2, acceptedWordings: ['Quick', 'Speedy'], optional: true };
  const create = async (changes: object = {}) =>
    (await call('post', path, { ...content, expertAnswers, ...changes }).expect(201)).body.interviewSet;
  const update = async (id: string, changes: object) =>
    (await call('put', `${path}/${id}`, { ...content, expertAnswers, ...changes }).expect(200)).body.interviewSet;

  test('are derived from the expert answers if none were sent, and shown to admins only', async () => {
    const { expertPoints } = await create();
    expect(expertPoints).toEqual(expertAnswers.map(derivePoints));
    expect(expertPoints[0]).toHaveLength(2);
    const { body, text } = await call('get', path, undefined, started.others.authorization).expect(200);
    expect(body.interviewSets[0]).not.toHaveProperty('expertPoints');
    expect(text).not.toContain('A read is small');
    expect((await call('get', path).expect(200)).body.interviewSets[0].expertPoints).toEqual(expertPoints);
  });

  test('are stored as sent, with defaults for omitted fields', async () => {
    const set = await create({ expertPoints: [[point, { text: ' Small ' }], []] });
    expect(set.expertPoints).toEqual([
      [point, { text: 'Small', weight: 1, acceptedWordings: [], optional: false }],
      derivePoints('It is safe.'),
    ]);
  });

  test('stay with an unchanged expert answer if an update sends none, and are derived again from a changed one', async () => {
    const set = await create({ expertPoints: [[point], [point]] });
    const changed = await update(set.id, {
      questions: ['New?', 'One, reworded?'],
      expertAnswers: ['It is new.', expertAnswers[0]],
    });
    expect(changed.expertPoints).toEqual([derivePoints('It is new.'), [point]]);
    const again = await update(set.id, { questions: ['One, reworded?', 'Blank?'], expertAnswers: undefined });
    expect(again).toMatchObject({ expertAnswers: [expertAnswers[0], ''], expertPoints: [[point], []] });
  });

  test('that still occur in a changed expert answer keep what an admin set', async () => {
    const [fast, small] = derivePoints(expertAnswers[0] as string) as [ExpertPoint, ExpertPoint];
    const weighted = { ...fast, weight: 3, acceptedWordings: ['Quick'], optional: true };
    const set = await create({ expertPoints: [[weighted, small], []] });
    const changed = await update(set.id, { expertAnswers: ['A read is fast. It is tiny.', expertAnswers[1]] });
    expect(changed.expertPoints[0]).toEqual([weighted, derivePoints('A read is fast. It is tiny.')[1]]);
  });

  test('require an expert answer', async () => {
    expect(await create({ expertAnswers: ['', ' '], expertPoints: [[point], [point]] })).toMatchObject({
      expertPoints: [[], []],
    });
  });

  test.each([
    ['expertPoints', [[point]], /parallel/],
    ['expertPoints.0', [new Array(41).fill(point), []], /at most 40 points/],
    ['expertPoints.0.0.text', [[{ ...point, text: ' ' }], []], /Point is required/],
    ['expertPoints.0.0.weight', [[{ ...point, weight: 0 }], []], /above zero/],
    ['expertPoints.1.0.acceptedWordings.0', [[], [{ ...point, acceptedWordings: [''] }]], /Wording is required/],
    ['expertPoints.0.0.text', [[{ ...point, text: { $gt: '' } }], []], /Point is required/],
  ])('are rejected with an invalid %s', async (field, expertPoints, message) => {
    const { body } = await call('post', path, { ...content, expertAnswers, expertPoints }).expect(400);
    expect(body.details[0]).toEqual({ path: field, message: expect.stringMatching(message) });
  });

  test('are accepted for the largest possible set', async () => {
    const count = 100;
    const sentence = `It ${'really '.repeat(34)}works.`;
    const answer = `${sentence} `.repeat(40).trim().slice(0, 10_000);
    const sent = new Array(count).fill(derivePoints(answer));
    const set = await create({
      questions: new Array(count).fill('Why?'),
      expertAnswers: new Array(count).fill(answer),
      expertPoints: sent,
    });
    expect(set.expertPoints).toEqual(sent);
  });
});

test('of practice sets keep the points of their answers', async () => {
  const content = {
    title: 'T',
    technology: 'node-js',
    questions: ['One?'],
    answers: ['It is so. It is thus.'],
    tags: [],
  };
  const { body } = await call('post', '/api/practice', content).expect(201);
  const { id } = body.practiceSet;
  const stored = async () => (await started.catalog.sets.findById(id).orFail().lean()).expertPoints;
  expect(await stored()).toEqual([derivePoints('It is so. It is thus.')]);
  await call('put', `/api/practice/${id}`, { ...content, answers: ['It is.'] }).expect(200);
  expect(await stored()).toEqual([derivePoints('It is.')]);
});

test('of practice sets have answers that everyone sees, none of them blank', async () => {
  const content = { title: 'T', technology: 'node-js', questions: ['One?'], answers: ['Yes.'], tags: [] };
  await call('post', '/api/practice', content).expect(201);
  const { body } = await call('get', '/api/practice', undefined, started.others.authorization).expect(200);
  expect(body.practiceSets[0].answers).toEqual(['Yes.']);
  const blank = await call('post', '/api/practice', { ...content, answers: [' '] }).expect(400);
  expect(blank.body.message).toBe('An answer cannot be blank');
});
