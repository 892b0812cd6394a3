import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
beforeAll(async () => {
  started = await startAuth();
});
afterAll(() => started.stop());

async function keyOf(token: string): Promise<string> {
  const { body, headers } = await started.call('get', '/api/auth/draft-key', token).expect(200);
  expect(headers['cache-control']).toBe('no-store');
  expect(Object.keys(body)).toEqual(['key']);
  return body.key;
}

test('a user has one key of 32 random bytes, also when it is first requested concurrently', async () => {
  const user = await started.signedIn('others');
  const keys = await Promise.all(Array.from({ length: 5 }, () => keyOf(user.token)));
  expect(new Set(keys).size).toBe(1);
  expect(Buffer.from(keys[0] ?? '', 'base64url')).toHaveLength(32);
  expect(await keyOf((await started.signedIn('others')).token)).not.toBe(keys[0]);
});

test('a new password keeps the key, and no other call returns it', async () => {
  const user = await started.signedIn('others');
  const admin = await started.signedIn('admin');
  const key = await keyOf(user.token);
  const { body } = await started
    .call('post', '/api/auth/change-password', user.token, {
      currentPassword: password,
      newPassword: 'battery correct',
    })
    .expect(200);
  expect(await keyOf(body.token)).toBe(key);

  const elsewhere = await Promise.all([
    started.call('get', '/api/auth/me', body.token),
    started.call('get', '/api/auth/account-data', body.token),
    started.call('get', `/api/auth/account-data?userId=${user.id}`, admin.token),
    started.call('get', '/api/users', admin.token),
    started.call('post', '/api/audit/search', admin.token, {}),
  ]);
  expect(elsewhere.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(JSON.stringify(elsewhere.map((answer) => answer.body))).not.toContain(key);
  expect(await keyOf(admin.token)).not.toBe(key);
});

test('the key is deleted with the account', async () => {
  const user = await started.signedIn('others');
  const key = await keyOf(user.token);
  expect(JSON.stringify(await started.auth.users.findById(user.id).lean())).toContain(key);
  await started.call('post', '/api/auth/delete-account', user.token, { password }).expect(204);
  expect(JSON.stringify(await started.auth.users.findById(user.id).lean())).not.toContain(key);
  await started.call('get', '/api/auth/draft-key', user.token).expect(401);
});
