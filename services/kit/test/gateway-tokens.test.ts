import { createSecretKey } from 'node:crypto';
import request from 'supertest';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createServiceApp } from '../src/http/service-app.ts';
import { createLogger } from '../src/process/logger.ts';
import { createGatewayTokens, gatewayTokenHeader } from '../src/tokens/gateway-tokens.ts';
import { signToken } from '../src/tokens/signed-token.ts';

const secret = 'of the gateway and this service alone';
const app = createServiceApp({
  log: createLogger('test', 'silent'),
  checks: {},
  metricsToken: 'a token for the metrics',
  gatewaySecret: secret,
  openPaths: ['/api/keys'],
  routes: (express) => {
    express.get(['/api/things', '/api/keys'], (req, res) => {
      res.json({ address: req.ip });
    });
  },
});
function get(path: string, token?: string) {
  const asked = request(app).get(path).set('X-Forwarded-For', '192.0.2.7');
  return token === undefined ? asked : asked.set(gatewayTokenHeader, token);
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a service that shares a secret with the gateway', () => {
  test('accepts requests only from the gateway, whose client address it trusts', async () => {
    const token = createGatewayTokens(secret)();
    expect((await get('/api/things', token).expect(200)).body).toEqual({ address: '192.0.2.7' });
    expect((await get('/api/things').expect(403)).body.message).toBe('This service answers the gateway only.');
    // Unknown paths too, so that strangers can't discover paths.
    await get('/api/nothing').expect(403);
    await get('/api/nothing', token).expect(404);
  });

  test('answers health checks, metrics requests with their token, and its public routes', async () => {
    for (const path of ['/healthz', '/readyz', '/api/keys']) await get(path).expect(200);
    await request(app).get('/metrics').set('Authorization', 'Bearer a token for the metrics').expect(200);
    await get('/metrics').expect(401);
    for (const path of ['/api/keys/', '/api/KEYS', '/api/keys/../things', '/api//keys']) await get(path).expect(403);
  });

  test('rejects a token with another secret, type or time, as a temporary outage', async () => {
    const now = Math.floor(Date.now() / 1000);
    const key = createSecretKey(secret, 'utf8');
    const profile = {
      algorithm: 'HS256',
      type: 'gateway+jwt',
      issuer: 'interview-prep/gateway',
      audience: 'interview-prep/service',
    } as const;
    const claims = { sub: 'gateway', iat: now, exp: now + 60 };
    await get('/api/things', signToken(profile, key, claims)).expect(200);
    for (const token of [
      createGatewayTokens('of the gateway and another service')(),
      signToken({ ...profile, type: 'media+jwt' }, key, claims),
      signToken({ ...profile, audience: 'interview-prep/media' }, key, claims),
      signToken(profile, key, { ...claims, exp: now - 1 }),
      'no token',
      '',
    ]) {
      const { headers } = await get('/api/things', token).expect(503);
      expect(headers['retry-after']).toBe('2');
    }
  });
});

test("the gateway's token is valid for two minutes and renewed every 30 seconds, even after a clock is set back", () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const token = createGatewayTokens(secret);
  const claims = () => JSON.parse(Buffer.from(token().split('.')[1] ?? '', 'base64url').toString());
  const first = claims();
  expect(first.exp - first.iat).toBe(120);
  vi.setSystemTime(Date.now() + 29_000);
  expect(claims()).toEqual(first);
  vi.setSystemTime(Date.now() + 2000);
  const second = claims();
  expect(second.iat).toBe(first.iat + 31);
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(claims().iat).toBe(second.iat - 3600);
});
