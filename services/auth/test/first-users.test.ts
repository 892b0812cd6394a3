import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureFirstAdmin, makeDemoUsers } from '../src/first-users/prepare-first-users.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
beforeEach(async () => {
  started = await startAuth();
});
afterEach(() => started.stop());

const PUBLIC_URL = 'http://prep.example.com';
const ensure = (ADMIN_EMAIL?: string, ADMIN_PASSWORD?: string) =>
  ensureFirstAdmin(started.auth, { ADMIN_EMAIL, ADMIN_PASSWORD, PUBLIC_URL });
const reset = (link: string, secret: string) =>
  started.call('post', '/api/auth/reset-password', undefined, {
    token: new URLSearchParams(new URL(link).hash.slice(1)).get('token'),
    password: secret,
  });

describe('the first admin', () => {
  test('is created once, with the password in the settings', async () => {
    expect(await ensure('root@example.com', password)).toEqual({ outcome: 'created' });
    expect((await started.login('root@example.com').expect(200)).body.user.role).toBe('admin');
    expect(await ensure('root@example.com', 'another password')).toEqual({ outcome: 'exists' });
    expect(await ensure('second@example.com', password)).toEqual({ outcome: 'exists' });
    await started.login('root@example.com').expect(200);
    expect(await started.auth.users.find().lean()).toHaveLength(1);
  });

  test('without a password gets a one-time link; each start creates another link until one is used', async () => {
    const first = await ensure('root@example.com');
    const second = await ensure('root@example.com');
    if (first.outcome !== 'link' || second.outcome !== 'link') throw new Error(`${first.outcome} ${second.outcome}`);
    expect(second.link).toMatch(/^http:\/\/prep\.example\.com\/reset-password#token=[\w-]{43}$/);
    await reset(first.link, password).expect(400);
    await reset(second.link, password).expect(200);
    await reset(second.link, 'another password').expect(400);
    expect((await started.login('root@example.com').expect(200)).body.user.role).toBe('admin');
    expect(await ensure('root@example.com')).toEqual({ outcome: 'exists' });
  });

  test('gets one link from copies that start together', async () => {
    const settings = { ADMIN_EMAIL: 'root@example.com', PUBLIC_URL };
    const copies = [1, 2, 3].map(() => ensureFirstAdmin(started.auth, settings, false));
    const [link, ...others] = (await Promise.all(copies)).toSorted((a, b) => a.outcome.localeCompare(b.outcome));
    expect(others).toEqual([{ outcome: 'linked' }, { outcome: 'linked' }]);
    if (link?.outcome !== 'link') throw new Error(link?.outcome);
    await reset(link.link, password).expect(200);
  });

  test('without a password gets the one in the settings at a later start', async () => {
    const first = await ensure('root@example.com');
    expect(await ensure('root@example.com', password)).toEqual({ outcome: 'created' });
    await started.login('root@example.com').expect(200);
    if (first.outcome === 'link') await reset(first.link, 'another password').expect(400);
  });

  test('is not created without settings, or if the email belongs to another user', async () => {
    expect(await ensure()).toEqual({ outcome: 'not-configured' });
    await started.add('dev', 'dev@example.com');
    expect(await ensure('dev@example.com', password)).toEqual({ outcome: 'email-taken' });
    expect((await started.login('dev@example.com').expect(200)).body.user.role).toBe('dev');
  });

  test('is created once by two processes that start at the same time', async () => {
    await Promise.all([ensure('root@example.com', password), ensure('root@example.com', password)]);
    expect(await started.auth.users.find().lean()).toHaveLength(1);
    await started.login('root@example.com').expect(200);
  });
});

describe('the demonstration users', () => {
  const make = (secret: string) => makeDemoUsers(started.backing.mongo, started.auth, secret);

  test('sign in with the demonstration password, each with its role', async () => {
    expect(await make('demo password')).toEqual(['admin@example.com', 'dev@example.com', 'candidate@example.com']);
    for (const [email, role] of [
      ['admin@example.com', 'admin'],
      ['dev@example.com', 'dev'],
      ['candidate@example.com', 'others'],
    ] as const) {
      expect((await started.login(email, 'demo password').expect(200)).body.user.role).toBe(role);
    }
  });

  test('are never changed or created again', async () => {
    await make('demo password');
    const admin = (await started.login('admin@example.com', 'demo password')).body.user.token;
    const { users } = (await started.call('get', '/api/users', admin)).body;
    const dev = users.find((user: { role: string }) => user.role === 'dev');
    await started.call('delete', `/api/users/${dev.id}`, admin).expect(204);
    expect(await make('other password')).toEqual([]);
    expect(await make('demo password')).toEqual(['admin@example.com', 'candidate@example.com']);
    await started.login('dev@example.com', 'other password').expect(401);
    await started.login('candidate@example.com', 'demo password').expect(200);
    expect((await started.call('get', '/api/users', admin)).body.users).toHaveLength(2);
  });

  test('do not change a user with the same email', async () => {
    await started.add('others', 'admin@example.com');
    expect(await make('demo password')).toEqual(['dev@example.com', 'candidate@example.com']);
    expect((await started.login('admin@example.com').expect(200)).body.user.role).toBe('others');
  });
});
