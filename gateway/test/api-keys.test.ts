import { createServiceApp } from '@interview-prep/kit/http/service-app';
import express from 'express';
import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { exchangeApiKeys } from '../src/api-keys.ts';
import { log, startGateway } from './start-gateway.ts';

const key = `ipp_${'k'.repeat(43)}`;
let asked = 0;
let answer: (res: express.Response) => void;
let expiresInMs = 60_000;
beforeEach(() => {
  asked = 0;
  expiresInMs = 60_000;
  answer = (res) => res.json({ token: `token-${asked}`, expiresAt: new Date(Date.now() + expiresInMs).toISOString() });
});

/** A gateway in front of a fake auth, which responds as the test specifies and echoes the Authorization header. */
async function start() {
  const started = await startGateway();
  const auth = express().post('/api/auth/api-keys/token', express.json(), (req, res) => {
    asked += 1;
    if (req.body.key === key) answer(res);
    else res.status(401).json({ message: 'This API key does not work.', code: 'unauthorized' });
  });
  const url = await started.listen(auth);
  const app = createServiceApp({
    log,
    checks: {},
    routes: (routes) => {
      routes.use('/api', exchangeApiKeys(url));
      routes.get('/api/shown', (req, res) => {
        res.json({ authorization: req.headers.authorization ?? null });
      });
    },
  });
  const ask = (authorization: string) => request(app).get('/api/shown').set('Authorization', authorization);
  return { ask, close: () => started.close() };
}

test('a key is exchanged for a token once while the token lasts, also by concurrent requests', async () => {
  const { ask, close } = await start();
  const answers = await Promise.all([1, 2, 3].map(() => ask(`Bearer ${key}`).expect(200)));
  expect(answers.map(({ body }) => body.authorization)).toEqual(Array(3).fill('Bearer token-1'));
  expect(asked).toBe(1);
  await close();
});

test('a token that is about to expire is replaced', async () => {
  const { ask, close } = await start();
  expiresInMs = 10_000;
  await ask(`Bearer ${key}`).expect(200);
  expect((await ask(`Bearer ${key}`).expect(200)).body.authorization).toBe('Bearer token-2');
  await close();
});

test('other tokens are passed through', async () => {
  const { ask, close } = await start();
  expect((await ask('Bearer a.b.c').expect(200)).body.authorization).toBe('Bearer a.b.c');
  expect(asked).toBe(0);
  await close();
});

test('an error reaches the client in the error format, and the exchange is retried with the next request', async () => {
  const { ask, close } = await start();
  for (const count of [1, 2]) {
    const { body } = await ask(`Bearer ipp_${'x'.repeat(43)}`).expect(401);
    expect(body).toMatchObject({ code: 'unauthorized', message: 'This API key does not work.' });
    expect(asked).toBe(count);
  }
  answer = (res) => res.status(429).set('Retry-After', '60').json({ message: 'Too many attempts.', code: 'too_many' });
  expect((await ask(`Bearer ${key}`).expect(429)).headers['retry-after']).toBe('60');
  answer = (res) => res.status(500).json({ message: 'secret', code: 'x' });
  expect((await ask(`Bearer ${key}`).expect(503)).body.message).not.toContain('secret');
  await close();
});
