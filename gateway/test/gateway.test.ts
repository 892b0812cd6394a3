import { productVersion } from '@interview-prep/contracts/api/version';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createApp } from '../src/app.ts';
import { readSettings } from '../src/config.ts';
import { engines, log, mediaHeaders, metricsToken, type StartedGateway, startGateway } from './start-gateway.ts';

let started: StartedGateway;
let gateway: string;
let down: string;
beforeAll(async () => {
  started = await startGateway();
  ({ gateway, down } = started);
});
afterAll(() => started.close());

describe('responses of the services', () => {
  it('have security headers', async () => {
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
    // No other origin may read a response.
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    const refused = await request(down).get('/api/interviews/history').expect(503);
    expect(refused.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' });
  });

  it.each(['/healthz', '/readyz', '/metrics', '/api/nothing', '/assets/none.js'])('applies to %s too', async (path) => {
    const asked = request(gateway).get(path).set('Authorization', `Bearer ${metricsToken}`);
    expect((await asked).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
  });

  it('cannot be read or embedded by other websites', async () => {
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

  it("keep a service's range and cache headers", async () => {
    const { status, headers } = await request(gateway).get('/api/media/1').set('Range', 'bytes=1-2');
    expect([status, headers]).toMatchObject([206, mediaHeaders]);
  });
});

describe('metrics', () => {
  it('use the route as a label, without ids', async () => {
    await request(gateway).get('/api/technologies');
    await request(gateway).get('/api/users/newest');
    await request(gateway)
      .put(`/api/users/${'a'.repeat(24)}`)
      .send({});
    await request(gateway).get('/api/media/1');
    const { text } = await request(gateway).get('/metrics').set('Authorization', `Bearer ${metricsToken}`).expect(200);
    for (const [method, route] of [
      ['GET', '/api/technologies'],
      ['GET', '/api/users/newest'],
      ['PUT', '/api/users/:id'],
    ])
      expect(text).toMatch(
        new RegExp(`http_request_duration_seconds_count\\{[^}]*method="${method}",route="${route}"`),
      );
    expect(text).not.toContain('aaaaaaaa');
  });

  it('are served only with METRICS_TOKEN', async () => {
    const asked = (authorization: string) => request(gateway).get('/metrics').set('Authorization', authorization);
    const { text } = await asked(`Bearer ${metricsToken}`).expect(200);
    expect(text).toContain('http_request_duration_seconds');
    for (const wrong of ['', 'Bearer ', `Bearer ${metricsToken}x`, metricsToken])
      expect((await asked(wrong).expect(401)).body.code).toBe('unauthorized');
    // Without the setting the headers are ignored.
    await request(down).get('/metrics').set('Authorization', 'Bearer undefined').expect(404);
  });
});

it.each(['post', 'put', 'patch', 'delete'] as const)('a page returns 405 to %s', async (method) => {
  const { headers } = await request(gateway)[method]('/interviews').send({}).expect(405);
  expect(headers.allow).toBe('GET, HEAD');
});

describe("the gateway's own routes", () => {
  it('report the state of the services', async () => {
    expect((await request(gateway).get('/api/health').expect(200)).body).toEqual({
      status: 'ok',
      services: { auth: 'ok', catalog: 'ok', recording: 'ok', history: 'ok', worker: 'ok' },
    });
    expect((await request(down).get('/api/health').expect(200)).body).toMatchObject({
      status: 'degraded',
      services: { history: 'down', auth: 'ok', worker: 'unknown' },
    });
  });

  it('return 503 for a component that is down, and only for that one', async () => {
    let hasWorker = true;
    const { gateway, close } = await startGateway(() => hasWorker);
    onTestFinished(close);
    const asked = (component: string) => request(gateway).get(`/api/health/${component}`);
    expect((await asked('worker').expect(200)).body).toEqual({ status: 'ok' });
    hasWorker = false;
    await expect.poll(async () => (await asked('worker')).status, { timeout: 3000 }).toBe(503);
    expect((await asked('worker')).body).toMatchObject({
      code: 'unavailable',
      message: 'No worker has reported for 30 seconds',
      requestId: expect.any(String),
    });
    expect((await request(gateway).get('/api/health').expect(200)).body).toMatchObject({
      status: 'degraded',
      services: { recording: 'ok', worker: 'down' },
    });
    await asked('recording').expect(200);
    await request(gateway).get('/healthz').expect(200);
    await request(gateway).get('/readyz').expect(200);
    await asked('nothing').expect(400);
    await request(down).get('/api/health/worker').expect(503);
  });

  it('show only admins which engines the workers use', async () => {
    const asked = (token: string) => request(gateway).get('/api/health').set('Authorization', `Bearer ${token}`);
    expect((await asked('admin').expect(200)).body).toMatchObject({
      status: 'ok',
      version: productVersion,
      workers: [engines],
    });
    expect((await asked('candidate').expect(200)).body).toEqual({
      status: 'ok',
      services: expect.any(Object),
    });
  });

  it('publish the OpenAPI document and its page', async () => {
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
    ['patch', '/api/interviews/sets/0123456789abcdef01234567', 'GET, HEAD, PUT, DELETE'],
    ['get', '/api/interviews/recordings', 'POST'],
    ['delete', '/api/interviews/history/', 'GET, HEAD'],
    ['trace', '/api/technologies', 'GET, HEAD, POST'],
  ] as const)('return 405 to %s %s, with the allowed methods', async (method, path, allowed) => {
    const response = await request(gateway)[method](path).expect(405);
    expect(response.headers.allow).toBe(allowed);
    expect(response.body).toMatchObject({ code: 'method_not_allowed', message: expect.any(String) });
  });

  it('return the error format for an unknown path under /api', async () => {
    const { body } = await request(gateway).get('/api/nothing').expect(404);
    expect(body).toMatchObject({ code: 'not_found', message: expect.any(String) });
  });

  it("serve the web app's settings", async () => {
    expect((await request(gateway).get('/api/settings').expect(200)).body).toEqual({
      googleClientId: null,
      oidc: null,
      avatarUrl: null,
      demoLogins: [],
    });
  });
});

describe('the avatar service and the third party', () => {
  it("are in the web app's settings if configured, and the page may connect to them", async () => {
    const set = readSettings({
      PORT: '0',
      AUTH_URL: 'http://a',
      CATALOG_URL: 'http://b',
      RECORDING_URL: 'http://c',
      HISTORY_URL: 'http://d',
      WEB_ROOT: started.root,
      AVATAR_URL: 'https://avatars.example.com/shapes.svg?seed={seed}',
      GOOGLE_CLIENT_ID: 'client-id,example.com',
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_OPTIONS: 'name=Acme',
    });
    const app = await started.listen(createApp({ settings: set, log }));
    expect((await request(app).get('/api/settings').expect(200)).body).toMatchObject({
      avatarUrl: 'https://avatars.example.com/shapes.svg?seed={seed}',
      googleClientId: 'client-id',
      oidc: { name: 'Acme' },
    });
    const policy = (await request(app).get('/').expect(200)).headers['content-security-policy'] ?? '';
    const sources = (name: string) => new RegExp(`${name} ([^;]*)`).exec(policy)?.[1]?.split(' ');
    expect(sources('img-src')).toContain('https://avatars.example.com');
    expect(sources('script-src')).toContain('https://accounts.google.com/gsi/client');
    // Google's button writes HTML from strings; its script is allowed only if Google sign-in is configured.
    const without = (await request(gateway).get('/').expect(200)).headers['content-security-policy'] ?? '';
    expect(without).not.toContain('google');
    expect(without).toContain("script-src 'self';");
  });
});

describe('the web app', () => {
  it('is served at every path, with security headers', async () => {
    const { headers, text } = await request(gateway).get('/interviews/abc').set('Accept', 'text/html').expect(200);
    expect(text).toContain('<title>app</title>');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-security-policy']).toContain("media-src 'self' blob:");
    expect(headers['permissions-policy']).toBe('camera=(self), microphone=(self)');
  });

  it('lists no folders, echoes no TRACE, and serves no repository files', async () => {
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

  it('caches assets forever, and nothing else', async () => {
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
