import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTokenVerifier, remoteKeys, tokenIdentity } from '../src/access-tokens.ts';
import { connectProducer } from '../src/redis.ts';
import { createTestBacking, type TestBacking } from '../src/testing/backing.ts';
import { createFaultProxy } from '../src/testing/fault-proxy.ts';
import { createTestIdentity } from '../src/testing/identity.ts';
import { createTokenDenylist, type TokenDenylist } from '../src/token-denylist.ts';

let backing: TestBacking;
let denylist: TokenDenylist;
beforeAll(async () => {
  backing = await createTestBacking('kit');
  denylist = createTokenDenylist(backing.redis, backing.settings.REDIS_PREFIX);
  await denylist.markComplete();
});
afterAll(() => backing.close());

let published: Server | undefined;
afterEach(() => {
  vi.useRealTimers();
  published?.close();
});

/** Serves keys as auth does; `answer` may change between requests. */
async function publish(answer: () => { status: number; body: unknown }): Promise<string> {
  published = createServer((_req, res) => {
    const { status, body } = answer();
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  published.listen(0, '127.0.0.1');
  await once(published, 'listening');
  return `http://127.0.0.1:${(published.address() as AddressInfo).port}/jwks.json`;
}

const claims = { email: 'a@example.com', role: 'dev', lastLogin: null };
const sign = async (
  key: CryptoKey | Uint8Array,
  changes: { alg?: string; iss?: string; aud?: string; kid?: string; claims?: object; lifetime?: string } = {},
) =>
  new SignJWT({ ...claims, ...changes.claims })
    .setProtectedHeader({ alg: changes.alg ?? 'ES256', ...(changes.kid ? { kid: changes.kid } : {}) })
    .setSubject('u1')
    .setJti('t1')
    .setIssuer(changes.iss ?? tokenIdentity.issuer)
    .setAudience(changes.aud ?? tokenIdentity.audience)
    .setIssuedAt(Date.now() / 1000)
    .setExpirationTime(changes.lifetime ?? '1h')
    .sign(key);

test('a token is taken for its key, issuer, audience and claims, and for nothing less', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const verify = createTokenVerifier(async () => publicKey, denylist);
  expect(await verify(await sign(privateKey))).toMatchObject({ sub: 'u1', jti: 't1', ...claims });

  const publicBytes = new TextEncoder().encode(JSON.stringify(await exportJWK(publicKey)));
  for (const token of [
    await sign(privateKey, { iss: 'someone' }),
    await sign(privateKey, { aud: 'someone' }),
    await sign(publicBytes, { alg: 'HS256' }),
    await sign(privateKey, { claims: { role: 'root' } }),
    await sign(privateKey, { claims: { email: { $gt: '' } } }),
    `${await sign(privateKey)}x`,
    '..',
  ]) {
    await expect(verify(token)).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
  }
});

test('an expired token is told apart in words', async () => {
  const identity = await createTestIdentity(denylist);
  const { token } = await identity.user('dev', { expiresInSeconds: -2 });
  await expect(identity.verify(token)).rejects.toMatchObject({
    ...{ status: 401, message: 'Your session has expired. Please sign in again.' },
  });
});

test('keys are fetched from auth; while it is away nobody is called a stranger', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const key = { ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
  let answer: { status: number; body: unknown } = { status: 503, body: {} };
  const verify = createTokenVerifier(remoteKeys(await publish(() => answer)), denylist);
  const token = await sign(privateKey, { kid: 'k1' });
  await expect(verify(token)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 });
  answer = { status: 200, body: { keys: [key] } };
  await expect.poll(() => verify(token).catch(() => null), { timeout: 5000 }).toMatchObject({ sub: 'u1' });
  await expect(verify(await sign(privateKey, { kid: 'k2' }))).rejects.toMatchObject({ status: 401 });
  published?.close();
  expect(await verify(token)).toMatchObject({ sub: 'u1' });
});

test('with auth away its keys are known an hour later as well; a new key is fetched once it is back', async () => {
  const pairs = await Promise.all(['k1', 'k2'].map(async (kid) => ({ kid, ...(await generateKeyPair('ES256')) })));
  const jwks = await Promise.all(
    pairs.map(async ({ kid, publicKey }) => ({ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' })),
  );
  const [first, second] = await Promise.all(
    pairs.map(({ kid, privateKey }) => sign(privateKey, { kid, lifetime: '3h' })),
  );
  let answer: { status: number; body: unknown } = { status: 200, body: { keys: jwks.slice(0, 1) } };
  const verify = createTokenVerifier(remoteKeys(await publish(() => answer)), denylist);
  expect(await verify(first ?? '')).toMatchObject({ sub: 'u1' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  answer = { status: 503, body: {} };
  expect(await verify(first ?? '')).toMatchObject({ sub: 'u1' });
  await expect(verify(second ?? '')).rejects.toMatchObject({ status: 503 });
  vi.setSystemTime(Date.now() + 3000);
  answer = { status: 200, body: { keys: jwks } };
  expect(await verify(second ?? '')).toMatchObject({ sub: 'u1' });
});

test('with nothing where the keys should be the answer is 503', async () => {
  const { privateKey } = await generateKeyPair('ES256');
  const verify = createTokenVerifier(remoteKeys('http://127.0.0.1:1/jwks.json'), denylist);
  await expect(verify(await sign(privateKey, { kid: 'k1' }))).rejects.toMatchObject({ status: 503 });
});

test('marks end what they name, and no token made after', async () => {
  const at = 1_795_000_000_123;
  const lifetimeMs = 60_000;
  const ended = (sub: string, jti: string, iatMs: number) => denylist.isRevoked({ sub, jti, iat: iatMs / 1000 });
  await denylist.revokeUserTokens('u2', at, lifetimeMs);
  expect(await ended('u2', 't', at - 1)).toBe(true);
  expect(await ended('u2', 't', at)).toBe(false);
  expect(await ended('u3', 't', at - 1)).toBe(false);
  await denylist.revokeUserTokens('u2', at - 5000, lifetimeMs);
  expect(await ended('u2', 't', at - 1)).toBe(true);
  await denylist.revokeToken('t9', lifetimeMs);
  expect(await ended('u3', 't9', at)).toBe(true);
});

test('a token waits for marks that Redis has lost, and is not let in without them', async () => {
  const prefix = `${backing.settings.REDIS_PREFIX}:lost`;
  const lost = createTokenDenylist(backing.redis, prefix);
  await expect(lost.isRevoked({ sub: 'u', jti: 't', iat: 1 })).rejects.toMatchObject({ status: 503 });
  const waiting = lost.isRevoked({ sub: 'u', jti: 't', iat: 1 });
  expect(await lost.restore([{ userId: 'u', validAfterMs: 2000, lifetimeMs: 60_000 }])).toBe(true);
  expect(await waiting).toBe(true);
});

test('a restoration that Redis lost on the way is not called complete', async () => {
  const prefix = `${backing.settings.REDIS_PREFIX}:race`;
  const racing = createTokenDenylist(backing.redis, prefix);
  const first = racing.restore([{ jti: 'a', lifetimeMs: 60_000 }]);
  const second = racing.restore([{ jti: 'b', lifetimeMs: 60_000 }]);
  expect([await first, await second]).toEqual([false, true]);
});

test('with Redis away a token is neither let in nor called dead', async () => {
  const link = await createFaultProxy(backing.settings.REDIS_URL);
  const redis = await connectProducer(link.url, backing.log);
  const away = createTokenDenylist(redis, backing.settings.REDIS_PREFIX);
  expect(await away.isRevoked({ sub: 'u9', jti: 't8', iat: 1 })).toBe(false);
  link.cut();
  await expect(away.isRevoked({ sub: 'u9', jti: 't8', iat: 1 })).rejects.toMatchObject({ status: 503 });
  link.mend();
  await expect
    .poll(() => away.isRevoked({ sub: 'u9', jti: 't8', iat: 1 }).catch(() => null), { timeout: 10_000 })
    .toBe(false);
  redis.disconnect();
  await link.close();
});
