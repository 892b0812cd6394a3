import { setTimeout as pause } from 'node:timers/promises';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { type OwnRedis, startOwnRedis } from '@interview-prep/kit/testing/own-redis';
import { type ServiceProcess, startServiceProcess } from '@interview-prep/kit/testing/service-process';
import { afterEach, beforeEach, expect, test } from 'vitest';

const password = 'correct horse battery';

let backing: TestBacking;
let redis: OwnRedis;
let auth: ServiceProcess;
let url: string;
beforeEach(async () => {
  backing = await createTestBacking('auth');
  redis = await startOwnRedis();
  auth = startServiceProcess(new URL('../src/main.ts', import.meta.url), {
    ...backing.settings,
    REDIS_URL: redis.url,
    PORT: '0',
    ADMIN_EMAIL: 'root@example.com',
    ADMIN_PASSWORD: password,
  });
  url = await auth.url();
});
afterEach(async () => {
  auth.stop('SIGKILL');
  await auth.ended;
  await redis.stop();
  await backing.close();
});

async function call(
  path: string,
  token?: string,
  body?: object,
): Promise<{ status: number; retryAfter: string | null }> {
  const answer = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
}
const me = async (token: string) => (await call('/api/auth/me', token)).status;

async function signIn(): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'root@example.com', password }),
  });
  return ((await answer.json()) as { user: { token: string } }).user.token;
}

test('while Redis is read-only, a logout reports failure, and takes effect once Redis is writable', async () => {
  const [loggedOut, kept] = [await signIn(), await signIn()];
  await redis.refuseWrites();
  expect(await call('/api/auth/logout', loggedOut, {})).toEqual({ status: 503, retryAfter: '2' });
  // A new password would leave the old tokens valid, so it is refused before anything changes.
  const change = { currentPassword: password, newPassword: 'another password' };
  expect(await call('/api/auth/change-password', kept, change)).toEqual({ status: 503, retryAfter: '2' });
  expect(await me(kept)).toBe(200);

  await redis.allowWrites();
  await expect.poll(() => me(loggedOut)).toBe(401);
  expect(await me(kept)).toBe(200);
  expect((await call('/api/auth/change-password', kept, change)).status).toBe(200);
  expect(await me(kept)).toBe(401);
});

test('a Redis that refuses writes causes one log line per cause, and little work', async () => {
  const token = await signIn();
  const before = auth.lines().length;
  await redis.refuseWrites();
  const refusedForMs = 4000;
  const until = Date.now() + refusedForMs;
  let answers = 0;
  while (Date.now() < until) {
    await Promise.all([
      call('/api/auth/login', undefined, { email: 'root@example.com', password: 'wrong' }),
      me(token),
    ]);
    answers += 2;
    await pause(20);
  }
  // Each request also has its own line.
  const repeated = auth
    .lines()
    .slice(before)
    .filter(({ msg }) => msg !== 'request completed');
  const messages = repeated.map(
    ({ level, msg, err }) => `${level} ${msg} ${(err as Error | undefined)?.message ?? ''}`,
  );
  expect(answers).toBeGreaterThan(4);
  expect(messages.length, messages.join('\n')).toBeLessThan(15);
});
