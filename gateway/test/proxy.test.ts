import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createServiceApp } from '@interview-prep/kit/http/service-app';
import { gatewayTokenHeader } from '@interview-prep/kit/tokens/gateway-tokens';
import type { Express } from 'express';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { isLocalAddress } from '../src/hidden-clients.ts';
import { proxyToServices } from '../src/proxy.ts';
import { log, type StartedGateway, startGateway } from './start-gateway.ts';

let started: StartedGateway;
let gateway: string;
let down: string;
let seen: StartedGateway['seen'];
beforeAll(async () => {
  started = await startGateway();
  ({ gateway, down, seen } = started);
});
afterAll(() => started.close());

/** Starts an upload with a declared length, and sends part of it. */
function beginUpload(to: string, path: string, sizeBytes: number, sent = Buffer.alloc(1)): Socket {
  const { port } = new URL(to);
  const socket = connect(Number(port), '127.0.0.1');
  held.push(socket);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: gateway\r\nContent-Length: ${sizeBytes}\r\n\r\n`);
  socket.write(sent);
  return socket;
}

/** The response to another request on the same connection, after everything sent before. */
async function nextAnswer(socket: Socket): Promise<string> {
  socket.write('GET /api/nothing HTTP/1.1\r\nHost: gateway\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString();
}

const held: Socket[] = [];
afterEach(() => {
  for (const socket of held.splice(0)) socket.destroy();
});

describe('proxying', () => {
  it('strips forgeable headers, and passes on the client address', async () => {
    const { body } = await request(gateway)
      .get('/api/technologies')
      .set({
        'X-User-Id': 'someone',
        'X-Forwarded-For': '6.6.6.6',
        Forwarded: 'for=6.6.6.6',
        Authorization: 'Bearer kept',
      })
      .expect(200);
    expect(body).not.toHaveProperty('x-user-id');
    expect(body).not.toHaveProperty('forwarded');
    expect(body['x-forwarded-for']).toContain('127.0.0.1');
    expect(body['x-forwarded-for']).not.toContain('6.6.6.6');
    expect(body.authorization).toBe('Bearer kept');
  });

  it('proves to each service with their shared secret that it is the gateway; clients cannot', async () => {
    const secret = 'of the gateway and the service catalog';
    const signing = createApp({ settings: { ...started.settings, GATEWAY_CATALOG_SECRET: secret }, log });
    const headersOf = async (app: Express | string, path: string) =>
      (await request(app).get(path).set(gatewayTokenHeader, 'forged')).body as Record<string, string>;
    const { [gatewayTokenHeader]: token = '' } = await headersOf(signing, '/api/technologies');
    const service = createServiceApp({
      log,
      checks: {},
      gatewaySecret: secret,
      routes: (app) => void app.get('/', (_req, res) => void res.json({})),
    });
    await request(service).get('/').set(gatewayTokenHeader, token).expect(200);
    expect(await headersOf(gateway, '/api/technologies')).not.toHaveProperty(gatewayTokenHeader);
  });

  it('marks requests through a proxy that TRUST_PROXY does not cover; clients cannot', async () => {
    const headersOf = async (headers: Record<string, string>) =>
      (await request(gateway).get('/api/technologies').set(headers).expect(200)).body as Record<string, string>;
    expect(await headersOf({ 'X-Forwarded-For': '6.6.6.6' })).toHaveProperty('x-shared-address', 'true');
    expect(await headersOf({ 'X-Shared-Address': 'true' })).not.toHaveProperty('x-shared-address');
  });

  it.each([
    ['127.0.0.1', true],
    ['::ffff:172.18.0.5', true],
    ['fd00::5', true],
    ['172.32.0.1', false],
    ['::ffff:93.184.216.34', false],
    ['2606:2800:220:1::1', false],
    [undefined, false],
  ])('recognizes %s as an address in its own network: %s', (address, isLocal) => {
    expect(isLocalAddress(address)).toBe(isLocal);
  });

  it('keeps a valid request id and replaces an invalid one', async () => {
    const kept = await request(gateway).get('/api/technologies').set('X-Request-Id', 'abcdefgh-1234');
    expect(kept.body['x-request-id']).toBe('abcdefgh-1234');
    const replaced = await request(gateway).get('/api/technologies').set('X-Request-Id', 'a b<script>');
    expect(replaced.body['x-request-id']).toMatch(/^[\w-]{36}$/);
  });

  it('passes on the response to a large rejected upload', async () => {
    const { body } = await request(gateway)
      .post('/api/interviews/recordings')
      .send(Buffer.alloc(11 * 1024 * 1024))
      .expect(413);
    expect(body.size).toBe(11 * 1024 * 1024);
  });

  it('returns 503 if a service hangs before or while it receives a request; a slow client may take its time', async () => {
    let isHanging = true;
    let isSlow = false;
    const deadlineMs = 300;
    const hung = await started.listen((req, res) => {
      if (isHanging) return;
      req.resume();
      const signs = setInterval(() => res.writeProcessing(), deadlineMs / 2);
      req.on('end', async () => {
        if (isSlow) await pause(3 * deadlineMs);
        clearInterval(signs);
        res.end('{}');
      });
    });
    const targets = { auth: hung, catalog: hung, recording: hung, history: hung };
    const app = await started.listen(
      createServiceApp({ log, checks: {}, routes: (express) => express.use(proxyToServices(targets, { deadlineMs })) }),
    );
    const whole = await request(app).get('/api/technologies');
    const unread = await request(app)
      .post('/api/interviews/recordings')
      .send(Buffer.alloc(8 * 1024 * 1024));
    for (const { status, body, headers } of [whole, unread]) {
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    }

    // A service that stores an upload slowly sends interim responses.
    isHanging = false;
    isSlow = true;
    await request(app).post('/api/interviews/recordings').send(Buffer.alloc(1000)).expect(200);

    isSlow = false;
    const slow = beginUpload(app, '/api/interviews/recordings', 2);
    await pause(2 * deadlineMs);
    slow.write('x');
    const [answer] = (await once(slow, 'data')) as [Buffer];
    expect(answer.toString()).toContain('200 OK');
  });

  it('does not let slow uploads delay others', async () => {
    seen.uploads = 0;
    for (let n = 0; n < 600; n += 1) beginUpload(gateway, '/api/interviews/recordings', 100);
    await expect.poll(() => seen.uploads).toBeGreaterThan(500);
    await request(gateway).get('/api/technologies').timeout(10_000).expect(200);
    await expect.poll(() => seen.uploads).toBe(600);
  });

  it('passes on a rejection before the upload has ended, and frees the service', async () => {
    const socket = beginUpload(gateway, '/api/practice/recordings', 10_000_000);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /);
    await expect.poll(() => seen.cutUploads).toEqual(['/api/practice/recordings']);
    // The rest is drained, because browsers send everything before they read the response.
    socket.write(Buffer.alloc(9_999_999));
    expect(await nextAnswer(socket)).toMatch(/^HTTP\/1.1 404 /);
  });

  it('reads an upload to its end while the service is down, so that the browser gets the response', async () => {
    const socket = beginUpload(down, '/api/interviews/recordings', 10_000_000, Buffer.alloc(10_000_000));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 503 /);
    expect(await nextAnswer(socket)).toMatch(/^HTTP\/1.1 404 /);
  });

  it('returns the error format if a service is down or closes the connection', async () => {
    const refused = await request(down).get('/api/interviews/history').expect(503);
    expect(refused.body).toMatchObject({ code: 'unavailable', requestId: expect.any(String) });
    expect(refused.headers['retry-after']).toBe('2');
    expect(JSON.stringify(refused.body)).not.toMatch(/127\.0\.0\.1|ECONN/);
    const reset = await request(gateway).get('/api/auth/me').expect(502);
    expect(reset.body.code).toBe('bad_gateway');
  });

  it('closes the connection if a service closes it during the response', async () => {
    const response = await fetch(`${gateway}/api/users`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await request(gateway).get('/api/technologies').expect(200);
  });
});
