import { afterAll, beforeAll, expect, test } from 'vitest';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
let admin: Awaited<ReturnType<StartedAuth['signedIn']>>;
beforeAll(async () => {
  started = await startAuth({ PUBLIC_URL: 'https://prep.example.com' });
  admin = await started.signedIn('admin', 'root@example.com');
});
afterAll(() => started.stop());

const asAdmin = (method: 'get' | 'post' | 'put', path: string, body?: object) =>
  started.call(method, path, admin.token, body);
const suspend = (id: string, suspended: boolean) => asAdmin('put', `/api/users/${id}/suspension`, { suspended });

test('an admin creates users with a role and a name; without a password they are invited', async () => {
  const given = { email: 'Ada@Example.com', name: ' Ada Lovelace ', role: 'admin', technologies: ['go'] };
  const { body } = await asAdmin('post', '/api/users', given).expect(201);
  expect(body.user).toMatchObject({
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    role: 'admin',
    technologies: ['go'],
  });
  expect(body.passwordLink.link).toContain('&invited=yes');
  expect((await asAdmin('post', '/api/users', given).expect(409)).body.message).toBe('User already exists');
  const own = { email: 'bob@example.com', role: 'others', password: 'long enough words' };
  expect((await asAdmin('post', '/api/users', own).expect(201)).body).not.toHaveProperty('passwordLink');
  expect((await started.login('bob@example.com', 'long enough words').expect(200)).body.user.role).toBe('others');
  await asAdmin('post', '/api/users', { ...own, email: 'eve@example.com', role: 'owner' }).expect(400);
});

test('a suspended user is signed out immediately and cannot sign in until the suspension is lifted', async () => {
  const user = await started.signedIn('others');
  expect((await suspend(user.id, true).expect(200)).body.user.suspendedAt).toEqual(expect.any(String));
  await started.call('get', '/api/auth/me', user.token).expect(401);
  const refused = await started.login(user.email).expect(403);
  expect(refused.body).toMatchObject({ code: 'suspended', message: 'Your account is suspended. Please ask an admin.' });
  // A wrong password doesn't reveal the suspension.
  expect((await started.login(user.email, 'wrong password').expect(401)).body.message).toBe('Invalid credentials');
  expect((await suspend(user.id, false).expect(200)).body.user).not.toHaveProperty('suspendedAt');
  await started.login(user.email).expect(200);
  await suspend(admin.id, true).expect(400);
});

test('a suspended admin does not count as another admin', async () => {
  const other = await started.signedIn('admin');
  await suspend(other.id, true).expect(200);
  await started.auth.users.updateMany({ email: 'ada@example.com' }, { $set: { role: 'dev' } });
  const { body } = await started.call('post', '/api/auth/delete-account', admin.token, { password }).expect(409);
  expect(body.message).toBe('You are the only admin. Make another admin first.');
});

test("an admin changes a user's email: they sign in with the new one, and other services learn it", async () => {
  const user = await started.signedIn('dev', 'grace@example.com');
  await asAdmin('put', `/api/users/${user.id}/email`, { email: 'root@example.com' }).expect(409);
  await asAdmin('put', `/api/users/${user.id}/email`, { email: 'Hopper@Example.com' }).expect(200);
  await started.call('get', '/api/auth/me', user.token).expect(401);
  await started.login('grace@example.com').expect(401);
  await started.login('hopper@example.com').expect(200);
  const published = await started.published('history', 'user-changed');
  expect(published).toContainEqual(expect.objectContaining({ userId: user.id, email: 'hopper@example.com' }));
});

test('of two admins who edit a user concurrently, the later one learns what changed and who changed it', async () => {
  const other = await started.signedIn('admin', 'other@example.com');
  const user = await started.signedIn('dev');
  const { version } = user;
  const update = (token: string, technologies: string[]) =>
    started.call('put', `/api/users/${user.id}`, token, { technologies }).set('If-Match', `"${version}"`);
  await update(other.token, ['sql']).expect(200);
  const { body } = await update(admin.token, ['react']).expect(409);
  expect(body).toMatchObject({
    code: 'edit_conflict',
    conflict: { by: 'other@example.com' },
    details: [{ path: 'technologies' }],
  });
  expect((await started.auth.users.findById(user.id).lean())?.technologies).toEqual(['sql']);
  const mine = started.call('put', `/api/users/${user.id}`, admin.token, { technologies: ['react'], name: 'Dee' });
  expect((await mine.set('If-Match', `"${body.conflict.version}"`).expect(200)).body.user).toMatchObject({
    name: 'Dee',
    technologies: ['react'],
  });
});

test.each([
  ['role', { role: 'admin' }, { role: 'others' }, 'role'],
  ['email', { email: 'hers@example.com' }, { email: 'mine@example.com' }, 'email'],
  ['suspension', { suspended: true }, { suspended: false }, 'suspended'],
  ['name', { name: 'Hers' }, { name: 'Mine' }, 'name'],
])(
  'of two admins who change the %s concurrently, the later one is refused, and can still overwrite it',
  async (path, hers, mine, field) => {
    const other = await started.signedIn('admin');
    const { id, version } = await started.signedIn('dev');
    const change = (token: string, body: object, seen = version) =>
      started.call('put', `/api/users/${id}/${path}`, token, body).set('If-Match', `"${seen}"`);
    // A change of other fields is not a conflict.
    await started.call('put', `/api/users/${id}`, other.token, { technologies: ['sql'] }).expect(200);
    await change(other.token, hers).expect(200);
    const { body } = await change(admin.token, mine).expect(409);
    expect(body).toMatchObject({
      code: 'edit_conflict',
      conflict: { by: other.email },
      details: [{ path: field }],
    });
    const stored = () => started.auth.users.findById(id).lean();
    const value = async () => ({ ...(await stored()), suspended: Boolean((await stored())?.suspendedAt) });
    expect(await value()).toMatchObject(hers);
    await change(admin.token, mine, body.conflict.version).expect(200);
    expect(await value()).toMatchObject(mine);
  },
);

test('a name can be changed, and removed by a blank one, without ending a sign-in', async () => {
  const user = await started.signedIn('others', 'grace@example.com');
  const name = (text: string, id = user.id) => asAdmin('put', `/api/users/${id}/name`, { name: text });
  expect((await name(' Grace Hopper ').expect(200)).body.user.name).toBe('Grace Hopper');
  const edit = { action: 'user.update', target: `user:${user.id}`, details: { changed: 'name' } };
  expect(await started.published('auth', 'audit-event')).toContainEqual(expect.objectContaining(edit));
  await started.call('get', '/api/auth/me', user.token).expect(200);
  expect((await name('').expect(200)).body.user).not.toHaveProperty('name');
  await name('x'.repeat(101)).expect(400);
  await name('Me', admin.id).expect(400);
});

test("the list has pages, each user's last activity, and an ETag", async () => {
  const all = await asAdmin('get', '/api/users').expect(200);
  const emails = all.body.users.map(({ email }: { email: string }) => email);
  const paged: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor && `&cursor=${cursor}`;
    const { body }: { body: { users: { email: string }[]; nextCursor: string | null } } = await asAdmin(
      'get',
      `/api/users?limit=2${query}`,
    ).expect(200);
    expect(body.users.length).toBeLessThanOrEqual(2);
    paged.push(...body.users.map(({ email }) => email));
    cursor = body.nextCursor;
  }
  expect(paged).toEqual(emails);
  const seen = all.body.users.find(({ email }: { email: string }) => email === 'root@example.com').lastSeen;
  expect(Date.now() - Date.parse(seen)).toBeLessThan(600_000);
  expect(all.body.users.find(({ email }: { email: string }) => email === 'ada@example.com').lastSeen).toBeNull();
  await asAdmin('get', '/api/users').set('If-None-Match', all.headers.etag!).expect(304);
});

test('the newest users are listed, and those of the last seven days are counted', async () => {
  const before = (await asAdmin('get', '/api/users/newest').expect(200)).body.lastSevenDays;
  const old = await started.add('others');
  await started.auth.users.collection.updateOne(
    { email: old.email },
    { $set: { createdAt: new Date(Date.now() - 8 * 24 * 60 * 60_000) } },
  );
  const fresh = await started.add('dev');
  const { body } = await asAdmin('get', '/api/users/newest').expect(200);
  expect(body.users).toHaveLength(3);
  expect(body.users[0].email).toBe(fresh.email);
  expect(body.lastSevenDays).toBe(before + 1);
});
