import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { catchMail } from './catch-mail.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let mail: Awaited<ReturnType<typeof catchMail>>;
let started: StartedAuth;
beforeAll(async () => {
  mail = await catchMail();
  started = await startAuth({
    SMTP_URL: mail.url,
    MAIL_FROM: 'Prep <prep@example.com>',
    PUBLIC_URL: 'https://prep.example.com/',
  });
});
afterAll(async () => {
  await started.stop();
  await mail.stop();
});
afterEach(() => {
  mail.mails.length = 0;
});

const neutral = { message: 'If an account exists, a reset link has been sent to your email.' };
const forgot = (email: unknown) => started.call('post', '/api/auth/forgot-password', undefined, { email });
const reset = (token: unknown, secret: unknown = 'another password') =>
  started.call('post', '/api/auth/reset-password', undefined, { token, password: secret });
const change = (token: string, currentPassword: unknown, newPassword: unknown) =>
  started.call('post', '/api/auth/change-password', token, { currentPassword, newPassword });
const me = (token: string) => started.call('get', '/api/auth/me', token);

const requestsLeft = () => started.backing.mongo.collection('reset_requests').find().toArray();

/** Requests a link, and returns the token from the mail. */
async function tokenFor(email: string): Promise<string> {
  const before = mail.mails.length;
  await forgot(email).expect(200);
  await expect.poll(() => mail.mails.length, { timeout: 5000 }).toBe(before + 1);
  const text = mail.mails.at(-1)?.text ?? '';
  return /reset-password#token=([\w-]+)/.exec(text)?.[1] ?? '';
}

describe('a forgotten password', () => {
  test('gets an email with a link, as text and HTML', async () => {
    await started.add('others', 'ada@example.com');
    expect((await forgot(' ADA@example.com ').expect(200)).body).toEqual(neutral);
    await expect.poll(() => mail.mails.length, { timeout: 5000 }).toBe(1);
    const [sent] = mail.mails;
    expect(sent?.from?.address).toBe('prep@example.com');
    expect(sent?.to?.map(({ address }) => address)).toEqual(['ada@example.com']);
    expect(sent?.subject).toBe('Reset your password');
    const link = /https:\/\/prep\.example\.com\/reset-password#token=[\w-]{43}/;
    expect(sent?.text).toMatch(link);
    expect(sent?.html).toMatch(link);
    expect(sent?.html).toContain(link.exec(sent?.text ?? '')?.[0]);
  });

  test('gets the same response for an unknown email, and sends nothing', async () => {
    expect((await forgot('nobody@example.com').expect(200)).body).toEqual(neutral);
    expect((await forgot('not an address').expect(200)).body).toEqual(neutral);
    await expect.poll(requestsLeft, { timeout: 5000 }).toEqual([]);
    expect(mail.mails).toEqual([]);
  });

  test.each([undefined, '', '  ', { $gt: '' }, 7])('rejects %j', async (email) => {
    expect((await forgot(email).expect(400)).body.message).toBe('Please enter your email.');
  });

  test('retries the email while the mail server refuses it', async () => {
    await started.add('others', 'later@example.com');
    mail.refuse(1);
    expect((await forgot('later@example.com').expect(200)).body).toEqual(neutral);
    await expect.poll(() => mail.mails.length, { timeout: 15_000 }).toBe(1);
    await expect.poll(requestsLeft, { timeout: 5000 }).toEqual([]);
  });

  test('requested just before a crash still gets its email', async () => {
    await started.add('others', 'crash@example.com');
    const now = new Date();
    const wish = { email: 'crash@example.com', requestedAt: now, dueAt: now, attempts: 1 };
    await started.backing.mongo.collection('reset_requests').insertOne(wish);
    const second = await startAuth({ SMTP_URL: mail.url }, started.backing);
    await expect.poll(() => mail.mails.length, { timeout: 5000 }).toBe(1);
    await second.stop();
  });

  test('lets a Google user set a first password', async () => {
    const user = {
      email: 'google@example.com',
      identities: ['https://accounts.google.com/ 1'],
      role: 'others' as const,
      technologies: [],
    };
    await started.auth.users.create(user);
    await reset(await tokenFor('google@example.com'), 'my first password').expect(200);
    await started.login('google@example.com', 'my first password').expect(200);
  });
});

const check = (token: unknown) => started.call('post', '/api/auth/reset-password/check', undefined, { token });

describe('resetting a password', () => {
  test('sets the password, once, and revokes every token', async () => {
    const { email, token: session } = await started.signedIn('others');
    const token = await tokenFor(email);
    await check(token).expect(204);
    await check(token).expect(204);
    expect((await reset(token).expect(200)).body.message).toBe('Your password has been reset. Please sign in.');
    await me(session).expect(401);
    await started.login(email).expect(401);
    await started.login(email, 'another password').expect(200);
    expect((await check(token).expect(400)).body.message).toMatch(/has expired/);
    const { body } = await reset(token, 'a third password').expect(400);
    expect(body.message).toBe('This reset link has expired. Request a new link.');
    await started.login(email, 'another password').expect(200);
  });

  test('succeeds for one of five concurrent requests', async () => {
    const { email } = await started.signedIn('others');
    const token = await tokenFor(email);
    const secrets = Array.from({ length: 5 }, (_, index) => `password number ${index}`);
    const answers = await Promise.all(secrets.map((secret) => reset(token, secret)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    const winner = secrets[answers.findIndex(({ status }) => status === 200)]!;
    await started.login(email, winner).expect(200);
  });

  test('works only with the newest link', async () => {
    const { email } = await started.signedIn('others');
    const older = await tokenFor(email);
    const newer = await tokenFor(email);
    await reset(older).expect(400);
    await reset(newer).expect(200);
  });

  test('is rejected an hour later', async () => {
    const { email, id } = await started.signedIn('others');
    const token = await tokenFor(email);
    const { reset: kept } = await started.auth.users.findById(id).lean().orFail();
    const hour = 60 * 60_000;
    expect(kept?.expiresAt.getTime()).toBeGreaterThan(Date.now() + hour - 60_000);
    expect(kept?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + hour);
    await started.auth.users.updateOne({ _id: id }, { $set: { 'reset.expiresAt': new Date(Date.now() - 1) } });
    await reset(token).expect(400);
  });

  test('stores no token that someone who reads the database could use', async () => {
    const { email, id } = await started.signedIn('others');
    const token = await tokenFor(email);
    expect(JSON.stringify(await started.auth.users.findById(id).lean())).not.toContain(token);
  });

  test('is rejected for a user deleted in the meantime', async () => {
    const admin = await started.signedIn('admin');
    const { email, id } = await started.signedIn('others');
    const token = await tokenFor(email);
    await started.call('delete', `/api/users/${id}`, admin.token).expect(204);
    await reset(token).expect(400);
  });

  test.each([
    [undefined, 'long enough', 'Reset token is missing. Please use the link sent to your email.'],
    ['', 'long enough', 'Reset token is missing. Please use the link sent to your email.'],
    [{ $gt: '' }, 'long enough', 'Reset token is missing. Please use the link sent to your email.'],
    ['unknown', 'long enough', 'This reset link has expired. Request a new link.'],
    ['unknown', 'short', 'Password must be at least 8 characters long.'],
    ['unknown', undefined, 'Password is required'],
  ])('with token %j and password %j is rejected', async (token, secret, message) => {
    const sent = { ...(token === undefined ? {} : { token }), ...(secret === undefined ? {} : { password: secret }) };
    const { body } = await started.call('post', '/api/auth/reset-password', undefined, sent).expect(400);
    expect(body.message).toBe(message);
  });
});

describe('changing a password', () => {
  test('revokes every other token; the user continues with the token in the response', async () => {
    const { email, token } = await started.signedIn('others');
    const other = (await started.login(email).expect(200)).body.user.token;
    const { body } = await change(token, password, 'another password').expect(200);
    expect(body).toEqual({ message: 'Password changed successfully', token: expect.any(String) });
    await me(token).expect(401);
    await me(other).expect(401);
    expect((await me(body.token).expect(200)).body.user.email).toBe(email);
    await started.login(email).expect(401);
    await started.login(email, 'another password').expect(200);
  });

  test('invalidates an open reset link', async () => {
    const { email, token } = await started.signedIn('others');
    const resetToken = await tokenFor(email);
    await change(token, password, 'another password').expect(200);
    await reset(resetToken).expect(400);
  });

  test('succeeds for one of three concurrent requests', async () => {
    const { token } = await started.signedIn('others');
    const answers = await Promise.all([1, 2, 3].map((n) => change(token, password, `new password ${n}`)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect(statuses.slice(1).every((status) => status >= 400 && status < 500)).toBe(true);
  });

  test('is rejected with a wrong current password, and for a user without one', async () => {
    const { token } = await started.signedIn('others');
    const { body } = await change(token, 'wrong password', 'another password').expect(400);
    const message = 'Current password is incorrect';
    expect(body).toMatchObject({ message, details: [{ path: 'currentPassword', message }] });

    const google = {
      email: 'g2@example.com',
      identities: ['https://accounts.google.com/ 2'],
      role: 'others' as const,
      technologies: [],
    };
    const user = await started.auth.users.create(google);
    const theirs = await started.auth.signAccessToken(user, Date.now());
    expect((await change(theirs, 'anything', 'another password').expect(400)).body.message).toBe(message);
    await me(token).expect(200);
  });

  test.each([
    ['', 'another password', 'Current password is required'],
    [{ $ne: '' }, 'another password', 'Current password is required'],
    [password, 'short', 'Password must be at least 8 characters long.'],
    [password, 'x'.repeat(129), 'Password must be at most 128 characters long.'],
    [password, { $ne: '' }, 'Password is required'],
  ])('from %j to %j is rejected', async (current, next, message) => {
    const { token } = await started.signedIn('others');
    expect((await change(token, current, next).expect(400)).body.message).toBe(message);
  });
});
