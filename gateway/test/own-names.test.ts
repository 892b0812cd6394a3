import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { log, type StartedGateway, startGateway } from './start-gateway.ts';

let started: StartedGateway;
let demonstration: string;
beforeAll(async () => {
  started = await startGateway();
  const settings = {
    ...started.settings,
    PUBLIC_URL: 'http://practice.local:8080',
    DEMO_LOGINS: [{ email: 'admin@example.com', password: 'a password of the demonstration' }],
  };
  demonstration = await started.listen(createApp({ settings, log }));
});
afterAll(() => started.close());

const paths = ['/api/settings', '/api/technologies', '/', '/assets/main-abc123.js', '/healthz', '/readyz', '/metrics'];

describe('with demonstration logins', () => {
  it.each([
    'rebound.example',
    'rebound.example:8080',
    'localhost.rebound.example',
    '127.0.0.1.rebound.example',
    '127.rebound.example',
    'practice.local.rebound.example',
    'user@rebound.example',
    '192.168.1.7:8080',
    '[fd00::1]:8080',
    '[::1',
    '%',
  ])('a page that uses DNS rebinding with %s gets nothing', async (host) => {
    for (const path of paths) {
      const { body, text } = await request(demonstration).get(path).set('Host', host).expect(421);
      expect(body).toEqual({ code: 'misdirected', message: expect.any(String), requestId: expect.any(String) });
      expect(text).not.toContain('a password of the demonstration');
    }
  });

  it.each(['practice.local:8080', 'practice.local', 'PRACTICE.local', 'localhost:9000', '127.0.0.1', '[::1]:8080'])(
    'the page is served under %s',
    async (host) => {
      const { body } = await request(demonstration).get('/api/settings').set('Host', host).expect(200);
      expect(body.demoLogins).toHaveLength(1);
      await request(demonstration).get('/healthz').set('Host', host).expect(200);
    },
  );
});

it('without them any host is accepted, so that health checks by IP address work', async () => {
  for (const path of ['/api/settings', '/healthz', '/readyz'])
    await request(started.gateway).get(path).set('Host', '172.18.0.5:8080').expect(200);
});
