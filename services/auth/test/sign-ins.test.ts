import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { clientOf, networkOf } from '../src/sign-ins/client-of.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0';
const minuteMs = 60_000;

let started: StartedAuth;
beforeAll(async () => {
  started = await startAuth();
});
afterAll(() => started.stop());

const me = async (token: string) => (await started.call('get', '/api/auth/me', token)).status;
const list = async (token: string) => (await started.call('get', '/api/auth/sign-ins', token).expect(200)).body.signIns;
const again = async (email: string): Promise<string> =>
  (await started.login(email).set('User-Agent', firefox).expect(200)).body.user.token;
const signInOf = async (token: string) => started.auth.verify(token, false);
/** A user's token issued `minutes` ago for a sign-in without a record, as by an earlier release. */
async function olderToken(id: string, minutes: number): Promise<string> {
  const stored = await started.auth.users.findById(id).orFail();
  return started.auth.signAccessToken(stored, Date.now() - minutes * minuteMs);
}

test('beyond a hundred sign-ins, the oldest ends in every service', async () => {
  const user = await started.signedIn('others');
  const second = await again(user.email);
  const { signInRecords } = started.auth;
  const { _id, ...stored } = await signInRecords
    .findById((await signInOf(second)).jti)
    .orFail()
    .lean();
  await signInRecords.insertMany(
    Array.from({ length: 98 }, () => ({ ...stored, _id: randomUUID(), signedInAt: new Date() })),
  );
  await again(user.email);
  expect([await me(user.token), await me(second)]).toEqual([401, 200]);
  expect(await list(second)).toHaveLength(100);
  const latest = await Promise.all(Array.from({ length: 5 }, () => again(user.email)));
  expect(await me(second)).toBe(401);
  expect(await list(latest[0]!)).toHaveLength(100);
});

describe('the list of active sign-ins', () => {
  test('has devices, IP addresses and times, most recently used first, with the current one marked', async () => {
    const before = Date.now();
    const user = await started.signedIn('others');
    const other = await again(user.email);
    await started.signedIn('others');
    const [first, latest, ...more] = await list(user.token);
    expect(more).toEqual([]);
    expect(latest).toMatchObject({ browser: 'Firefox', system: 'Windows', network: 'this', isThis: false });
    expect(latest.address).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect(first).toMatchObject({ browser: null, system: null, isThis: true, id: (await signInOf(user.token)).jti });
    expect(Date.parse(latest.signedInAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(latest.expiresAt) - Date.parse(latest.signedInAt)).toBeCloseTo(12 * 60 * minuteMs, -4);
    const { jti } = await signInOf(other);
    await started.backing.redis.set(`${started.prefix}:sign-in-uses:${jti}`, Date.now() + 1000);
    expect((await list(user.token))[0]).toMatchObject({ id: jti, browser: 'Firefox' });
  });

  test('contains active sign-ins only', async () => {
    const user = await started.signedIn('others');
    const loggedOut = await again(user.email);
    await started.call('post', '/api/auth/logout', loggedOut).expect(204);
    expect(await list(user.token)).toHaveLength(1);
    await again(user.email);
    const change = { currentPassword: password, newPassword: 'another password' };
    const { token } = (await started.call('post', '/api/auth/change-password', user.token, change).expect(200)).body;
    expect(await list(token)).toMatchObject([{ isThis: true }]);
    // A sign-in from an earlier release is stored once it makes a request.
    const old = await olderToken(user.id, 0);
    expect(await list(old)).toHaveLength(2);
    await started.call('post', '/api/auth/delete-account', token, {}).expect(204);
    expect(await started.auth.signInRecords.countDocuments({ userId: user.id })).toBe(0);
  });
});

describe('ending a sign-in', () => {
  const end = (token: string, id: string) => started.call('delete', `/api/auth/sign-ins/${id}`, token);

  test('revokes its token and links immediately, and nothing else; users can end only their own', async () => {
    const user = await started.signedIn('others');
    const lost = await again(user.email);
    const claims = await signInOf(lost);
    const stranger = await started.signedIn('admin');
    await end(stranger.token, claims.jti).expect(404);
    expect(await started.denylist.hasEnded(claims)).toBe(false);
    await end(user.token, claims.jti).expect(204);
    expect(await started.denylist.hasEnded(claims)).toBe(true);
    expect([await me(lost), await me(user.token)]).toEqual([401, 200]);
    expect(await list(user.token)).toHaveLength(1);
    await end(user.token, claims.jti).expect(404);
    await end(user.token, 'no such').expect(400);
    await started.emptyRedis();
    expect([await me(lost), await me(user.token)]).toEqual([401, 200]);
  });

  test('for all others leaves the current one, also after Redis was emptied, and ends half-finished ones', async () => {
    const user = await started.signedIn('others');
    const others = [await again(user.email), await again(user.email), await olderToken(user.id, 5)];
    const own = await signInOf(user.token);
    await started.call('delete', '/api/auth/sign-ins', user.token).expect(204);
    const statuses = async () => Promise.all([...others, user.token].map(me));
    expect(await statuses()).toEqual([401, 401, 401, 200]);
    expect(await started.denylist.hasEnded(own)).toBe(false);
    expect(await list(user.token)).toMatchObject([{ isThis: true }]);
    await started.emptyRedis();
    expect(await statuses()).toEqual([401, 401, 401, 200]);

    // A later sign-in is not affected, and can end the remaining one.
    const later = await again(user.email);
    await started.call('delete', '/api/auth/sign-ins', later).expect(204);
    expect([await me(user.token), await me(later)]).toEqual([401, 200]);
    const { token: admin } = await started.signedIn('admin');
    await started.call('delete', `/api/users/${user.id}/sign-ins`, admin).expect(204);
    expect(await me(later)).toBe(401);
  });

  test('requires a recent sign-in or step-up', async () => {
    const user = await started.signedIn('others');
    const old = await olderToken(user.id, 11);
    for (const path of ['/api/auth/sign-ins', `/api/auth/sign-ins/${(await signInOf(user.token)).jti}`]) {
      expect((await started.call('delete', path, old).expect(403)).body.code).toBe('step_up_required');
    }
    expect(await me(user.token)).toBe(200);
  });

  test('is recorded in the audit log', async () => {
    const user = await started.signedIn('others');
    const { jti } = await signInOf(await again(user.email));
    await end(user.token, jti).expect(204);
    await started.call('delete', '/api/auth/sign-ins', user.token).expect(204);
    const events = (await started.published('auth', 'audit-event')).filter(({ actor }) => actor === user.id);
    expect(events.slice(-2)).toMatchObject([
      { action: 'sign-in.end', outcome: 'success', target: `sign-in:${jti}` },
      { action: 'sign-in.end', outcome: 'success', target: `user:${user.id}`, details: { which: 'all others' } },
    ]);
  });
});

test('a step-up replaces the token: the earlier one expires ten seconds later, and media links stay valid', async () => {
  const user = await started.signedIn('others');
  const link = await signInOf(user.token);
  const { token } = (await started.call('post', '/api/auth/step-up', user.token, { password }).expect(200)).body;
  // Other tabs may have calls in progress.
  expect([await me(user.token), await me(token)]).toEqual([200, 200]);
  // The clock must keep running: a check that waits for the denylist reads it.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000, shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  expect([await me(user.token), await me(token)]).toEqual([401, 200]);
  expect(await started.denylist.hasEnded(link)).toBe(false);
  expect(await list(token)).toMatchObject([{ id: link.jti, isThis: true }]);
  await started.emptyRedis();
  expect([await me(user.token), await me(token)]).toEqual([401, 200]);
  await started.call('post', '/api/auth/logout', token).expect(204);
  expect([await me(token), await started.denylist.hasEnded(link)]).toEqual([401, true]);
});

test('an account export has profile, sign-ins, factors and events, without secrets; only its owner and admins get it', async () => {
  const user = await started.signedIn('others');
  const event = {
    service: 'auth',
    action: 'sign-in',
    outcome: 'success',
    target: null,
    requestId: null,
    details: {},
  } as const;
  const at = new Date().toISOString();
  for (const actor of [user.id, '0'.repeat(24)]) {
    await started.auth.auditLog.append({ ...event, id: randomUUID(), at, actor, address: '203.0.113.7' });
  }
  const path = `/api/auth/account-data?userId=${user.id}`;
  const own = (await started.call('get', '/api/auth/account-data', user.token).expect(200)).body;
  expect(own).toMatchObject({
    user: { email: user.email },
    google: false,
    security: { hasPassword: true, totp: false },
  });
  expect(own.signIns).toMatchObject([{ address: expect.any(String), signedInAt: expect.any(String) }]);
  expect(own.events).toEqual([{ at, action: 'sign-in', outcome: 'success', address: '203.0.113.7', details: {} }]);
  const stored = await started.auth.users.findById(user.id).orFail();
  expect(JSON.stringify(own)).not.toContain(stored.passwordHash);
  const { token: admin } = await started.signedIn('admin');
  expect((await started.call('get', path, admin).expect(200)).body).toEqual(own);
  await started.call('get', path, (await started.signedIn('dev')).token).expect(403);
  await started.call('get', path.replace(user.id, 'f'.repeat(24)), admin).expect(404);
});

describe('the inactivity limit', () => {
  /** A sign-in that began two hours ago, and was last used then. */
  async function longAgo() {
    const user = await started.signedIn('others');
    const token = await olderToken(user.id, 120);
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string };
    const useKey = `${started.prefix}:sign-in-uses:${jti}`;
    return {
      user,
      token,
      jti,
      lastUse: async () => Number(await started.backing.redis.get(useKey)),
      used: (minutes: number) => started.backing.redis.set(useKey, Date.now() - minutes * minuteMs),
    };
  }

  test('ends a sign-in that was idle for an hour, and its links, with the message for an expired one', async () => {
    const { token, used, user } = await longAgo();
    await used(59);
    const claims = await signInOf(token);
    expect(claims.idle).toBe(3600);
    expect(await started.denylist.hasEnded(claims)).toBe(false);
    await used(61);
    const { body } = await started.call('get', '/api/auth/me', token).expect(401);
    expect(body.message).toBe('Your sign-in has expired. Please sign in again.');
    expect(await started.denylist.hasEnded(claims)).toBe(true);
    // This refusal doesn't belong in the audit log.
    const events = (await started.published('auth', 'audit-event')).filter(({ actor }) => actor === user.id);
    expect(events.map(({ action }) => action)).toEqual(['sign-in']);
  });

  test('counts every call as activity, except automatic requests by a page that nobody uses', async () => {
    const { token, used, lastUse } = await longAgo();
    await used(59);
    await started.call('get', '/api/auth/me', token).set('X-Unattended', '1').expect(200);
    expect(Date.now() - (await lastUse())).toBeGreaterThan(58 * minuteMs);
    await started.call('get', '/api/auth/me', token).expect(200);
    await expect.poll(async () => Date.now() - (await lastUse())).toBeLessThan(minuteMs);
  });

  test('remembers the last activity after Redis was emptied', async () => {
    const { token, used, jti } = await longAgo();
    await used(30);
    await list(token);
    await started.auth.signIns.saveUses();
    await started.auth.signInRecords.updateOne(
      { _id: jti },
      { $set: { lastUsedAt: new Date(Date.now() - 40 * minuteMs) } },
    );
    await used(30);
    await started.auth.signIns.saveUses();
    const stored = await started.auth.signInRecords.findById(jti).orFail();
    expect(Math.round((Date.now() - stored.lastUsedAt.getTime()) / minuteMs)).toBe(30);
    await started.emptyRedis();
    await expect.poll(() => me(token), { timeout: 20_000 }).toBe(200);
  }, 40_000);

  test('is off with SIGN_IN_IDLE_MINUTES=0, and idle sign-ins are not listed', async () => {
    const { user, token, used } = await longAgo();
    expect(await list(await again(user.email))).toHaveLength(2);
    await used(30);
    expect(await list(token)).toHaveLength(3);
    await used(61);
    expect(await list(user.token)).toHaveLength(2);
    const endless = await startAuth({ SIGN_IN_IDLE_MINUTES: '0' }, started.backing);
    const kept = (await endless.login(user.email).expect(200)).body.user.token;
    expect(await endless.auth.verify(kept)).not.toHaveProperty('idle');
    await endless.auth.stop();
    await endless.jobs.close();
  });
});

describe('a device', () => {
  const chrome =
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
  test.each([
    ['Firefox', 'Windows', firefox],
    ['Chrome', 'Android', chrome],
    ['Safari', 'iOS', safari],
    [null, null, ''],
    [null, null, 'x'.repeat(600)],
  ])('is named after its browser and system: %s on %s', (browser, system, userAgent) => {
    const client = clientOf({ headers: { 'user-agent': userAgent }, ip: '::ffff:203.0.113.7' });
    expect(client).toEqual({ browser, system, address: '203.0.113.7' });
  });

  test.each([
    ['203.0.113.7', '203.0.113.7', 'this'],
    ['203.0.113.7', '198.51.100.1', 'public'],
    ['192.168.1.20', '192.168.1.21', 'private'],
    ['172.32.0.1', null, 'public'],
    ['fd12::1', '::1', 'private'],
    ['2001:db8::1', '::1', 'public'],
    [null, '::1', 'public'],
  ])('at %s is seen from %s as %s', (address, from, network) => {
    expect(networkOf(address, from)).toBe(network);
  });
});
