import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectProducer } from '../src/redis/redis.ts';
import { createTokenDenylist, type TokenDenylist } from '../src/tokens/token-denylist.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';
import { createFaultProxy } from '../testing/fault-proxy.ts';

let backing: TestBacking;
let denylist: TokenDenylist;
beforeAll(async () => {
  backing = await createTestBacking('kit');
  denylist = createTokenDenylist(backing.redis, backing.settings.REDIS_PREFIX);
  await denylist.restore([]);
});
afterAll(() => backing.close());

test('an entry revokes the tokens it names, but none issued later', async () => {
  const at = 1_795_000_000_123;
  const lifetimeMs = 60_000;
  const isRevoked = (sub: string, jti: string, iatMs: number) => denylist.hasEnded({ sub, jti, iat: iatMs / 1000 });
  await denylist.revokeUserTokens({ userId: 'u2', validAfterMs: at }, lifetimeMs);
  expect(await isRevoked('u2', 't', at - 1)).toBe(true);
  expect(await isRevoked('u2', 't', at)).toBe(false);
  expect(await isRevoked('u3', 't', at - 1)).toBe(false);
  await denylist.revokeUserTokens({ userId: 'u2', validAfterMs: at - 5000 }, lifetimeMs);
  expect(await isRevoked('u2', 't', at - 1)).toBe(true);
  await denylist.revokeSignIn({ jti: 't9' }, lifetimeMs);
  expect(await isRevoked('u3', 't9', at)).toBe(true);
});

test('a check waits for a denylist that Redis has lost, and returns 503 without it', async () => {
  const prefix = `${backing.settings.REDIS_PREFIX}:lost`;
  const impatient = createTokenDenylist(backing.redis, prefix, { down: 0, emptied: 0 });
  await expect(impatient.hasEnded({ sub: 'u', jti: 't', iat: 1 })).rejects.toMatchObject({ status: 503 });
  const lost = createTokenDenylist(backing.redis, prefix);
  const waiting = lost.hasEnded({ sub: 'u', jti: 't', iat: 1 });
  expect(await lost.restore([{ userId: 'u', validAfterMs: 2000, lifetimeMs: 60_000 }])).toBe(true);
  expect(await waiting).toBe(true);
});

test('a server that restarted or took over has no complete denylist until it is restored', async () => {
  const prefix = `${backing.settings.REDIS_PREFIX}:run`;
  const moved = createTokenDenylist(backing.redis, prefix);
  await moved.restore([]);
  expect(await moved.isComplete()).toBe(true);
  await backing.redis.set(`${prefix}:denylist:complete`, 'the run of another server');
  expect(await moved.isComplete()).toBe(false);
  const waiting = moved.hasEnded({ sub: 'u', jti: 't', iat: 1 });
  expect(await moved.restore([{ jti: 't', lifetimeMs: 60_000 }])).toBe(true);
  expect(await waiting).toBe(true);
  // As marked by the previous release.
  await backing.redis.set(`${prefix}:denylist:complete`, 1);
  expect(await moved.isComplete()).toBe(true);
});

test('of two concurrent restores only the later one completes the denylist', async () => {
  const prefix = `${backing.settings.REDIS_PREFIX}:race`;
  const racing = createTokenDenylist(backing.redis, prefix);
  const first = racing.restore([{ jti: 'a', lifetimeMs: 60_000 }]);
  const second = racing.restore([{ jti: 'b', lifetimeMs: 60_000 }]);
  expect([await first, await second]).toEqual([false, true]);
});

test('while Redis is down, a check returns 503', async () => {
  const proxy = await createFaultProxy(backing.settings.REDIS_URL);
  const redis = await connectProducer(proxy.url, backing.log);
  const throughProxy = createTokenDenylist(redis, backing.settings.REDIS_PREFIX, { down: 500, emptied: 500 });
  expect(await throughProxy.hasEnded({ sub: 'u9', jti: 't8', iat: 1 })).toBe(false);
  const hasEndedUnused = (seconds: number) =>
    throughProxy.hasEnded({ sub: 'u9', jti: 't7', iat: Date.now() / 1000 - seconds, idle: 3600 });
  expect(await hasEndedUnused(3700)).toBe(true);
  proxy.cut();
  await expect(throughProxy.hasEnded({ sub: 'u9', jti: 't8', iat: 1 })).rejects.toMatchObject({ status: 503 });
  proxy.mend();
  await expect
    .poll(() => throughProxy.hasEnded({ sub: 'u9', jti: 't8', iat: 1 }).catch(() => null), { timeout: 10_000 })
    .toBe(false);
  // Uses may have been lost in the outage, but not before it.
  expect(await hasEndedUnused(3500)).toBe(false);
  expect(await hasEndedUnused(3700)).toBe(true);
  redis.disconnect();
  await proxy.close();
});
