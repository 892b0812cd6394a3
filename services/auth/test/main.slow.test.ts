import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { type ServiceProcess, startServiceProcess } from '@interview-prep/kit/testing/service-process';
import { settingFaults } from '@interview-prep/kit/testing/setting-faults';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { readSettings } from '../src/config.ts';

const main = new URL('../src/main.ts', import.meta.url);

let backing: TestBacking;
const services: ServiceProcess[] = [];
beforeAll(async () => {
  backing = await createTestBacking('auth');
});
afterEach(() => {
  for (const service of services.splice(0)) service.stop('SIGKILL');
});
afterAll(() => backing.close());

function run(environment: Record<string, string>): ServiceProcess {
  const service = startServiceProcess(main, environment);
  services.push(service);
  return service;
}

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

test('two processes start together on an empty database, share one key and one admin, and stop cleanly', async () => {
  const settings = {
    ...backing.settings,
    PORT: '0',
    ADMIN_EMAIL: 'root@example.com',
    PUBLIC_URL: 'http://prep.example.com',
  };
  const [first, second] = [run(settings), run(settings)];
  const urls = [await first.url(), await second.url()];

  const keys = await Promise.all(
    urls.map(async (url) => (await fetch(`${url}/api/auth/.well-known/jwks.json`)).json() as Promise<object>),
  );
  expect(keys[0]).toEqual(keys[1]);
  for (const url of urls) expect((await fetch(`${url}/readyz`)).status).toBe(200);

  const links = [...first.lines(), ...second.lines()].flatMap(({ setUpLink }) =>
    typeof setUpLink === 'string' ? [setUpLink] : [],
  );
  expect(links).toHaveLength(1);
  const token = new URLSearchParams(new URL(links[0] ?? '').hash.slice(1)).get('token');
  const reset = await post(`${urls[0]}/api/auth/reset-password`, { token, password: 'my password' });
  expect(reset.status).toBe(200);
  const login = await post(`${urls[1]}/api/auth/login`, { email: 'root@example.com', password: 'my password' });
  expect(login.status).toBe(200);
  const { user } = (await login.json()) as { user: { token: string; role: string } };
  expect(user.role).toBe('admin');
  const users = await fetch(`${urls[0]}/api/users`, { headers: { Authorization: `Bearer ${user.token}` } });
  expect(((await users.json()) as { users: unknown[] }).users).toHaveLength(1);

  first.stop('SIGTERM');
  second.stop('SIGINT');
  expect([await first.ended, await second.ended]).toEqual([0, 0]);
});

test('without a supervisor the first logins are logged, even at LOG_LEVEL=silent', async () => {
  const own = await createTestBacking('auth');
  const settings = { ...own.settings, PORT: '0', LOG_LEVEL: 'silent' };
  const empty = run({ ...settings, ADMIN_EMAIL: 'root@example.com', PUBLIC_URL: 'http://prep.example.com' });
  await vi.waitUntil(() => empty.lines().length > 0, { timeout: 30_000, interval: 20 });
  expect(empty.lines()).toEqual([
    expect.objectContaining({
      setUpLink: expect.stringMatching(/^http:\/\/prep\.example\.com\/reset-password#token=/),
    }),
  ]);
  empty.stop('SIGKILL');
  const demo = run({ ...settings, SEED: 'demo', DEMO_PASSWORD: 'demo password' });
  await vi.waitUntil(() => demo.lines().length > 0, { timeout: 30_000, interval: 20 });
  expect(demo.lines()[0]).toMatchObject({ demoEmails: expect.arrayContaining(['dev@example.com']) });
  demo.stop('SIGKILL');
  await demo.ended;
  await own.close();
});

test('invalid settings are listed and nothing starts', async () => {
  const bad = run({
    ...backing.settings,
    PORT: '0',
    TOKEN_LIFETIME: 'forever',
    SMTP_URL: 'localhost',
    ADMIN_EMAIL: 'root',
  });
  expect(await bad.ended).toBe(1);
  for (const name of ['TOKEN_LIFETIME', 'SMTP_URL', 'ADMIN_EMAIL']) expect(bad.errors()).toContain(`  ${name}: `);

  const demo = { ...backing.settings, PORT: '0', SEED: 'demo', ADMIN_PASSWORD: 'long enough' };
  const faults = settingFaults(() => readSettings(demo));
  expect(faults).toContain('DEMO_PASSWORD: is required with SEED=demo');
  expect(faults).toContain('ADMIN_EMAIL: is required with ADMIN_PASSWORD');
});
