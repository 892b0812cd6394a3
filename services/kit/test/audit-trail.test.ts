import { idParams } from '@interview-prep/contracts/api/fields';
import { routesOf } from '@interview-prep/contracts/api/route';
import type { AuditEvent } from '@interview-prep/contracts/audit/audit-event';
import request from 'supertest';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addToAudit } from '../src/audit/audit-request.ts';
import { type AuditTrail, openAuditTrail } from '../src/audit/audit-trail.ts';
import { badRequest } from '../src/http/http-error.ts';
import { createRouteServer } from '../src/http/serve-route.ts';
import { createServiceApp } from '../src/http/service-app.ts';
import { createEventFlood } from '../src/redis/event-flood.ts';
import { createJobProducer, type JobProducer } from '../src/redis/job-queues.ts';
import { createTokenDenylist } from '../src/tokens/token-denylist.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';
import { createTestIdentity, type TestIdentity } from '../testing/identity.ts';

let backing: TestBacking;
let jobs: JobProducer;
let identity: TestIdentity;
let audit: AuditTrail;
function openTrail() {
  const { mongo, redis, log, settings } = backing;
  return openAuditTrail({ service: 'kit', mongo, jobs, redis, prefix: settings.REDIS_PREFIX, log });
}
beforeEach(async () => {
  backing = await createTestBacking('kit');
  const prefix = backing.settings.REDIS_PREFIX;
  jobs = createJobProducer(backing.redis, prefix);
  identity = await createTestIdentity(createTokenDenylist(backing.redis, prefix));
  audit = openTrail();
});
afterEach(async () => {
  await audit.stop();
  await jobs.close();
  await backing.close();
});

async function published(): Promise<AuditEvent[]> {
  const waiting = await jobs.queue('auth').getJobs(['waiting'], 0, -1, true);
  return waiting.map(({ data }) => data as AuditEvent);
}

const id = '0123456789abcdef01234567';
const auth = routesOf('auth');
const common = { summary: 's', description: 'd' };
const routes = {
  remove: auth.delete('/things/:id', 'admin', {
    ...common,
    params: idParams,
    audit: { action: 'set.delete', target: 'set' },
  }),
  read: auth.get('/things', 'admin', common),
  own: auth.get('/own', 'signed-in', common),
};

function createApp(fails = false) {
  return createServiceApp({
    log: backing.log,
    checks: {},
    routes: (app) => {
      const server = createRouteServer(app, identity.verify, { audit });
      server.serve(routes.remove, async ({ res }) => {
        addToAudit(res, { details: { kind: 'interview' } });
        if (fails) throw badRequest('no');
        return null;
      });
      server.serve(routes.read, async () => null);
      server.serve(routes.own, async () => null);
    },
  });
}

describe('an audited route', () => {
  test('records who did what to whom, from where, the outcome, and the request id', async () => {
    const admin = await identity.user('admin');
    await request(createApp())
      .delete(`/things/${id.toUpperCase()}`)
      .set({ Authorization: admin.authorization, 'X-Forwarded-For': '192.0.2.7', 'X-Request-Id': 'request-17' })
      .expect(204);
    expect(await published()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        at: expect.any(String),
        service: 'kit',
        action: 'set.delete',
        outcome: 'success',
        actor: admin.id,
        address: '192.0.2.7',
        target: `set:${id}`,
        requestId: 'request-17',
        details: { kind: 'interview' },
      },
    ]);
  });

  test('records failures and refusals with their reason', async () => {
    const [admin, dev] = [await identity.user('admin'), await identity.user('dev')];
    await request(createApp(true)).delete(`/things/${id}`).set('Authorization', admin.authorization).expect(400);
    await request(createApp()).delete(`/things/${id}`).set('Authorization', dev.authorization).expect(403);
    expect((await published()).map(({ outcome, actor, details }) => [outcome, actor, details])).toEqual([
      ['failed', admin.id, { kind: 'interview', reason: 'invalid_request' }],
      ['denied', dev.id, { reason: 'forbidden' }],
    ]);
  });

  test('is not served while its event cannot be written', async () => {
    const admin = await identity.user('admin');
    await backing.mongo.close();
    await request(createApp()).delete(`/things/${id}`).set('Authorization', admin.authorization).expect(503);
    backing.mongo = await backing.mongo.openUri(backing.settings.MONGODB_URI, {
      dbName: `${backing.settings.MONGODB_PREFIX}kit`,
    });
  });
});

test('every rejected token is recorded; a request without one, or with an expired one, is not', async () => {
  const app = createApp();
  const [dev, expired] = [await identity.user('dev'), await identity.user('admin', { expiresInSeconds: -5 })];
  await request(app).get('/own').expect(401);
  await request(app).get('/own').set('Authorization', expired.authorization).expect(401);
  await request(app).get('/own').set('Authorization', dev.authorization).expect(204);
  expect(await published()).toEqual([]);
  await request(app).get('/things').set('Authorization', dev.authorization).expect(403);
  await request(app).get('/own').set('Authorization', 'Bearer forged').expect(401);
  expect((await published()).map(({ action, outcome, actor, details }) => [action, outcome, actor, details])).toEqual([
    ['access', 'denied', dev.id, { reason: 'forbidden', call: 'GET /things' }],
    ['access', 'denied', null, { reason: 'unauthorized', call: 'GET /own' }],
  ]);
});

test('an event left open by a kill is published as interrupted', async () => {
  await audit.begin({ action: 'user.delete', target: 'user:1' });
  await audit.stop();
  expect(await published()).toEqual([]);
  await backing.mongo.collection('audit_outbox').updateMany({}, { $set: { at: new Date(Date.now() - 61_000) } });
  audit = openTrail();
  await expect.poll(published).toMatchObject([{ action: 'user.delete', outcome: 'interrupted', target: 'user:1' }]);
});

test('an event that was not queued because Redis was down is published once', async () => {
  const offline = { ...jobs, add: () => Promise.reject(new Error('down')) } as JobProducer;
  const { mongo, redis, log, settings } = backing;
  await audit.stop();
  const trail = { service: 'kit', mongo, jobs: offline, redis, prefix: settings.REDIS_PREFIX, log };
  const cut = openAuditTrail(trail);
  await cut.record({ action: 'sign-out', outcome: 'success' });
  await cut.stop();
  audit = openTrail();
  await expect.poll(published).toMatchObject([{ action: 'sign-out', outcome: 'success', actor: null }]);
});

test('a flood of denials is counted, not recorded one by one', () => {
  let now = 0;
  const flood = createEventFlood(() => now);
  for (let n = 0; n < 60; n += 1) expect(flood.pass('a')).toBe(0);
  for (let n = 0; n < 500; n += 1) expect(flood.pass('a')).toBeNull();
  expect(flood.pass('b')).toBe(0);
  now = 60_000;
  expect(flood.pass('a')).toBe(500);
  expect(flood.pass('a')).toBe(0);
});
