import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
let admin: string;
beforeAll(async () => {
  started = await startAuth();
});
afterAll(() => started.stop());
beforeEach(async () => {
  await started.auth.users.deleteMany({});
  admin = (await started.signedIn('admin', 'admin@example.com')).token;
});

const nowhere = '0123456789abcdef01234567';
const developer = { email: 'new@example.com', password, technologies: ['go', 'sql'] };
const register = (changes: object = {}) =>
  started.call('post', '/api/auth/register', admin, { ...developer, ...changes });

describe('registering', () => {
  test('creates a dev, whatever role is sent, who can sign in', async () => {
    const { body } = await register({ role: 'admin', plan: 'enterprise', email: ' New@Example.com ' }).expect(201);
    expect(body.user).toEqual({
      id: expect.any(String),
      email: 'new@example.com',
      role: 'dev',
      technologies: ['go', 'sql'],
      plan: 'basic',
      createdAt: expect.any(String),
      lastLogin: null,
      version: expect.any(String),
    });
    expect(JSON.stringify(body)).not.toMatch(/argon|hash|password/i);
    expect((await started.login('new@example.com').expect(200)).body.user.role).toBe('dev');
  });

  test('rejects an existing email, in any case, also in concurrent requests', async () => {
    const answers = await Promise.all(
      ['a@example.com', 'A@example.com', ' a@EXAMPLE.com'].map((email) => register({ email })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body).toMatchObject({ message: 'User already exists', code: 'conflict' });
  });

  const missing = 'Please fill in all required fields and select at least one technology';
  test.each([
    ['email', { email: '' }, missing],
    ['email', { email: 'nobody' }, 'Please enter a valid email address'],
    ['email', { email: { $ne: null } }, missing],
    ['password', { password: '' }, missing],
    ['password', { password: 'short' }, 'Password must be at least 8 characters long.'],
    ['password', { password: 'x'.repeat(129) }, 'Password must be at most 128 characters long.'],
    ['technologies', { technologies: [] }, missing],
    ['technologies', { technologies: 'go' }, missing],
    ['technologies.1', { technologies: ['go', 'cobol'] }, 'This technology is not known'],
  ])('rejects an invalid %s: %j', async (path, changes, message) => {
    const { body } = await register(changes).expect(400);
    expect(body).toMatchObject({ message, details: [{ path, message }] });
    expect(await started.auth.users.find({ role: 'dev' }).lean()).toEqual([]);
  });

  test('waits a moment for a technology that was just added', async () => {
    const answer = register({ technologies: ['rust'] }).then((response) => response);
    await started.auth.technologies.apply({ slugs: ['rust', 'go', 'sql'], revision: 2 });
    expect((await answer).status).toBe(201);
  });

  test('uses the newest technologies, in any order of publishing', async () => {
    await started.auth.technologies.apply({ slugs: ['zig', 'go', 'sql', 'react', 'python'], revision: 10 });
    await started.auth.technologies.apply({ slugs: ['old'], revision: 9 });
    await register({ technologies: ['zig'] }).expect(201);
    await register({ email: 'other@example.com', technologies: ['old'] }).expect(400);
  });
});

test('the list shows all users sorted by email, without a hash', async () => {
  await started.add('others', 'zoe@example.com');
  await started.add('dev', 'bob@example.com');
  const { body, text } = await started.call('get', '/api/users', admin).expect(200);
  const emails = body.users.map((user: { email: string }) => user.email);
  expect(emails).toEqual(['admin@example.com', 'bob@example.com', 'zoe@example.com']);
  expect(text).not.toContain('argon');
});

describe("a user's technologies", () => {
  const put = (id: string, token: string, technologies: unknown) =>
    started.call('put', `/api/users/${id}`, token, { technologies, role: 'admin', email: 'x@example.com' });

  test('can be set by an admin for anyone, and nothing else can', async () => {
    const user = await started.add('dev', 'bob@example.com');
    const { body } = await put(user._id.toHexString(), admin, ['go', 'sql', 'react', 'python', 'go']).expect(200);
    expect(body.user).toMatchObject({
      email: 'bob@example.com',
      role: 'dev',
      technologies: ['go', 'sql', 'react', 'python'],
    });
  });

  test('can be set by users for themselves, at most 3', async () => {
    const { id, token } = await started.signedIn('others');
    expect((await put(id, token, ['go', 'sql', 'react']).expect(200)).body.user.technologies).toHaveLength(3);
    expect((await put(id.toUpperCase(), token, ['go', 'sql', 'sql', 'react']).expect(200)).body.user.role).toBe(
      'others',
    );
    const { body } = await put(id, token, ['go', 'sql', 'react', 'python']).expect(400);
    expect(body.message).toBe('Please select at most 3 technologies');
  });

  test('cannot be set by other users, whether the user exists or not', async () => {
    const other = await started.add('others');
    for (const role of ['dev', 'others'] as const) {
      const { token } = await started.signedIn(role);
      await put(other._id.toHexString(), token, ['go']).expect(403);
      await put(nowhere, token, ['go']).expect(403);
    }
  });

  test.each([
    [[], 'Please select at least one technology'],
    [undefined, 'Please select at least one technology'],
    [[{ $gt: '' }], 'Technology is required'],
    [['cobol'], 'This technology is not known'],
  ])('reject %j', async (technologies, message) => {
    const user = await started.add('dev');
    expect((await put(user._id.toHexString(), admin, technologies).expect(400)).body.message).toBe(message);
  });

  test('of an unknown user return 404', async () => {
    expect((await put(nowhere, admin, ['go']).expect(404)).body.message).toBe('User not found');
  });
});

describe('deleting a user', () => {
  test('removes the user and revokes every token', async () => {
    const user = await started.signedIn('dev', 'bob@example.com');
    const second = (await started.login('bob@example.com').expect(200)).body.user.token;
    await started.call('delete', `/api/users/${user.id}`, admin).expect(204, '');
    for (const token of [user.token, second]) await started.call('get', '/api/auth/me', token).expect(401);
    await started.login('bob@example.com').expect(401);
    expect((await started.call('get', '/api/users', admin)).body.users).toHaveLength(1);
    expect((await started.call('delete', `/api/users/${user.id}`, admin).expect(404)).body.message).toBe(
      'User not found',
    );
  });

  test('erases caught emails to the user', async () => {
    const erased: string[] = [];
    started.auth.eraseMail = async (email) => erased.push(email);
    const user = await started.signedIn('dev', 'bob@example.com');
    await started.call('delete', `/api/users/${user.id}`, admin).expect(204);
    expect(erased).toEqual(['bob@example.com']);
  });

  test('keeps no personal data, and frees the email', async () => {
    const user = await started.signedIn('dev', 'bob@example.com');
    await started.call('delete', `/api/users/${user.id}`, admin).expect(204);
    const left = await started.auth.users.findById(user.id).lean().orFail();
    expect(JSON.stringify(left)).not.toMatch(/bob|argon/);
    await register({ email: 'bob@example.com' }).expect(201);
  });

  test('is published, so that all data of the user is deleted, and drops their pending emails', async () => {
    const user = await started.signedIn('dev', 'cara@example.com');
    await started.call('delete', `/api/users/${user.id}`, admin).expect(204);
    const published = await started.published('recording', 'user-changed');
    expect(published).toContainEqual(expect.objectContaining({ userId: user.id, eraseData: true, email: '' }));
  });

  test('by oneself requires a fresh sign-in or the password, and revokes every token', async () => {
    const user = await started.signedIn('others', 'dora@example.com');
    const remove = (body: object, token: string) => started.call('post', '/api/auth/delete-account', token, body);
    const claims = await started.auth.verify(user.token);
    const stored = await started.auth.users.findById(claims.sub).orFail();
    const old = started.auth.signAccessToken(stored, Date.now() - 11 * 60_000);
    expect((await remove({}, old).expect(400)).body.message).toBe('The password is incorrect');
    expect((await remove({ password: 'wrong' }, old).expect(400)).body.details).toMatchObject([{ path: 'password' }]);
    await remove({ password }, old).expect(204, '');
    for (const token of [old, user.token]) await started.call('get', '/api/auth/me', token).expect(401);
    await started.login('dora@example.com').expect(401);

    const fresh = await started.signedIn('others', 'dora@example.com');
    await remove({}, fresh.token).expect(204);
  });

  test('is refused for the only admin', async () => {
    const { body } = await started.call('post', '/api/auth/delete-account', admin, { password }).expect(409);
    expect(body.message).toBe('You are the only admin. Make another admin first.');
    await started.call('get', '/api/auth/me', admin).expect(200);
  });

  test("is refused for an admin's own account", async () => {
    const { id } = (await started.call('get', '/api/auth/me', admin)).body.user;
    const { body } = await started.call('delete', `/api/users/${id}`, admin).expect(400);
    expect(body.message).toBe('You cannot delete yourself');
    await started.call('delete', `/api/users/${id.toUpperCase()}`, admin).expect(400);
  });
});

test('subscribing records the plan', async () => {
  const { token } = await started.signedIn('others');
  const { body } = await started.call('post', '/api/auth/subscribe', token, { plan: 'premium' }).expect(200);
  expect(body.user.plan).toBe('premium');
  expect((await started.call('get', '/api/auth/me', token)).body.user.plan).toBe('premium');
  for (const plan of [undefined, 'gold', { $ne: '' }]) {
    const refused = await started.call('post', '/api/auth/subscribe', token, { plan }).expect(400);
    expect(refused.body.message).toBe('Please choose a plan');
  }
});

test('sign-ins, new users and deletions are published to recording and history, each with a larger revision', async () => {
  const user = (await register().expect(201)).body.user;
  const signedIn = (await started.login(user.email).expect(200)).body.user;
  await started.call('delete', `/api/users/${user.id}`, admin).expect(204);
  for (const queue of ['recording', 'history'] as const) {
    const published = (await started.published(queue, 'user-changed')).filter(({ userId }) => userId === user.id);
    const byRevision = [...new Map(published.map((one) => [one.revision, one])).values()];
    expect(byRevision).toMatchObject([
      { email: user.email, role: 'dev', lastLogin: null, deletedAt: null },
      { email: user.email, role: 'dev', lastLogin: signedIn.lastLogin, deletedAt: null },
      { email: '', deletedAt: expect.any(String) },
    ]);
    expect(published.every(({ revision }) => revision > 0)).toBe(true);
  }
});

test('every user is published again after Redis was emptied', async () => {
  await started.add('others', 'zoe@example.com');
  await started.emptyRedis();
  await expect
    .poll(async () => (await started.published('history', 'user-changed')).map(({ email }) => email), {
      timeout: 10_000,
    })
    .toContain('zoe@example.com');
});
