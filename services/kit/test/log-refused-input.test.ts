import { routesOf } from '@interview-prep/contracts/api/route';
import { pino } from 'pino';
import request from 'supertest';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { conflict } from '../src/http/http-error.ts';
import { createRouteServer } from '../src/http/serve-route.ts';
import { createServiceApp } from '../src/http/service-app.ts';

const route = routesOf('catalog').post('/api/things/:id', 'anyone', {
  summary: 'Create a thing',
  description: 'Only a test serves it',
  params: z.object({ id: z.string() }),
  query: z.object({ deep: z.string().max(3).optional() }),
  body: z.object({ email: z.email(), parts: z.record(z.string(), z.number()).optional() }),
  status: 201,
  result: z.object({}),
});

test('rejected input is logged with its sender, call and fields, never its content, and at most 60 times a minute', async () => {
  const lines: Record<string, unknown>[] = [];
  const app = createServiceApp({
    log: pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line)) }),
    checks: {},
    routes: (express) => {
      createRouteServer(express, async () => Promise.reject(new Error('nobody signs in here'))).serveAnyone(
        route,
        async ({ body }) => {
          if (body.email === 'taken@example.com') throw conflict('This already exists');
          return {};
        },
      );
    },
  });
  const send = (body: object, query = '') => request(app).post(`/api/things/my-id${query}`).send(body);
  const logged = () => lines.filter(({ msg }) => msg === 'refused the input of a request');

  await send({ email: 'me@example.com' }).expect(201);
  expect(logged()).toEqual([]);
  await send({ email: 'my-secret', parts: { 'my secret\n\u0007': 'x' } }).expect(400);
  await send({ email: 'me@example.com' }, '?deep=my-secret').expect(400);
  await send({ email: 'taken@example.com' }).expect(409);
  const call = 'POST /api/things/:id';
  const address = expect.stringContaining('127.0.0.1');
  expect(logged()).toMatchObject([
    { status: 400, code: 'invalid_request', call, address, actor: null, fields: ['email', 'parts.my?secret??'] },
    { status: 400, call, fields: ['deep'] },
    { status: 409, code: 'conflict', call, fields: [] },
  ]);
  expect(JSON.stringify(logged())).not.toMatch(/my-secret|my-id/);

  for (let sent = 3; sent < 65; sent += 1) await send({}).expect(400);
  expect(logged()).toHaveLength(60);
});
