import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
beforeAll(async () => {
  started = await startAuth();
});
afterAll(() => started.stop());

describe('signing in', () => {
  test('returns the user with a token, and stores the time', async () => {
    const user = await started.add('others', 'ada@example.com');
    const before = Date.now();
    const { body } = await started.login('ada@example.com').expect(200);
    expect(body.user).toEqual({
      id: user._id.toHexString(),
      email: 'ada@example.com',
      role: 'others',
      technologies: ['go'],
      plan: 'basic',
      createdAt: user.createdAt.toISOString(),
      lastLogin: expect.any(String),
      token: expect.any(String),
      version: expect.any(String),
    });
    expect(Date.parse(body.user.lastLogin)).toBeGreaterThanOrEqual(before);
    const me = (await started.call('get', '/api/auth/me', body.user.token).expect(200)).body.user;
    expect({ ...me, token: body.user.token }).toEqual(body.user);
  });

  test('compares emails case-insensitively, ignoring surrounding spaces', async () => {
    await started.add('others', 'grace@example.com');
    await started.login('  GRACE@Example.COM ').expect(200);
  });

  test('accepts the same password in another Unicode form', async () => {
    const passwordHash = await started.auth.passwords.hash('pässwörd ①');
    const user = { email: 'forms@example.com', passwordHash, role: 'others' as const, technologies: [] };
    await started.auth.users.create(user);
    await started.login('forms@example.com', 'pa\u0308sswo\u0308rd ①'.normalize('NFD')).expect(200);
  });

  test('gives the same response to a wrong password and an unknown email', async () => {
    await started.add('others', 'known@example.com');
    const wrong = await started.login('known@example.com', 'not the password').expect(401);
    const unknown = await started.login('unknown@example.com').expect(401);
    expect(wrong.body).toEqual({ message: 'Invalid credentials', code: 'unauthorized', requestId: expect.any(String) });
    expect({ ...unknown.body, requestId: null }).toEqual({ ...wrong.body, requestId: null });
    expect(unknown.headers['content-length']).toBe(wrong.headers['content-length']);
  });

  test.each([
    [{}, 'Email is required'],
    [{ email: 'a@example.com' }, 'Password is required'],
    [{ email: ' ', password }, 'Email is required'],
    [{ email: { $gt: '' }, password }, 'Email is required'],
    [{ email: 'a@example.com', password: { $gt: '' } }, 'Password is required'],
    [{ email: 'a@example.com', password: 'x'.repeat(10_000) }, 'Password is too long'],
  ])('rejects %j', async (body, message) => {
    const answer = await started.call('post', '/api/auth/login', undefined, body).expect(400);
    expect(answer.body).toMatchObject({ message, code: 'invalid_request' });
  });

  test('rejects a body that is far too large', async () => {
    const body = { email: 'a@example.com', password: 'x'.repeat(20_000) };
    const answer = await started.call('post', '/api/auth/login', undefined, body).expect(413);
    expect(answer.body.code).toBe('too_large');
  });

  test('is rejected for a user without a password', async () => {
    await started.auth.users.create({
      email: 'google@example.com',
      identities: ['https://accounts.google.com/ 1'],
      role: 'others',
      technologies: [],
    });
    await started.login('google@example.com', '').expect(400);
    await started.login('google@example.com', 'undefined').expect(401);
  });
});

describe('the token', () => {
  test('is signed with ES256 by a published key, and its subject is the user', async () => {
    const user = await started.signedIn('dev');
    const { body } = await started.call('get', '/api/auth/.well-known/jwks.json').expect(200);
    expect(body.keys).toHaveLength(1);
    expect(body.keys[0]).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    expect(body.keys[0]).not.toHaveProperty('d');
    const [header = '', claims = '', signature = ''] = user.token.split('.');
    const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(decoded(header)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: body.keys[0].kid });
    // Verify with Node's crypto, not the library that signed it.
    const key = createPublicKey({ key: body.keys[0], format: 'jwk' });
    const signed = Buffer.from(`${header}.${claims}`);
    const isSigned = (bytes: Buffer) =>
      verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
    expect([isSigned(signed), isSigned(Buffer.from(`${header}.x`))]).toEqual([true, false]);
    const { iss, aud, sub, email, role, lastLogin, iat, exp } = decoded(claims);
    expect({ iss, aud, sub, email, role, lastLogin }).toEqual({
      iss: 'interview-prep',
      aud: 'interview-prep',
      sub: user.id,
      email: user.email,
      role: 'dev',
      lastLogin: user.lastLogin,
    });
    // The issue time equals the sign-in's, to the millisecond.
    expect(Math.round(iat * 1000)).toBe(Date.parse(lastLogin));
    expect(exp).toBe(Math.ceil(iat + 12 * 3600));
  });

  test('differs at each sign-in', async () => {
    const { email, token } = await started.signedIn('others');
    expect((await started.login(email).expect(200)).body.user.token).not.toBe(token);
  });
});

test('logging out revokes this token and no other', async () => {
  const { email, token } = await started.signedIn('others');
  const other = (await started.login(email).expect(200)).body.user.token;
  const { headers } = await started.call('post', '/api/auth/logout', token).expect(204, '');
  // The media cookie is cleared too, since it ends with the sign-in.
  expect(headers['set-cookie']).toEqual([expect.stringMatching(/^media=; Path=\/; Expires=Thu, 01 Jan 1970/)]);
  const { body } = await started.call('get', '/api/auth/me', token).expect(401);
  expect(body.message).toBe('You have been signed out. Please sign in again.');
  await started.call('post', '/api/auth/logout', token).expect(401);
  await started.call('get', '/api/auth/me', other).expect(200);
});
