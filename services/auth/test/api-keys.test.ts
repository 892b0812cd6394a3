import { randomUUID } from 'node:crypto';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
let admin: SignedInUser;
let coach: SignedInUser;
let groupId: string;
beforeAll(async () => {
  started = await startAuth();
  [admin, coach] = await Promise.all([started.signedIn('admin'), started.signedIn('others')]);
  groupId = (await started.call('post', '/api/groups', admin.token, { name: 'Class' }).expect(201)).body.group.id;
  await started.call('put', `/api/groups/${groupId}/people/${coach.id}`, admin.token, { role: 'coach' }).expect(200);
});
afterAll(() => started.stop());

const all = ['results:read', 'members:manage', 'sets:manage'];
const create = (user: SignedInUser, changes: object = {}) =>
  started.call('post', '/api/auth/api-keys', user.token, { name: 'Reports', scopes: all, days: 30, ...changes });
const exchange = (key: string) => started.call('post', '/api/auth/api-keys/token', undefined, { key });
async function keyOf(user: SignedInUser, changes: object = {}): Promise<{ id: string; secret: string; token: string }> {
  const { key, secret } = (await create(user, changes).expect(201)).body;
  return { id: key.id, secret, token: (await exchange(secret).expect(200)).body.token };
}
const list = async (user: SignedInUser) =>
  (await started.call('get', '/api/auth/api-keys', user.token).expect(200)).body.keys as { id: string; name: string }[];

test('a key is shown once, stored as a hash, and listed with its last use', async () => {
  const { id, secret } = await keyOf(coach, { name: 'Shown once' });
  expect(secret).toMatch(/^ipp_[\w-]{43}$/);
  const stored = JSON.stringify(await started.auth.apiKeys.find().lean());
  expect(stored).not.toContain(secret);
  const [own] = await list(coach);
  expect(own).toMatchObject({ id, name: 'Shown once', start: secret.slice(0, 10), lastUsedAt: expect.any(String) });
  expect(JSON.stringify(own)).not.toContain(secret);
  expect((await list(admin)).map((key) => key.id)).toContain(id);
  const account = (await started.call('get', '/api/auth/account-data', coach.token).expect(200)).body;
  expect(account.apiKeys).toMatchObject([{ id, name: 'Shown once' }]);
});

test('only admins and coaches can create keys, with a fresh sign-in, and at most twenty', async () => {
  const nobody = await started.signedIn('others');
  await create(nobody).expect(403);
  expect(await list(nobody)).toEqual([]);
  await started.call('post', '/api/auth/api-keys', undefined, {}).expect(401);
  for (const bad of [{ name: ' ' }, { scopes: [] }, { scopes: ['everything'] }, { days: 0 }, { days: 400 }])
    await create(coach, bad).expect(400);
  const busy = await started.signedIn('admin');
  const statuses = await Promise.all(Array.from({ length: 21 }, async () => (await create(busy)).status));
  expect(statuses.filter((status) => status === 409).length).toBeGreaterThan(0);
  expect(await started.auth.apiKeys.countDocuments({ userId: busy.id })).toBeLessThanOrEqual(20);
});

test("a key allows what both its scopes and its owner's role allow, and nothing else", async () => {
  const members = await keyOf(coach, { scopes: ['members:manage'] });
  await started.call('get', `/api/groups/${groupId}`, members.token).expect(200);
  await started.call('get', '/api/groups', members.token).expect(200);
  // Its owner is not an admin.
  await started.call('post', '/api/groups', members.token, { name: 'Another' }).expect(403);
  const results = await keyOf(coach, { scopes: ['results:read'] });
  await started.call('get', '/api/groups', results.token).expect(200);
  const refused = await started.call('get', `/api/groups/${groupId}`, results.token).expect(403);
  expect(refused.body).toMatchObject({ code: 'forbidden', message: 'This API key may not do this.' });
  // No scope opens the account, users, or keys.
  const whole = await keyOf(admin);
  await started.call('post', '/api/groups', whole.token, { name: 'By key' }).expect(201);
  for (const [method, path] of [
    ['get', '/api/auth/me'],
    ['get', '/api/users'],
    ['get', '/api/auth/account-data'],
    ['get', '/api/auth/api-keys'],
    ['post', '/api/auth/api-keys'],
    ['delete', `/api/users/${coach.id}`],
    ['post', '/api/auth/logout'],
  ] as const)
    expect((await started.call(method, path, whole.token, {})).status, path).toBe(403);
});

test('actions of a key are in the audit log with its id', async () => {
  const { id, token } = await keyOf(admin);
  const { group } = (await started.call('post', '/api/groups', token, { name: 'Audited' }).expect(201)).body;
  const event = await started.backing.mongo.collection('audit_outbox').findOne({ target: `group:${group.id}` });
  expect(JSON.stringify(event)).toContain(`"apiKey":"key-${id}"`);
});

test('a revoked key stops working immediately; only admins can revoke keys of others', async () => {
  const first = await keyOf(coach);
  const second = await keyOf(coach);
  const other = await started.signedIn('others');
  await started.call('delete', `/api/auth/api-keys/${first.id}`, other.token).expect(404);
  await started.call('delete', `/api/auth/api-keys/${first.id}`, coach.token).expect(204);
  await started.call('delete', `/api/auth/api-keys/${second.id}`, admin.token).expect(204);
  for (const { secret, token } of [first, second]) {
    await exchange(secret).expect(401);
    const refused = await started.call('get', '/api/groups', token).expect(401);
    expect(refused.body.message).toBe('This API key does not work any more.');
  }
});

test('a key stops working when it expires, or its owner is suspended, is deleted, or no longer coaches a group', async () => {
  const expired = await keyOf(coach);
  await started.auth.apiKeys.updateOne({ _id: expired.id }, { $set: { expiresAt: new Date() } });
  await exchange(expired.secret).expect(401);

  const owner = await started.signedIn('others');
  const role = (to: string) =>
    started.call('put', `/api/groups/${groupId}/people/${owner.id}`, admin.token, { role: to }).expect(200);
  await role('coach');
  const { secret, token } = await keyOf(owner);
  await role('member');
  await exchange(secret).expect(401);
  await role('coach');
  await exchange(secret).expect(200);
  const suspend = (suspended: boolean) =>
    started.call('put', `/api/users/${owner.id}/suspension`, admin.token, { suspended }).expect(200);
  await suspend(true);
  await exchange(secret).expect(401);
  await started.call('get', '/api/groups', token).expect(401);
  await suspend(false);
  await exchange(secret).expect(200);
  const { body } = await started.login(owner.email).expect(200);
  await started.call('post', '/api/auth/delete-account', body.user.token, { password }).expect(204);
  await exchange(secret).expect(401);
  expect(await started.auth.apiKeys.countDocuments({ userId: owner.id })).toBe(0);
});

test('all invalid keys get the same response, and guesses are limited', async () => {
  await exchange(`ipp_${'a'.repeat(43)}`).expect(401);
  await exchange(randomUUID()).expect(401);
  const limited = await startAuth({ LOGIN_ATTEMPTS: '1' });
  const guess = () => limited.call('post', '/api/auth/api-keys/token', undefined, { key: randomUUID() });
  const statuses: number[] = [];
  for (let count = 0; count < 12; count += 1) statuses.push((await guess()).status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  await limited.stop();
});
