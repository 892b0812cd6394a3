import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gatewayTokenHeader } from '@interview-prep/kit/gateway-tokens';
import { createLogger } from '@interview-prep/kit/logger';
import { createServiceApp } from '@interview-prep/kit/service-app';
import type { Express } from 'express';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { readSettings, type Settings } from '../src/config.ts';
import { isLocalAddress } from '../src/hidden-clients.ts';
import { proxyToServices } from '../src/proxy.ts';

const metricsToken = 'a-token-for-metrics';
const servers: Server[] = [];

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const mediaHeaders = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, max-age=3600',
  'content-length': '2',
  'content-range': 'bytes 1-2/4',
  'content-type': 'audio/webm',
  etag: '"abc"',
};
let uploads = 0;
const engines = { worker: 'a', speech: 'whisper base-q5_1', unavailable: [], assess: 'reference' };
const cutUploads: string[] = [];

/** A stand-in for a service: each path behaves in one way that a real service may. */
const behaviours: Record<string, (req: IncomingMessage, res: ServerResponse) => void> = {
  '/readyz': (_req, res) => res.end('{}'),
  '/api/technologies': (req, res) => res.setHeader('content-type', 'application/json').end(JSON.stringify(req.headers)),
  '/api/users': (_req, res) => {
    res.writeHead(200, { 'content-length': '1000' });
    res.write('half of it', () => res.destroy());
  },
  '/api/media/1': (_req, res) => res.writeHead(206, mediaHeaders).end('bc'),
  '/api/auth/me': (req) => req.socket.destroy(),
  '/api/practice/recordings': (req, res) => {
    req.socket.once('close', () => cutUploads.push(req.url ?? ''));
    res.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"unauthorized"}');
  },
  '/api/recordings/engines': ({ headers }, res) => {
    res.writeHead(headers.authorization === 'Bearer admin' ? 200 : 403, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ workers: [engines] }));
  },
  '/api/interviews/recordings': (req, res) => {
    uploads += 1;
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    req.on('end', () => res.writeHead(413, { 'content-type': 'application/json' }).end(JSON.stringify({ size })));
  },
};

/** Begins an upload of a declared length, and sends a part of it. */
function beginUpload(to: string, path: string, sizeBytes: number, sent = Buffer.alloc(1)): Socket {
  const { port } = new URL(to);
  const socket = connect(Number(port), '127.0.0.1');
  held.push(socket);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: gateway\r\nContent-Length: ${sizeBytes}\r\n\r\n`);
  socket.write(sent);
  return socket;
}

/** The answer to another request on the same connection, after all that was sent before it. */
async function nextAnswer(socket: Socket): Promise<string> {
  socket.write('GET /api/nothing HTTP/1.1\r\nHost: gateway\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString();
}

const held: Socket[] = [];
afterEach(() => {
  for (const socket of held.splice(0)) socket.destroy();
});

let root: string;
let gateway: string;
let down: string;
let serviceUrl: string;
let settingsOf: (recordingAndHistory: string) => Settings;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'web-'));
  await mkdir(join(root, 'assets'));
  await writeFile(join(root, 'index.html'), '<!doctype html><title>app</title>');
  await writeFile(join(root, 'assets', 'main-abc123.js'), 'export {}');
  const service = await listen((req, res) => {
    const behave = behaviours[(req.url ?? '').split('?')[0] ?? ''];
    if (behave) behave(req, res);
    else res.writeHead(404).end();
  });
  serviceUrl = service;
  const settings = (recordingAndHistory: string) =>
    readSettings({
      PORT: '0',
      AUTH_URL: service,
      CATALOG_URL: service,
      RECORDING_URL: recordingAndHistory,
      HISTORY_URL: recordingAndHistory,
      WEB_ROOT: root,
    });
  settingsOf = settings;
  const log = createLogger('gateway', 'silent');
  gateway = await listen(createApp({ settings: { ...settings(service), METRICS_TOKEN: metricsToken }, log }));
  down = await listen(createApp({ settings: settings('http://127.0.0.1:9'), log }));
});

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(root, { recursive: true });
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

  it('shows each service that it is the gateway, by the secret that they share; clients cannot', async () => {
    const secret = 'of the gateway and the service catalog';
    const log = createLogger('gateway', 'silent');
    const signing = createApp({ settings: { ...settingsOf(serviceUrl), GATEWAY_CATALOG_SECRET: secret }, log });
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

  it('marks requests through a proxy that TRUST_PROXY does not name; clients cannot', async () => {
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
  ])('takes %s for an address of its own network: %s', (address, isLocal) => {
    expect(isLocalAddress(address)).toBe(isLocal);
  });

  it('keeps a valid request id and replaces an invalid one', async () => {
    const kept = await request(gateway).get('/api/technologies').set('X-Request-Id', 'abcdefgh-1234');
    expect(kept.body['x-request-id']).toBe('abcdefgh-1234');
    const replaced = await request(gateway).get('/api/technologies').set('X-Request-Id', 'a b<script>');
    expect(replaced.body['x-request-id']).toMatch(/^[\w-]{36}$/);
  });

  it('passes on the answer to a large refused upload', async () => {
    const { body } = await request(gateway)
      .post('/api/interviews/recordings')
      .send(Buffer.alloc(11 * 1024 * 1024))
      .expect(413);
    expect(body.size).toBe(11 * 1024 * 1024);
  });

  it('answers 503 where a service hangs, before or while it gets a request; a slow client may take its time', async () => {
    let isHanging = true;
    let isSlow = false;
    const deadlineMs = 300;
    const hung = await listen((req, res) => {
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
    const log = createLogger('gateway', 'silent');
    const app = await listen(
      createServiceApp({ log, checks: {}, routes: (express) => express.use(proxyToServices(targets, { deadlineMs })) }),
    );
    const whole = await request(app).get('/api/technologies');
    const unread = await request(app)
      .post('/api/interviews/recordings')
      .send(Buffer.alloc(8 * 1024 * 1024));
    for (const { status, body, headers } of [whole, unread]) {
      expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '2']);
    }

    // A service that stores an upload slowly gives signs of life.
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
    uploads = 0;
    for (let n = 0; n < 600; n += 1) beginUpload(gateway, '/api/interviews/recordings', 100);
    await expect.poll(() => uploads).toBeGreaterThan(500);
    await request(gateway).get('/api/technologies').timeout(10_000).expect(200);
    await expect.poll(() => uploads).toBe(600);
  });

  it('passes a refusal on before the upload has ended, and frees the service', async () => {
    const socket = beginUpload(gateway, '/api/practice/recordings', 10_000_000);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 401 /);
    await expect.poll(() => cutUploads).toEqual(['/api/practice/recordings']);
    // The rest is read, because a browser sends everything before it reads the answer.
    socket.write(Buffer.alloc(9_999_999));
    expect(await nextAnswer(socket)).toMatch(/^HTTP\/1.1 404 /);
  });

  it('reads an upload to its end while the service is down, so that a browser reads the answer', async () => {
    const socket = beginUpload(down, '/api/interviews/recordings', 10_000_000, Buffer.alloc(10_000_000));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1.1 503 /);
    expect(await nextAnswer(socket)).toMatch(/^HTTP\/1.1 404 /);
  });

  it('answers in the error format if a service is down or ends the connection', async () => {
    const refused = await request(down).get('/api/interviews/history').expect(503);
    expect(refused.body).toMatchObject({ code: 'unavailable', requestId: expect.any(String) });
    expect(refused.headers['retry-after']).toBe('2');
    expect(JSON.stringify(refused.body)).not.toMatch(/127\.0\.0\.1|ECONN/);
    const reset = await request(gateway).get('/api/auth/me').expect(502);
    expect(reset.body.code).toBe('bad_gateway');
  });

  it('closes the connection if a service closes it during the answer', async () => {
    const response = await fetch(`${gateway}/api/users`);
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    await request(gateway).get('/api/technologies').expect(200);
  });
});

describe('what the services answer', () => {
  it('gets security headers', async () => {
    const { headers } = await request(gateway).get('/api/technologies').expect(200);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'content-security-policy': expect.stringMatching(
        /base-uri 'none'.*frame-ancestors 'none'.*require-trusted-types-for 'script'/,
      ),
    });
    // No other origin may read an answer.
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    const refused = await request(down).get('/api/interviews/history').expect(503);
    expect(refused.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });

  it('lets no other site read or embed anything', async () => {
    const foreign = { Origin: 'https://other.example', 'Access-Control-Request-Method': 'POST' };
    for (const sent of [
      request(gateway).get('/api/technologies').set(foreign),
      request(gateway).options('/api/technologies').set(foreign),
      request(gateway).get('/').set(foreign),
    ]) {
      const { headers } = await sent;
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers).toMatchObject({ 'cross-origin-resource-policy': 'same-origin' });
    }
  });

  it("keeps a service's headers about ranges and caching", async () => {
    const { status, headers } = await request(gateway).get('/api/media/1').set('Range', 'bytes=1-2');
    expect([status, headers]).toMatchObject([206, mediaHeaders]);
  });
});

describe('metrics', () => {
  it('are served to the bearer of METRICS_TOKEN alone', async () => {
    const asked = (authorization: string) => request(gateway).get('/metrics').set('Authorization', authorization);
    const { text } = await asked(`Bearer ${metricsToken}`).expect(200);
    expect(text).toContain('http_request_duration_seconds');
    for (const wrong of ['', 'Bearer ', `Bearer ${metricsToken}x`, metricsToken])
      expect((await asked(wrong)).text).toContain('<title>app</title>');
    // Without the setting nobody reads them.
    expect((await request(down).get('/metrics').set('Authorization', 'Bearer undefined')).text).toContain('<title>');
  });
});

describe('its own routes', () => {
  it('reports the state of the services', async () => {
    expect((await request(gateway).get('/api/health').expect(200)).body).toEqual({
      status: 'ok',
      services: { auth: 'ok', catalog: 'ok', recording: 'ok', history: 'ok' },
    });
    expect((await request(down).get('/api/health').expect(200)).body).toMatchObject({
      status: 'degraded',
      services: { history: 'down', auth: 'ok' },
    });
  });

  it('shows admins only which engines the workers use', async () => {
    const asked = (token: string) => request(gateway).get('/api/health').set('Authorization', `Bearer ${token}`);
    expect((await asked('admin').expect(200)).body).toMatchObject({ status: 'ok', workers: [engines] });
    expect((await asked('candidate').expect(200)).body).not.toHaveProperty('workers');
  });

  it('publishes the OpenAPI document and its page', async () => {
    const { body } = await request(gateway).get('/api/openapi.json').expect(200);
    expect(body.openapi).toBe('3.1.0');
    expect(body.paths['/api/interviews/sets/{id}'].put.responses).toHaveProperty('404');
    const upload = body.paths['/api/interviews/recordings'].post.requestBody.content['multipart/form-data'].schema;
    expect(upload.properties).toHaveProperty('audio');
    expect(body.servers).toEqual([{ url: '/', description: expect.any(String) }]);
    expect((await request(gateway).get('/api/docs').expect(200)).text).toContain('/api/interviews/{id}');
  });

  it.each([
    ['post', '/api/health', 'GET, HEAD'],
    ['delete', '/api/technologies', 'GET, HEAD, POST'],
    ['patch', '/api/interviews/sets/0123456789abcdef01234567', 'PUT, DELETE'],
    ['get', '/api/interviews/recordings', 'POST'],
    ['delete', '/api/interviews/history/', 'GET, HEAD'],
    ['trace', '/api/technologies', 'GET, HEAD, POST'],
  ] as const)('answers 405 to %s %s, and says what is allowed', async (method, path, allowed) => {
    const response = await request(gateway)[method](path).expect(405);
    expect(response.headers.allow).toBe(allowed);
    expect(response.body).toMatchObject({ code: 'method_not_allowed', message: expect.any(String) });
  });

  it('answers an unknown path under /api in the error format', async () => {
    const { body } = await request(gateway).get('/api/nothing').expect(404);
    expect(body).toMatchObject({ code: 'not_found', message: expect.any(String) });
  });

  it('serves the settings of the web app', async () => {
    expect((await request(gateway).get('/api/settings').expect(200)).body).toEqual({
      googleClientId: null,
      oidc: null,
      avatarUrl: null,
      demoLogins: [],
    });
  });
});

describe('the avatar service and the third party', () => {
  it('are in the settings of the web app if configured, and the page may reach them', async () => {
    const set = readSettings({
      PORT: '0',
      AUTH_URL: 'http://a',
      CATALOG_URL: 'http://b',
      RECORDING_URL: 'http://c',
      HISTORY_URL: 'http://d',
      WEB_ROOT: root,
      AVATAR_URL: 'https://avatars.example.com/shapes.svg?seed={seed}',
      GOOGLE_CLIENT_ID: 'client-id',
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_NAME: 'Acme',
    });
    const app = await listen(createApp({ settings: set, log: createLogger('gateway', 'silent') }));
    expect((await request(app).get('/api/settings').expect(200)).body).toMatchObject({
      avatarUrl: 'https://avatars.example.com/shapes.svg?seed={seed}',
      googleClientId: 'client-id',
      oidc: { name: 'Acme' },
    });
    const policy = (await request(app).get('/').expect(200)).headers['content-security-policy'] ?? '';
    const sources = (name: string) => new RegExp(`${name} ([^;]*)`).exec(policy)?.[1]?.split(' ');
    expect(sources('img-src')).toContain('https://avatars.example.com');
    expect(sources('script-src')).toContain('https://accounts.google.com/gsi/client');
  });
});

describe('the web app', () => {
  it('is served at every address, with security headers', async () => {
    const { headers, text } = await request(gateway).get('/interviews/abc').set('Accept', 'text/html').expect(200);
    expect(text).toContain('<title>app</title>');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-security-policy']).toContain("media-src 'self' blob:");
    expect(headers['permissions-policy']).toBe('camera=(self), microphone=(self)');
  });

  it('lists no folder, echoes no TRACE, and has no file of the repository', async () => {
    await request(gateway).get('/assets/').set('Accept', 'text/html').expect(404);
    await request(gateway).trace('/').expect(404);
    for (const path of [
      '/.git/config',
      '/package.json',
      '/%2e%2e/%2e%2e/package.json',
      '/assets/..%2f..%2fpackage.json',
    ])
      expect((await request(gateway).get(path).set('Accept', 'text/html')).text).not.toMatch(/workspaces|\[core\]/);
  });

  it('has assets that are cached for ever, and no others', async () => {
    const { headers } = await request(gateway).get('/assets/main-abc123.js').expect(200);
    expect(headers['cache-control']).toContain('immutable');
    await request(gateway).get('/assets/main-zzz.js').set('Accept', 'text/html').expect(404);
  });
});

describe('settings', () => {
  it('accept demonstration logins as JSON', () => {
    const base = {
      PORT: '0',
      AUTH_URL: 'http://a',
      CATALOG_URL: 'http://b',
      RECORDING_URL: 'http://c',
      HISTORY_URL: 'http://d',
      WEB_ROOT: '.',
    };
    const logins = [{ email: 'admin@example.com', password: 'secret-one' }];
    expect(readSettings({ ...base, DEMO_LOGINS: JSON.stringify(logins) }).DEMO_LOGINS).toEqual(logins);
  });
});
