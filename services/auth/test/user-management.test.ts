import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { catchMail } from './catch-mail.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let mail: Awaited<ReturnType<typeof catchMail>>;
/** With a mail server, and without one, on the same database. */
let mailing: StartedAuth;
let started: StartedAuth;
let admin: Awaited<ReturnType<StartedAuth['signedIn']>>;
beforeAll(async () => {
  mail = await catchMail();
  mailing = await startAuth({ SMTP_URL: mail.url, PUBLIC_URL: 'https://prep.example.com' });
  started = await startAuth({ PUBLIC_URL: 'https://prep.example.com' }, mailing.backing);
});
afterAll(async () => {
  await started.auth.stop();
  await started.jobs.close();
  await mailing.stop();
  await mail.stop();
});
beforeEach(async () => {
  mail.mails.length = 0;
  await started.auth.users.deleteMany({});
  admin = await started.signedIn('admin', 'root@example.com');
});

const nowhere = '0123456789abcdef01234567';
const developer = { email: 'new@example.com', technologies: ['go'] };
const tokenOf = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '';
const setPassword = (token: string, secret: string) =>
  started.call('post', '/api/auth/reset-password', undefined, { token, password: secret });
const changeRole = (id: string, role: string, token = admin.token) =>
  started.call('put', `/api/users/${id}/role`, token, { role });
const adminsLeft = () => started.auth.users.countDocuments({ role: 'admin', deletedAt: null });

describe('an invitation', () => {
  test('without a mail server is a link in the response, valid for seven days, which sets a password once', async () => {
    const { body } = await started.call('post', '/api/auth/register', admin.token, developer).expect(201);
    const { isMailed, link, expiresAt } = body.passwordLink;
    expect([isMailed, body.user.role]).toEqual([false, 'dev']);
    expect(link).toMatch(/^https:\/\/prep\.example\.com\/reset-password#token=[\w-]{43}&invited=yes$/);
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 3_600_000)).toBe(7 * 24);
    // No password works before it is set.
    for (const guess of ['', ' ', 'undefined', password]) {
      expect((await started.login(developer.email, guess)).status).toBeGreaterThanOrEqual(400);
    }
    const answers = await Promise.all(
      ['the first password', 'the second one'].map((each) => setPassword(tokenOf(link), each)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    await setPassword(tokenOf(link), 'a third password').expect(400);
    const set = answers[0]?.status === 200 ? 'the first password' : 'the second one';
    expect((await started.login(developer.email, set).expect(200)).body.user.role).toBe('dev');
  });

  test('is sent by email if there is a mail server, and is not in the response', async () => {
    const { body } = await mailing.call('post', '/api/auth/register', admin.token, developer).expect(201);
    expect(body.passwordLink).toEqual({ isMailed: true, expiresAt: expect.any(String) });
    await expect.poll(() => mail.mails.length, { timeout: 5000 }).toBe(1);
    const [sent] = mail.mails;
    expect(sent?.subject).toBe('Your account at the Interview Preparation Platform');
    expect(sent?.text).toContain('This link can be used once and expires in seven days.');
    const link = /https:\/\/\S+/.exec(sent?.text ?? '')?.[0] ?? '';
    await setPassword(tokenOf(link), 'short').expect(400);
    await setPassword(tokenOf(link), 'the first password').expect(200);
  });

  test('expires after seven days, or when a newer one is sent', async () => {
    const { body } = await started.call('post', '/api/auth/register', admin.token, developer).expect(201);
    const again = await started.call('post', `/api/users/${body.user.id}/password-link`, admin.token).expect(200);
    expect(again.body.passwordLink.link).toContain('&invited=yes');
    await setPassword(tokenOf(body.passwordLink.link), 'the first password').expect(400);
    const late = { 'reset.expiresAt': new Date(Date.now() - 1) };
    await started.auth.users.updateOne({ _id: body.user.id }, { $set: late });
    await setPassword(tokenOf(again.body.passwordLink.link), 'the first password').expect(400);
  });
});

test('an admin can send a user a link that sets a new password; the old one works until then', async () => {
  const user = await started.signedIn('others');
  const { body } = await started.call('post', `/api/users/${user.id}/password-link`, admin.token).expect(200);
  expect(body.passwordLink.link).not.toContain('invited');
  await started.login(user.email).expect(200);
  await setPassword(tokenOf(body.passwordLink.link), 'another password').expect(200);
  await started.login(user.email).expect(401);
  await started.call('get', '/api/auth/me', user.token).expect(401);
  await started.call('post', `/api/users/${nowhere}/password-link`, admin.token).expect(404);
  await started.call('post', `/api/users/${admin.id}/password-link`, admin.token).expect(400);
});

test("an admin whose sign-in is not fresh can neither end other people's sign-ins nor read their data", async () => {
  const user = await started.signedIn('others');
  const admin = await started.signedIn('admin');
  const stored = await started.auth.users.findById(admin.id).orFail();
  const old = started.auth.signAccessToken(stored, Date.now() - 11 * 60_000);
  const calls = (token: string) =>
    [
      ['get', `/api/auth/account-data?userId=${user.id}`],
      ['delete', `/api/users/${user.id}/sign-ins`],
      ['post', '/api/audit/entries.csv'],
    ].map(([method, path]) => started.call(method as 'get' | 'post' | 'delete', path!, token));
  for (const answer of await Promise.all(calls(old)))
    expect([answer.status, answer.body.code]).toEqual([403, 'step_up_required']);
  await started.call('get', '/api/auth/me', user.token).expect(200);
  // The user can still access their own data.
  await started.call('get', '/api/auth/account-data', old).expect(200);
  expect((await Promise.all(calls(admin.token))).map(({ status }) => status)).toEqual([200, 204, 200]);
});

test("an admin can end a user's sign-ins, including those waiting for a second factor", async () => {
  const user = await started.signedIn('others');
  const second = (await started.login(user.email).expect(200)).body.user.token;
  await started.call('delete', `/api/users/${user.id}/sign-ins`, admin.token).expect(204);
  for (const token of [user.token, second]) await started.call('get', '/api/auth/me', token).expect(401);
  await started.login(user.email).expect(200);
  await started.call('delete', `/api/users/${nowhere}/sign-ins`, admin.token).expect(404);
});

describe('an import', () => {
  const importing = (people: object[], invite = false, token = admin.token) =>
    started.call('post', '/api/users/import', token, { people, invite });

  test('creates missing users and leaves the others unchanged, also when repeated', async () => {
    const before = await started.add('dev');
    const people = [
      { email: ' Ann@Example.com', name: 'Ann Bo' },
      { email: before.email, name: 'Another', role: 'admin' },
      { email: 'ben@example.com', role: 'dev' },
      { email: 'ann@example.com', name: 'Twice' },
    ];
    const first = (await importing(people).expect(200)).body.users;
    expect(first.map(({ email, isNew }: { email: string; isNew: boolean }) => [email, isNew])).toEqual([
      ['ann@example.com', true],
      [before.email, false],
      ['ben@example.com', true],
      ['ann@example.com', false],
    ]);
    expect(first.filter((user: object) => 'passwordLink' in user)).toEqual([]);
    expect(await started.published('history', 'user-changed')).toContainEqual(
      expect.objectContaining({ userId: first[0].id, role: 'others', email: 'ann@example.com' }),
    );
    expect((await importing(people, true).expect(200)).body.users).toEqual(
      first.map(({ id, email }: { id: string; email: string }) => ({ id, email, isNew: false })),
    );
    const users = await started.auth.users.find({ deletedAt: null }).sort({ email: 1 }).lean();
    expect(users.map(({ email, name, role }) => [email, name, role])).toEqual(
      [
        ['ann@example.com', 'Ann Bo', 'others'],
        ['ben@example.com', undefined, 'dev'],
        [before.email, undefined, 'dev'],
        ['root@example.com', undefined, 'admin'],
      ].toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
    );
  });

  test('invites new users by email, or with links in the response if there is no mail server', async () => {
    const { body } = await importing([{ email: 'ann@example.com' }], true).expect(200);
    const { link } = body.users[0].passwordLink;
    expect(link).toContain('&invited=yes');
    await setPassword(tokenOf(link), 'the first password').expect(200);
    await started.login('ann@example.com', 'the first password').expect(200);
    const people = ['ben@example.com', 'cy@example.com'].map((email) => ({ email }));
    const mailed = await mailing.call('post', '/api/users/import', admin.token, { people, invite: true }).expect(200);
    expect(mailed.body.users[0].passwordLink.link).toBeUndefined();
    await expect.poll(() => mail.mails.length, { timeout: 5000 }).toBe(2);
  });

  test('creates no one if a row is invalid, beyond 100 rows, or without a fresh sign-in', async () => {
    const bad = await importing([{ email: 'ann@example.com' }, { email: 'not an email' }]).expect(400);
    expect(bad.body.details).toEqual([{ path: 'people.1.email', message: 'Please enter a valid email address' }]);
    await importing([{ email: 'ann@example.com', role: 'owner' }]).expect(400);
    await importing([]).expect(400);
    await importing(Array.from({ length: 101 }, (_, index) => ({ email: `user${index}@example.com` }))).expect(400);
    const stored = await started.auth.users.findById(admin.id).orFail();
    const old = started.auth.signAccessToken(stored, Date.now() - 11 * 60_000);
    expect((await importing([{ email: 'ann@example.com' }], false, old).expect(403)).body.code).toBe(
      'step_up_required',
    );
    expect(await started.auth.users.countDocuments({})).toBe(1);
  });

  test('handles 100 people well within the ten seconds of a request', async () => {
    const people = Array.from({ length: 100 }, (_, row) => ({ email: `user${row}@example.com` }));
    const begun = performance.now();
    await importing(people, true).expect(200);
    expect(performance.now() - begun).toBeLessThan(8000);
    expect(await started.auth.users.countDocuments({})).toBe(101);
  });
});

describe('a role', () => {
  test("changed by another admin ends the user's sign-ins, and is published", async () => {
    const user = await started.signedIn('others');
    expect((await changeRole(user.id, 'admin').expect(200)).body.user.role).toBe('admin');
    await started.call('get', '/api/auth/me', user.token).expect(401);
    const { token } = (await started.login(user.email).expect(200)).body.user;
    await started.call('get', '/api/users', token).expect(200);
    expect(await started.published('history', 'user-changed')).toContainEqual(
      expect.objectContaining({ userId: user.id, role: 'admin' }),
    );
    await changeRole(user.id, 'owner').expect(400);
    await changeRole(nowhere, 'dev').expect(404);
    expect((await changeRole(admin.id.toUpperCase(), 'dev').expect(400)).body.message).toBe(
      'You cannot do this for yourself. Another admin can.',
    );
  });

  test('can be changed, and a password link sent, only soon after a sign-in', async () => {
    const user = await started.add('others');
    const stored = await started.auth.users.findById(admin.id).orFail();
    const old = started.auth.signAccessToken(stored, Date.now() - 11 * 60_000);
    expect((await changeRole(user.id, 'admin', old).expect(403)).body.code).toBe('step_up_required');
    const link = await started.call('post', `/api/users/${user.id}/password-link`, old).expect(403);
    expect(link.body.code).toBe('step_up_required');
  });
});

describe('the last admin', () => {
  test.each([
    ['demote', (id: string, token: string) => changeRole(id, 'dev', token)],
    ['delete', (id: string, token: string) => started.call('delete', `/api/users/${id}`, token)],
  ])('remains if two admins %s each other concurrently, in two processes', async (_what, act) => {
    const other = await started.signedIn('admin');
    const answers = await Promise.all([act(other.id, admin.token), act(admin.id, other.token)]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(await adminsLeft()).toBe(1);
  });

  test('remains if one admin deletes the account while the other is demoted elsewhere', async () => {
    const other = await started.signedIn('admin');
    await Promise.all([
      mailing.call('post', '/api/auth/delete-account', admin.token, { password }),
      changeRole(admin.id, 'dev', other.token),
      mailing.call('put', `/api/users/${other.id}/role`, admin.token, { role: 'others' }),
    ]);
    expect(await adminsLeft()).toBeGreaterThanOrEqual(1);
  });

  test('remains if the only other one was invited and never accepted', async () => {
    await started.auth.users.create({ email: 'invited@example.com', role: 'admin', technologies: [] });
    const { body } = await started.call('post', '/api/auth/delete-account', admin.token, { password }).expect(409);
    expect(body.message).toBe('You are the only admin. Make another admin first.');
  });

  test('can leave once there is a second admin', async () => {
    const user = await started.signedIn('others');
    await changeRole(user.id, 'admin').expect(200);
    await started.call('post', '/api/auth/delete-account', admin.token, { password }).expect(204);
    expect(await adminsLeft()).toBe(1);
  });
});
