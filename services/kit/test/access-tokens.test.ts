import { createSecretKey, createSign, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { accessTokenProfile, createTokenVerifier } from '../src/tokens/access-tokens.ts';
import { remoteKeys } from '../src/tokens/remote-keys.ts';
import { type SignedClaims, signToken, type TokenProfile } from '../src/tokens/signed-token.ts';
import { createTokenDenylist, type TokenDenylist } from '../src/tokens/token-denylist.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';
import { createTestIdentity } from '../testing/identity.ts';

let backing: TestBacking;
let denylist: TokenDenylist;
beforeAll(async () => {
  backing = await createTestBacking('kit');
  denylist = createTokenDenylist(backing.redis, backing.settings.REDIS_PREFIX);
  await denylist.restore([]);
});
afterAll(() => backing.close());

let endpoint: Server | undefined;
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  endpoint?.close();
});

/** Freezes the clock that times fetches. @returns a function that advances it */
function passTime(): (ms: number) => void {
  let nowMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  return (ms) => {
    nowMs += ms;
  };
}

interface Answer {
  status: number;
  body: unknown;
}

/** Serves keys like auth. `answer` may change between requests; null never responds. */
async function serveKeys(answer: () => Answer | null): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  endpoint = createServer((_req, res) => {
    requests += 1;
    const now = answer();
    if (now) res.writeHead(now.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(now.body));
  });
  endpoint.listen(0, '127.0.0.1');
  await once(endpoint, 'listening');
  const { port } = endpoint.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/jwks.json`, requests: () => requests };
}

const keyPair = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve });
const jwkOf = (key: KeyObject, kid: string): JsonWebKey => ({
  ...key.export({ format: 'jwk' }),
  kid,
  alg: 'ES256',
  use: 'sig',
});

const user = { email: 'a@example.com', role: 'dev', lastLogin: null };
function sign(
  key: KeyObject,
  changes: { profile?: Partial<TokenProfile>; kid?: string; claims?: object; lifetimeSeconds?: number } = {},
): string {
  const iat = Date.now() / 1000;
  const exp = Math.ceil(iat + (changes.lifetimeSeconds ?? 3600));
  const claims = { ...user, sub: 'u1', jti: 't1', iat, exp, ...changes.claims } as SignedClaims;
  return signToken({ ...accessTokenProfile, ...changes.profile }, key, claims, changes.kid);
}

/** A validly signed token with another header, as someone with the key and another library could create. */
function withHeader(token: string, header: object, key: KeyObject): string {
  const [, claims = ''] = token.split('.');
  const signed = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${claims}`;
  const signature = createSign('sha256').update(signed).sign({ key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

test('a token is accepted only with its key, algorithm, type, issuer, audience and claims', async () => {
  const { privateKey, publicKey } = keyPair();
  const verify = createTokenVerifier(async () => publicKey, denylist);
  const good = sign(privateKey, { claims: { iat: 1_795_000_000.123 } });
  expect(await verify(good)).toMatchObject({ sub: 'u1', jti: 't1', iat: 1_795_000_000.123, ...user });
  const { algorithm: alg, type: typ } = accessTokenProfile;
  expect(await verify(withHeader(good, { alg, typ }, privateKey))).toMatchObject({ sub: 'u1' });

  const publicBytes = createSecretKey(publicKey.export({ type: 'spki', format: 'pem' }) as string, 'utf8');
  const [header = '', claims = '', signature = ''] = good.split('.');
  const bad: Record<string, string> = {
    'another key': sign(keyPair().privateKey),
    'another issuer': sign(privateKey, { profile: { issuer: 'someone' } }),
    'another audience': sign(privateKey, { profile: { audience: 'someone' } }),
    'another type': sign(privateKey, { profile: { type: 'JWT' } }),
    'no type': withHeader(good, { alg }, privateKey),
    'the public key as a secret': sign(publicBytes, { profile: { algorithm: 'HS256' } }),
    'no algorithm': `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${claims}.`,
    'an algorithm that is not text': withHeader(good, { alg: ['ES256'], typ }, privateKey),
    'an extension': withHeader(good, { alg, typ, crit: ['b64'], b64: true }, privateKey),
    'a key id that is not text': withHeader(good, { alg, typ, kid: { $gt: '' } }, privateKey),
    'a role that does not exist': sign(privateKey, { claims: { role: 'root' } }),
    'an email that is not text': sign(privateKey, { claims: { email: { $gt: '' } } }),
    'a time before which it is not valid': sign(privateKey, { claims: { nbf: Date.now() / 1000 + 600 } }),
    'a longer signature': `${good}x`,
    'no signature': `${header}.${claims}.`,
    'changed claims': `${header}.${Buffer.from('{"sub":"u2"}').toString('base64url')}.${signature}`,
    'claims that are no JSON': `${header}.eA.${signature}`,
    'a header that is no JSON': `eA.${claims}.${signature}`,
    'a header that is null': `${Buffer.from('null').toString('base64url')}.${claims}.${signature}`,
    'empty parts': '..',
    'no parts': '',
  };
  for (const [fault, token] of Object.entries(bad)) {
    const outcome = await verify(token).then(
      () => 'accepted',
      (error: { status?: number }) => error.status,
    );
    expect([fault, outcome]).toEqual([fault, 401]);
  }
});

test('a token without an expiry is rejected', async () => {
  const { privateKey, publicKey } = keyPair();
  const [header = '', claims = ''] = sign(privateKey).split('.');
  const { exp: _, ...rest } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const forever = `${header}.${Buffer.from(JSON.stringify(rest)).toString('base64url')}.`;
  const token = withHeader(forever, { alg: 'ES256', typ: 'at+jwt' }, privateKey);
  const verify = createTokenVerifier(async () => publicKey, denylist);
  await expect(verify(token)).rejects.toMatchObject({ status: 401 });
});

test('an expired token has its own message', async () => {
  const identity = await createTestIdentity(denylist);
  const { token } = await identity.user('dev', { expiresInSeconds: -2 });
  await expect(identity.verify(token)).rejects.toMatchObject({
    status: 401,
    message: 'Your sign-in has expired. Please sign in again.',
  });
});

test('keys are fetched from auth; until the first fetch succeeds, requests get 503', async () => {
  const { privateKey, publicKey } = keyPair();
  let answer: Answer = { status: 503, body: {} };
  const keys = await serveKeys(() => answer);
  const verify = createTokenVerifier(remoteKeys(keys.url), denylist);
  const token = sign(privateKey, { kid: 'k1' });
  const afterCooldown = passTime();
  await expect(verify(token)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 });
  answer = { status: 200, body: { keys: 'none' } };
  afterCooldown(2001);
  await expect(verify(token)).rejects.toMatchObject({ status: 503 });
  answer = { status: 200, body: { keys: [jwkOf(publicKey, 'k1')] } };
  afterCooldown(2001);
  expect(await verify(token)).toMatchObject({ sub: 'u1', kid: 'k1' });
  await expect(verify(sign(privateKey))).rejects.toMatchObject({ status: 401 });
  endpoint?.close();
  expect(await verify(token)).toMatchObject({ sub: 'u1' });
});

test('known keys survive an outage of auth; a new key is fetched once it is back', async () => {
  const [first, second] = [keyPair(), keyPair()];
  const jwks = [jwkOf(first.publicKey, 'k1'), jwkOf(second.publicKey, 'k2')];
  const known = sign(first.privateKey, { kid: 'k1', lifetimeSeconds: 3 * 3600 });
  const unknown = sign(second.privateKey, { kid: 'k2', lifetimeSeconds: 3 * 3600 });
  let answer: Answer = { status: 200, body: { keys: jwks.slice(0, 1) } };
  const keys = await serveKeys(() => answer);
  const verify = createTokenVerifier(remoteKeys(keys.url), denylist);
  expect(await verify(known)).toMatchObject({ sub: 'u1' });
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: Date.now() });
  vi.advanceTimersByTime(3_600_000);
  answer = { status: 503, body: {} };
  expect(await verify(known)).toMatchObject({ sub: 'u1' });
  await expect(verify(unknown)).rejects.toMatchObject({ status: 503 });
  answer = { status: 200, body: { keys: jwks } };
  vi.advanceTimersByTime(2001);
  expect(await verify(unknown)).toMatchObject({ sub: 'u1' });
});

test('unknown key ids cause one fetch in two seconds, and one at a time', async () => {
  const { privateKey, publicKey } = keyPair();
  let answer: Answer = { status: 200, body: { keys: [jwkOf(publicKey, 'k1')] } };
  const keys = await serveKeys(() => answer);
  const verify = createTokenVerifier(remoteKeys(keys.url), denylist);
  const pass = passTime();
  const good = sign(privateKey, { kid: 'k1' });
  await Promise.all(Array.from({ length: 10 }, () => verify(good)));
  expect(keys.requests()).toBe(1);
  const askForMany = (status: number) =>
    Promise.all(
      ['k2', 'k3', '../k1', '__proto__', 'constructor', "k1' or '1'='1", '\u0000', 'k'.repeat(5000)].map((kid) =>
        expect(verify(sign(privateKey, { kid }))).rejects.toMatchObject({ status }),
      ),
    );
  await askForMany(401);
  await askForMany(401);
  expect(keys.requests()).toBe(2);
  pass(2001);
  await askForMany(401);
  await askForMany(401);
  expect(keys.requests()).toBe(3);
  // It doesn't fetch more often while auth is down.
  answer = { status: 503, body: {} };
  pass(2001);
  await askForMany(503);
  await askForMany(503);
  expect(keys.requests()).toBe(4);
  expect(await verify(good)).toMatchObject({ sub: 'u1' });
});

test('a rotation is picked up without a restart: a new key is fetched, a removed one is dropped', async () => {
  const [first, second] = [keyPair(), keyPair()];
  const jwks = [jwkOf(first.publicKey, 'k1'), jwkOf(second.publicKey, 'k2')];
  const old = sign(first.privateKey, { kid: 'k1', lifetimeSeconds: 3 * 3600 });
  const young = sign(second.privateKey, { kid: 'k2', lifetimeSeconds: 3 * 3600 });
  let published = jwks.slice(0, 1);
  const keys = await serveKeys(() => ({ status: 200, body: { keys: published } }));
  const verify = createTokenVerifier(remoteKeys(keys.url), denylist);
  const pass = passTime();
  expect(await verify(old)).toMatchObject({ kid: 'k1' });
  published = jwks;
  // The last fetch returned its key, so the next one needn't wait.
  expect(await verify(young)).toMatchObject({ kid: 'k2' });
  expect(await verify(old)).toMatchObject({ kid: 'k1' });
  published = jwks.slice(1);
  expect(keys.requests()).toBe(2);
  pass(5 * 60_000);
  expect(await verify(young)).toMatchObject({ kid: 'k2' });
  await expect.poll(() => verify(old).catch(({ status }) => status)).toBe(401);
  // One because the keys were old, and one for the missing key.
  expect(keys.requests()).toBe(4);
});

test('all tokens of a revoked key are rejected, and no others', async () => {
  const [stolen, next] = [keyPair(), keyPair()];
  const jwks = [jwkOf(stolen.publicKey, 'stolen'), jwkOf(next.publicKey, 'next')];
  const keys = await serveKeys(() => ({ status: 200, body: { keys: jwks } }));
  const verify = createTokenVerifier(remoteKeys(keys.url), denylist);
  const token = sign(stolen.privateKey, { kid: 'stolen' });
  expect(await verify(token)).toMatchObject({ sub: 'u1' });
  await denylist.revokeKey('stolen', 60_000);
  // Whatever claims a thief forges: another user, another sign-in, a future time, a key id among the claims.
  const claims = { sub: 'u2', jti: 't2', iat: Date.now() / 1000 + 3600, kid: 'next' };
  for (const forged of [token, sign(stolen.privateKey, { kid: 'stolen', claims })]) {
    await expect(verify(forged)).rejects.toMatchObject({ status: 401 });
  }
  await expect(verify(sign(stolen.privateKey, { kid: 'next' }))).rejects.toMatchObject({ status: 401 });
  expect(await verify(sign(next.privateKey, { kid: 'next' }))).toMatchObject({ sub: 'u1', kid: 'next' });
});

test('a key embedded in a token, or linked from it, is not used', async () => {
  const { publicKey, privateKey } = keyPair();
  const own = keyPair();
  const keys = await serveKeys(() => ({ status: 200, body: { keys: [jwkOf(publicKey, 'k1')] } }));
  const verify = createTokenVerifier(remoteKeys(keys.url), denylist);
  expect(await verify(sign(privateKey, { kid: 'k1' }))).toMatchObject({ sub: 'u1' });
  const requests = keys.requests();
  const header = { alg: 'ES256', typ: accessTokenProfile.type, kid: 'k1' };
  const jwk = jwkOf(own.publicKey, 'k1');
  for (const brought of [{ jwk }, { jku: keys.url }, { x5u: keys.url }, { x5c: [jwk.x] }]) {
    const token = withHeader(sign(own.privateKey, { kid: 'k1' }), { ...header, ...brought }, own.privateKey);
    await expect(verify(token)).rejects.toMatchObject({ status: 401 });
  }
  expect(keys.requests()).toBe(requests);
});

test('a published key of another kind is skipped', async () => {
  const { privateKey, publicKey } = keyPair();
  const other = jwkOf(keyPair('P-384').publicKey, 'k2');
  const keys = await serveKeys(() => ({ status: 200, body: { keys: [other, {}, jwkOf(publicKey, 'k1')] } }));
  const verify = createTokenVerifier(remoteKeys(keys.url), denylist);
  expect(await verify(sign(privateKey, { kid: 'k1' }))).toMatchObject({ sub: 'u1' });
  await expect(verify(sign(privateKey, { kid: 'k2' }))).rejects.toMatchObject({ status: 401 });
});

test('an endpoint that does not respond, or does not exist, causes a 503 within four seconds', async () => {
  const token = sign(keyPair().privateKey, { kid: 'k1' });
  const hung = await serveKeys(() => null);
  for (const url of [hung.url, 'http://127.0.0.1:1/jwks.json']) {
    const began = Date.now();
    const verify = createTokenVerifier(remoteKeys(url), denylist);
    await expect(verify(token)).rejects.toMatchObject({ status: 503 });
    expect(Date.now() - began).toBeLessThan(4000);
  }
});
