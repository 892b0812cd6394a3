import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectProducer } from '../src/redis.ts';
import { createTestBacking, type TestBacking } from '../src/testing/backing.ts';
import { createFaultProxy } from '../src/testing/fault-proxy.ts';
import { createTokenDenylist, type TokenDenylist } from '../src/token-denylist.ts';

let backing: TestBacking;
let denylist: TokenDenylist;
beforeAll(async () => {
  backing = await createTestBacking('kit');
  denylist = createTokenDenylist(backing.redis, backing.settings.REDIS_PREFIX);
  await denylist.markComplete();
});
afterAll(() => backing.close());

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
