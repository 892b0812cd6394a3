import { gzipSync } from 'node:zlib';
import { routesOf } from '@interview-prep/contracts/api/route';
import type { Express } from 'express';
import mongoose, { Error as MongooseError } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { conflict, HttpError, tooManyRequests } from '../src/http/http-error.ts';
import { createRouteServer } from '../src/http/serve-route.ts';
import { createServiceApp } from '../src/http/service-app.ts';
import { measureOutboxAge } from '../src/redis/outbox-age.ts';
import { createTokenDenylist, type TokenDenylist } from '../src/tokens/token-denylist.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';
import { badTokens } from '../testing/bad-tokens.ts';
import { createTestIdentity, type TestIdentity } from '../testing/identity.ts';

const catalog = routesOf('catalog');
const described = { summary: 'for the test', description: 'Only a test serves it' };
const Named = z.object({ name: z.string().min(1, 'Name is required') });
const routes = {
  open: catalog.get('/api/open', 'anyone', { ...described, result: z.object({ ok: z.boolean() }) }),
  member: catalog.get('/api/member', 'signed-in', { ...described, result: z.object({ sub: z.string() }) }),
  create: catalog.post('/api/things/:id', 'admin', {
    ...described,
    status: 201,
    params: z.object({ id: z.string().max(3, 'This id is not valid') }),
    query: z.object({ deep: z.stringbool().default(false) }),
    body: Named,
    result: Named.extend({ deep: z.boolean() }),
  }),
  say: catalog.post('/api/say', 'anyone', { ...described, body: Named }),
  send: catalog.post('/api/send', 'signed-in', { ...described, body: Named }),
  remove: catalog.delete('/api/things/:id', 'admin', { ...described, params: z.object({ id: z.string() }) }),
  broken: catalog.get('/api/broken', 'anyone', { ...described, result: z.object({ count: z.number() }) }),
  fail: catalog.get('/api/fail/:how', 'anyone', { ...described, params: z.object({ how: z.string() }) }),
};

const secretWords = 'connect ECONNREFUSED mongodb://admin:hunter2@db:27017';
const failures: Record<string, () => Error> = {
  conflict: () => conflict('Technology already exists'),
  limit: () => tooManyRequests('Too many attempts.', 30),
  unexpected: () => new TypeError(secretWords),
  duplicate: () => Object.assign(new Error(secretWords), { code: 11_000, keyPattern: { email: 1 } }),
  cast: () => new MongooseError.CastError('ObjectId', 'x', '_id'),
  mongodb: () => new mongoose.mongo.MongoNetworkError(secretWords),
  redis: () => Object.assign(new Error(secretWords), { name: 'MaxRetriesPerRequestError' }),
};

let backing: TestBacking;
let denylist: TokenDenylist;
let identity: TestIdentity;
let app: Express;
let ready = true;
let stopping = false;
const reached: string[] = [];

beforeAll(async () => {
  backing = await createTestBacking('kit');
  denylist = createTokenDenylist(backing.redis, backing.settings.REDIS_PREFIX);
  identity = await createTestIdentity(denylist);
  app = createServiceApp({
    log: backing.log,
    isStopping: () => stopping,
    metricsToken: 'metrics-token',
    checks: {
      database: async () => ready,
      never: () => (ready ? Promise.resolve(true) : new Promise(() => undefined)),
    },
    routes: (express) => {
      const server = createRouteServer(express, identity.verify);
      server.serveAnyone(routes.open, async () => ({ ok: true, secret: 'undeclared' }));
      server.serve(routes.member, async ({ user }) => ({ sub: user.sub }));
      server.serve(
        routes.create,
        async ({ params, query, body }) => {
          reached.push(`handler ${params.id}`);
          return { ...body, deep: query.deep };
        },
        (_req, _res, next) => {
          reached.push('before');
          next();
        },
      );
      server.serveAnyone(routes.say, async () => null);
      server.serve(routes.send, async () => null);
      server.serve(routes.remove, async () => null);
      server.serveAnyone(routes.broken, async () => ({ count: 'three' }) as unknown as { count: number });
      server.serveAnyone(routes.fail, async ({ params }) => {
        throw failures[params.how]?.() ?? new HttpError(404, 'not_found', 'No such failure');
      });
    },
  });
});
afterAll(() => backing.close());

const post = (authorization: string, body?: unknown, path = '/api/things/1') =>
  request(app)
    .post(path)
    .set('Authorization', authorization)
    .send(body as object);

describe('a route', () => {
  test('returns only declared fields', async () => {
    const { body, headers } = await request(app).get('/api/open').expect(200);
    expect(body).toEqual({ ok: true });
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  test('forbids caching, for errors too', async () => {
    for (const path of ['/api/open', '/api/member', '/api/broken', '/api/none']) {
      expect((await request(app).get(path)).headers['cache-control']).toBe('no-store');
    }
  });

  test('returns 500 without details for a result that does not match its schema', async () => {
    const { body } = await request(app).get('/api/broken').expect(500);
    expect(body).toMatchObject({ code: 'internal', message: 'Something went wrong on our side. Please try again.' });
    expect(body).not.toHaveProperty('details');
  });

  test('for signed-in users rejects every bad token, and a missing one', async () => {
    for (const [fault, token] of await badTokens(identity, denylist)) {
      const { status } = await request(app).get('/api/member').set('Authorization', `Bearer ${token}`);
      expect([fault, status]).toEqual([fault, 401]);
    }
    await request(app).get('/api/member').expect(401);
    const user = await identity.user('others');
    const { body } = await request(app).get('/api/member').set('Authorization', user.authorization).expect(200);
    expect(body).toEqual({ sub: user.id });
  });

  test('checks in order: token, role, `before`, input', async () => {
    const admin = await identity.user('admin');
    const dev = await identity.user('dev');
    reached.length = 0;
    await request(app).post('/api/things/1').send({}).expect(401);
    await post(dev.authorization, {}).expect(403);
    expect(reached).toEqual([]);
    await post(admin.authorization, {}).expect(400);
    expect(reached).toEqual(['before']);
    const { body } = await post(admin.authorization, { name: 'a', role: 'admin' }, '/api/things/1?deep=true').expect(
      201,
    );
    expect(body).toEqual({ name: 'a', deep: true });
    expect(reached).toEqual(['before', 'before', 'handler 1']);
  });

  test('without a result returns 204 with an empty body', async () => {
    const admin = await identity.user('admin');
    await request(app).delete('/api/things/1').set('Authorization', admin.authorization).expect(204, '');
  });

  test.each([
    ['an invalid body', { name: '' }, '/api/things/1', 400, 'Name is required'],
    ['no body', undefined, '/api/things/1', 400, 'Invalid input: expected string, received undefined'],
    ['an invalid path parameter', { name: 'a' }, '/api/things/1234', 400, 'This id is not valid'],
    ['a path that is not UTF-8', { name: 'a' }, '/api/things/%ff', 400, 'This address is not valid'],
    [
      'a body that is too large',
      { name: 'x'.repeat(5_000_000) },
      '/api/things/1',
      413,
      'The request body is too large',
    ],
  ])('with %s returns an error that names it', async (_fault, sent, path, status, message) => {
    const admin = await identity.user('admin');
    const answer = await post(admin.authorization, sent, path);
    expect([answer.status, answer.body.message]).toEqual([status, message]);
  });

  test('rejects a body that is not JSON', async () => {
    const admin = await identity.user('admin');
    const send = (type: string, text: string) =>
      request(app).post('/api/things/1').set('Authorization', admin.authorization).set('Content-Type', type).send(text);
    expect((await send('application/json', '{"name":').expect(400)).body.message).toBe(
      'The request body is not valid JSON',
    );
    await send('application/x-www-form-urlencoded', 'name=a').expect(415);
    await send('text/plain', 'name').expect(415);
  });

  const small = JSON.stringify({ name: 'a' });
  const large = JSON.stringify({ name: 'x'.repeat(5_000_000) });
  test.each([
    ['invalid gzip', 'gzip', Buffer.from(small), 400, 'invalid_request'],
    ['invalid deflate', 'deflate', Buffer.from(small), 400, 'invalid_request'],
    ['invalid br', 'br', Buffer.from(small), 400, 'invalid_request'],
    ['invalid zstd', 'zstd', Buffer.from(small), 400, 'invalid_request'],
    ['gzip that ends too early', 'gzip', gzipSync(small).subarray(0, 20), 400, 'invalid_request'],
    ['gzip of invalid JSON', 'gzip', gzipSync('{"name":'), 400, 'invalid_request'],
    ['gzip of a body that is too large', 'gzip', gzipSync(large), 413, 'too_large'],
    ['an unknown encoding', 'rot13', Buffer.from(small), 415, 'unsupported_media'],
    ['valid gzip', 'gzip', gzipSync(small), 201, undefined],
  ])('with %s as its body returns the right status', async (_what, encoding, sent, status, code) => {
    const admin = await identity.user('admin');
    const { body, ...answer } = await request(app)
      .post('/api/things/1')
      .set({ Authorization: admin.authorization, 'Content-Type': 'application/json', 'Content-Encoding': encoding })
      .serialize((bytes) => bytes)
      .send(sent);
    expect([answer.status, body.code]).toEqual([status, code]);
    if (status !== 201) expect(body).toEqual({ code, message: expect.any(String), requestId: expect.any(String) });
  });
  test.each([
    ['/api/say', 200_000, 300_000],
    ['/api/send', 900_000, 1_100_000],
    ['/api/things/1', 3_900_000, 5_000_000],
  ])('for %s accepts %i bytes, and does not read %i', async (path, taken, refused) => {
    const { authorization } = await identity.user('admin');
    const send = (length: number) =>
      request(app)
        .post(path)
        .set('Authorization', authorization)
        .send({ name: 'x'.repeat(length) });
    expect((await send(taken)).status).toBeLessThan(300);
    expect((await send(refused)).status).toBe(413);
  });
  test('rejects an unknown character set', async () => {
    const admin = await identity.user('admin');
    const { body } = await request(app)
      .post('/api/things/1')
      .set({ Authorization: admin.authorization, 'Content-Type': 'application/json; charset=x-none' })
      .send(small)
      .expect(415);
    expect(body.message).toBe('This character set is not supported');
  });
});

describe('an error', () => {
  test.each([
    ['conflict', 409, 'conflict', 'Technology already exists'],
    ['limit', 429, 'too_many_requests', 'Too many attempts.'],
    ['unexpected', 500, 'internal', 'Something went wrong on our side. Please try again.'],
    ['duplicate', 409, 'conflict', 'This already exists'],
    ['cast', 400, 'invalid_request', 'This id is not valid'],
    ['mongodb', 503, 'unavailable', 'The service cannot reach its data right now. Please try again.'],
    ['redis', 503, 'unavailable', 'The service cannot reach its data right now. Please try again.'],
  ])("%s has the API's error format and reveals nothing internal", async (how, status, code, message) => {
    const { body, headers, text } = await request(app).get(`/api/fail/${how}`).expect(status);
    expect(body).toEqual({ message, code, requestId: headers['x-request-id'] });
    expect(text).not.toMatch(/hunter2|mongo|ECONN|stack|\.ts/i);
    if (status === 429) expect(headers['retry-after']).toBe('30');
    if (status === 503) expect(headers['retry-after']).toBe('2');
  });

  test('lists the invalid fields', async () => {
    const admin = await identity.user('admin');
    const { body } = await post(admin.authorization, { name: '' }).expect(400);
    expect(body).toMatchObject({ code: 'invalid_request', details: [{ path: 'name', message: 'Name is required' }] });
  });

  test('is a 404 for an unknown path, for any method', async () => {
    for (const sent of [request(app).get('/api/none'), request(app).put('/api/open'), request(app).get('/')]) {
      const { body } = await sent.expect(404);
      expect(body).toMatchObject({ code: 'not_found', message: 'There is nothing at this address' });
    }
  });
});

describe('each process', () => {
  test('keeps a valid request id, and otherwise generates one', async () => {
    const id = async (given: string) =>
      (await request(app).get('/api/open').set('X-Request-Id', given)).headers['x-request-id'];
    expect(await id('abcdefgh-1234')).toBe('abcdefgh-1234');
    for (const bad of ['short', 'with space in it', 'x'.repeat(65), '{"a":1}aaaa']) {
      expect(await id(bad)).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('serves its health, readiness and metrics', async () => {
    await request(app).get('/healthz').expect(200, { status: 'ok' });
    const checks = { database: true, never: true };
    await request(app).get('/readyz').expect(200, { ready: true, checks });
    stopping = true;
    await request(app).get('/readyz').expect(503, { ready: false, checks });
    stopping = false;
    ready = false;
    await request(app)
      .get('/readyz')
      .expect(503, { ready: false, checks: { database: false, never: false } });
    ready = true;
    const { text } = await request(app).get('/metrics').set('Authorization', 'Bearer metrics-token').expect(200);
    await request(app).get('/metrics').set('Authorization', 'Bearer another').expect(401);
    expect(text).toMatch(/http_request_duration_seconds_count\{[^}]*method="GET"[^}]*\} \d+/);
  });

  test("serves its metrics while the outbox's age cannot be read", async () => {
    const forget = measureOutboxAge('broken', () => Promise.reject(new Error('MongoDB is down')));
    const { text } = await request(app).get('/metrics').set('Authorization', 'Bearer metrics-token').expect(200);
    forget();
    expect(text).not.toContain('outbox="broken"');
  });
});
