import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureFirstAdmin } from '../src/first-users/prepare-first-users.ts';
import { makeResetToken } from '../src/users/reset-tokens.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

const common = 'This password is too common. Please choose another.';
const own = 'A password must not contain the name or the email of its owner.';
const guessable = 'This password is too easy to guess. Please choose another.';
const breached = 'This password is known from a data breach elsewhere. Please choose another.';

/** A local range server: its list, its response, and the requested prefixes. */
const ranges = { listed: '', status: 200, silent: false, asked: [] as string[] };
let server: Server;
let started: StartedAuth;
beforeAll(async () => {
  server = createServer((req, res) => {
    ranges.asked.push(req.url ?? '');
    if (!ranges.silent) res.writeHead(ranges.status).end(ranges.listed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  started = await startAuth({ PASSWORD_BREACH_URL: `http://127.0.0.1:${port}/range/` });
});
afterAll(async () => {
  await started.stop();
  server.closeAllConnections();
  server.close();
});

const change = (token: string, newPassword: string) =>
  started.call('post', '/api/auth/change-password', token, { currentPassword: password, newPassword });

describe('a password that is easy to guess', () => {
  test.each([
    ['password123', common],
    ['PassWord123', common],
    [' iloveyou1 ', common],
    ['ｐassword1', common],
    ['Qwertyuiop', common],
    ['ada.lovelace@example.com', own],
    ['my Ada.Lovelace!', own],
    ['lovelace-2026', own],
    ['Interview2026!', guessable],
    ['interview-platform-1', guessable],
  ])('%s is rejected in a change, at its field', async (newPassword, message) => {
    const { token } = await started.signedIn('others', `ada.lovelace@example.com`);
    const { body } = await change(token, newPassword).expect(400);
    expect(body).toMatchObject({ message, code: 'invalid_request', details: [{ path: 'newPassword', message }] });
    await started.login('ada.lovelace@example.com').expect(200);
    await started.auth.users.deleteMany({});
  });

  test('is rejected in a reset, whose link stays valid, and for a new developer', async () => {
    const user = await started.add('others', 'grace@example.com');
    const token = await makeResetToken(started.auth.users, user._id, 60_000);
    const reset = (secret: string) =>
      started.call('post', '/api/auth/reset-password', undefined, { token, password: secret });
    expect((await reset('football1').expect(400)).body.details).toEqual([{ path: 'password', message: common }]);
    expect((await reset('grace hopper').expect(400)).body.details).toEqual([{ path: 'password', message: own }]);
    await reset('an interview is tomorrow').expect(200);

    const admin = await started.signedIn('admin');
    const developer = { email: 'linus@example.com', password: 'linus.linus', technologies: ['go'] };
    const { body } = await started.call('post', '/api/auth/register', admin.token, developer).expect(400);
    expect(body.details).toEqual([{ path: 'password', message: own }]);
  });

  test('is rejected as ADMIN_PASSWORD, unless an admin exists', async () => {
    await started.auth.users.deleteMany({});
    const settings = { ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: 'password123', PUBLIC_URL: 'http://localhost' };
    await expect(ensureFirstAdmin(started.auth, settings)).rejects.toMatchObject({
      setting: 'ADMIN_PASSWORD',
      message: common,
    });
    await started.add('admin');
    expect(await ensureFirstAdmin(started.auth, settings)).toEqual({ outcome: 'exists' });
  });
});

describe('PASSWORD_BREACH_URL', () => {
  const secret = 'a breached one';
  const hash = createHash('sha1').update(secret).digest('hex').toUpperCase();
  const entry = (count: number) => `0018A45C4D1DEF81644B54AB7F969B88D65:3\r\n${hash.slice(5)}:${count}\r\n`;

  test('rejects a breached password, and receives only five characters of its hash', async () => {
    const { token } = await started.signedIn('others');
    ranges.asked.length = 0;
    ranges.listed = entry(7);
    const { body } = await change(token, secret).expect(400);
    expect(body.details).toEqual([{ path: 'newPassword', message: breached }]);
    expect(ranges.asked).toEqual([`/range/${hash.slice(0, 5)}`]);
    // Requests that would be refused anyway are not sent.
    await change(token, 'password123').expect(400);
    expect(ranges.asked).toHaveLength(1);
    ranges.listed = entry(0);
    await change(token, secret).expect(200);
  });

  test.each([
    ['fails', { status: 503 }],
    ['does not answer', { silent: true }],
  ])('that %s rejects no password', async (_how, state) => {
    const { token } = await started.signedIn('others');
    Object.assign(ranges, { listed: entry(7) }, state);
    const begun = performance.now();
    await change(token, secret).expect(200);
    expect(performance.now() - begun).toBeLessThan(5000);
    Object.assign(ranges, { status: 200, silent: false });
  });

  test('is off by default', async () => {
    const plain = await startAuth();
    expect(plain.settings.PASSWORD_BREACH_URL).toBeUndefined();
    const { token } = await plain.signedIn('others');
    const asked = ranges.asked.length;
    const body = { currentPassword: password, newPassword: secret };
    await plain.call('post', '/api/auth/change-password', token, body).expect(200);
    expect(ranges.asked).toHaveLength(asked);
    await plain.stop();
  });
});
