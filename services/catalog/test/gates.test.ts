import { allRoutes } from '@interview-prep/contracts/api/routes';
import { badTokens } from '@interview-prep/kit/testing/bad-tokens';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedCatalog, startCatalog } from './start-catalog.ts';

let started: StartedCatalog;
beforeAll(async () => {
  started = await startCatalog();
});
afterAll(() => started.stop());

const ours = allRoutes.filter(([, route]) => route.service === 'catalog');

describe.each(ours)('%s', (_name, route) => {
  const call = (authorization?: string) => {
    const path = route.path.replace(':id', new Types.ObjectId().toHexString());
    const sent = request(started.app)[route.method](path).send({});
    return authorization === undefined ? sent : sent.set('Authorization', authorization);
  };
  /** A request without a body, for an unknown id. */
  const passed = route.method === 'get' && !route.path.includes(':id') ? [200] : [400, 404];

  if (route.access === 'anyone')
    test('is open to anyone', async () => {
      expect(passed).toContain((await call()).status);
    });

  if (route.access !== 'anyone')
    test('rejects bad and missing tokens', async () => {
      for (const [fault, token] of await badTokens(started.identity, started.denylist)) {
        const { status, body } = await call(`Bearer ${token}`);
        expect([fault, status, body.code]).toEqual([fault, 401, 'unauthorized']);
      }
      for (const header of [undefined, '', 'Bearer', 'Basic YTpi', started.admin.token]) {
        expect((await call(header)).status).toBe(401);
      }
    });

  test('allows each role what it is permitted', async () => {
    const { admin, dev, others } = started;
    expect(passed).toContain((await call(admin.authorization)).status);
    for (const user of [dev, others]) {
      const { status } = await call(user.authorization);
      expect(route.access === 'admin' ? [403] : passed).toContain(status);
    }
  });

  if (route.path.includes(':id') && route.access === 'admin')
    test('rejects a malformed id', async () => {
      for (const id of ['1', '%7B%22$ne%22:1%7D', 'x'.repeat(2000)]) {
        const path = route.path.replace(':id', id);
        const { status, body } = await request(started.app)
          [route.method](path)
          .set('Authorization', started.admin.authorization)
          .send({});
        expect([status, body.message]).toEqual([400, 'This id is not valid']);
      }
    });
});

test('an unknown path returns 404 in the error format', async () => {
  const { status, body } = await request(started.app).get('/api/technologies/none/such');
  expect(status).toBe(404);
  expect(body).toEqual({ message: expect.any(String), code: 'not_found', requestId: expect.any(String) });
});
