import { pino } from 'pino';
import request from 'supertest';
import { expect, test } from 'vitest';
import { HttpError } from '../src/http/http-error.ts';
import { createServiceApp } from '../src/http/service-app.ts';

test.each([
  [501, false],
  [500, true],
  [503, true],
])('a response with status %i is logged as an error: %s', async (status, isError) => {
  const lines: string[] = [];
  const app = createServiceApp({
    log: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
    checks: {},
    routes: (routes) => {
      routes.get('/x', () => {
        throw new HttpError(status, 'code', 'message');
      });
    },
  });
  await request(app).get('/x').expect(status);
  expect(lines.some((line) => line.includes('"level":50') && line.includes('stack'))).toBe(isError);
});

test('a request is one log line: route, status, time, request id', async () => {
  const lines: string[] = [];
  const app = createServiceApp({
    log: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
    checks: {},
    routes: (routes) => {
      routes.get('/api/things/:id', (_req, res) => {
        res.locals.user = { sub: 'u1' };
        res.json({});
      });
    },
  });
  await request(app).get('/api/things/7?token=x').set('x-request-id', 'request-0001').expect(200);
  await request(app).get('/healthz').expect(200);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      msg: 'request completed',
      method: 'GET',
      route: '/api/things/:id',
      status: 200,
      userId: 'u1',
      requestId: 'request-0001',
    },
  ]);
});
