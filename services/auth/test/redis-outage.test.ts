import { connectProducer } from '@interview-prep/kit/redis/redis';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { createFaultProxy, type FaultProxy } from '@interview-prep/kit/testing/fault-proxy';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeResetToken } from '../src/users/reset-tokens.ts';
import { type StartedAuth, startAuth } from './start-auth.ts';

let backing: TestBacking;
let link: FaultProxy;
let started: StartedAuth;
beforeAll(async () => {
  backing = await createTestBacking('auth');
  link = await createFaultProxy(backing.settings.REDIS_URL);
  const redis = await connectProducer(link.url, backing.log);
  started = await startAuth({ LOGIN_ATTEMPTS: '3' }, { ...backing, redis });
});
afterAll(async () => {
  await started.stop();
  started.backing.redis.disconnect();
  await link.close();
  await backing.close();
});

const me = async (token: string) => (await started.call('get', '/api/auth/me', token)).status;

test('while Redis is down, people can still sign in, and what they revoke stays revoked afterward', async () => {
  const { id, email, token } = await started.signedIn('others');
  await expect.poll(() => started.denylist.isComplete()).toBe(true);
  link.cut();

  // Limits let requests pass and events wait, so signing in works. Tokens can't be checked: 503.
  const { body } = await started.login(email).expect(200);
  expect(await me(body.user.token)).toBe(503);
  await started.login(email, 'wrong password').expect(401);

  // Setting a password by mail needs no token. MongoDB keeps the revocation until Redis is back.
  const user = await started.auth.users.findById(id).orFail();
  const resetToken = await makeResetToken(started.auth.users, user._id, 60_000);
  const secret = { token: resetToken, password: 'another password' };
  await started.call('post', '/api/auth/reset-password', undefined, secret).expect(200);

  link.mend();
  await expect.poll(() => me(token), { timeout: 15_000 }).toBe(401);
  expect(await me(body.user.token)).toBe(401);
  expect(await me((await started.login(email, 'another password').expect(200)).body.user.token)).toBe(200);
  await expect
    .poll(async () => (await started.published('history', 'user-changed')).some(({ userId }) => userId === id), {
      timeout: 10_000,
    })
    .toBe(true);
});

test('while Redis hangs, a sign-in and a token check are answered within ten seconds, and both work afterward', async () => {
  const { email, token } = await started.signedIn('others');
  link.freeze();
  const startedAt = performance.now();
  const [signIn, check] = await Promise.all([started.login(email), me(token)]);
  expect([signIn.status, check]).toEqual([200, 503]);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  link.mend();
  await expect.poll(() => me(token), { timeout: 15_000 }).toBe(200);
});
