import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { routesOf } from '@interview-prep/contracts/api/route';
import request from 'supertest';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRouteServer, type RouteServer } from '../src/http/serve-route.ts';
import { createServiceApp } from '../src/http/service-app.ts';
import { createLogger } from '../src/process/logger.ts';

const catalog = routesOf('catalog');
const described = { summary: 'for the test', description: 'Only a test serves it' };
const routes = {
  read: catalog.get('/api/things', 'anyone', described),
  create: catalog.post('/api/things', 'anyone', { ...described, body: z.object({ name: z.string() }) }),
  remove: catalog.delete('/api/things', 'anyone', described),
  upload: catalog.put('/api/things', 'anyone', { ...described, accepts: 'multipart' }),
};

const appWithin = (deadlineMs: number, serve: (server: RouteServer) => void) =>
  createServiceApp({
    log: createLogger('test', 'silent'),
    checks: {},
    routes: (express) => serve(createRouteServer(express, () => Promise.reject(new Error('unused')), { deadlineMs })),
  });

describe('a request', () => {
  test('gets 503 at the deadline, with and without a body, whatever delays it', async () => {
    const hanging = async () => new Promise<never>(() => undefined);
    const late = appWithin(100, (server) => {
      server.serveAnyone(routes.read, hanging);
      server.serveAnyone(routes.create, hanging);
      server.serveAnyone(
        routes.remove,
        async () => null,
        async (_req, _res, next) => {
          await pause(300);
          next();
        },
      );
    });
    const answers = await Promise.all([
      request(late).get('/api/things'),
      request(late).post('/api/things').send({ name: 'a' }),
      request(late).delete('/api/things'),
    ]);
    for (const { status, body, headers } of answers) {
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    }
  });

  test('with an upload has an additional second per megabyte', async () => {
    const uploads = appWithin(50, (server) => {
      server.serveAnyone(routes.upload, async ({ req }) => {
        await buffer(req);
        await pause(500);
        return null;
      });
    });
    const statusOf = async (sizeBytes: number) =>
      (await request(uploads).put('/api/things').type('application/octet-stream').send(Buffer.alloc(sizeBytes))).status;
    expect(await Promise.all([10, 5_000_000].map(statusOf))).toEqual([503, 204]);
  });
});
