import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { removeBuckets } from '@interview-prep/kit/testing/remove-buckets';
import { removeFolder } from '@interview-prep/local/data-folder';
import { FIRST_ADMIN_EMAIL } from '@interview-prep/local/product-processes';
import { type Stack, type StackEvent, startStack } from '@interview-prep/local/stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
let folder: string;
let stack: Stack;
const prefix = `empty-${randomUUID().slice(0, 8)}`;

/** Starts the product on the same data folder. @returns the startup events */
async function start(settings: Record<string, string>): Promise<StackEvent[]> {
  const events: StackEvent[] = [];
  stack = await startStack({
    env: {
      ...process.env,
      MONGODB_PREFIX: `${prefix}-`,
      REDIS_PREFIX: prefix,
      S3_BUCKET: prefix,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      KEY_ENCRYPTION_KEY_FILE: join(folder, 'key-encryption-key'),
      ...settings,
    },
    onEvent: (event) => events.push(event),
  });
  return events;
}

let atFirst: StackEvent[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interview-prep-empty-'));
  await writeFile(join(folder, 'key-encryption-key'), randomBytes(24).toString('hex'));
  // The link must be printed even with these settings from a shell or settings file.
  atFirst = await start({ SEED: 'none', LOG_LEVEL: 'silent', ADMIN_EMAIL: '' });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await removeBuckets(prefix);
  await removeFolder(folder);
});

const post = (path: string, body: unknown, token?: string) =>
  fetch(`${stack.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });

/** Requests JSON from the product over TLS, with a certificate signed by `ca`. */
const securely =
  (ca: Buffer) =>
  <Answer>(path: string, { method = 'GET', body = {}, token = '' }): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const text = JSON.stringify(body);
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        authorization: `Bearer ${token}`,
      };
      const asked = request(`${stack.url}${path}`, { ca, servername: 'localhost', method, headers, agent: false });
      asked.once('error', reject);
      asked.once('response', (response) => json(response).then((answer) => resolve(answer as Answer), reject));
      asked.end(text);
    });

describe('an empty installation', () => {
  it('has no logins and no sets, and a one-time link for the first admin', async () => {
    expect(stack.demo.emails).toEqual([]);
    expect(await (await fetch(`${stack.url}/api/settings`)).json()).toMatchObject({ demoLogins: [] });
    const link = new URL(stack.setUpLink ?? 'missing:');
    expect(link.pathname).toBe('/reset-password');
    const reset = { token: new URLSearchParams(link.hash.slice(1)).get('token'), password: 'a password of my own' };
    expect((await post('/api/auth/reset-password', reset)).status).toBe(200);
    expect((await post('/api/auth/reset-password', reset)).status).toBe(400);

    const login = await post('/api/auth/login', { email: FIRST_ADMIN_EMAIL, password: reset.password });
    const { user } = (await login.json()) as { user: { role: string; token: string } };
    expect(user.role).toBe('admin');
    expect((await post('/api/technologies', { name: 'Rust' }, user.token)).status).toBe(201);
    const set = { title: 'Ownership', technology: 'rust', questions: ['What is a borrow?'], tags: [] };
    expect((await post('/api/interviews/sets', set, user.token)).status).toBe(201);
  });

  it('stays without demonstration data at later starts, and serves TLS with the given certificate', async () => {
    await stack.stop();
    const certificate = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const files = ['-keyout', certificate.TLS_KEY_FILE, '-out', certificate.TLS_CERT_FILE];
    await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...files]);

    expect(await start(certificate)).not.toContainEqual(expect.objectContaining({ kind: 'seed changed' }));
    expect(stack.demo.emails).toEqual([]);
    expect(stack.setUpLink).toBeUndefined();
    expect(stack.url).toMatch(/^https:/);
    const ask = securely(await readFile(certificate.TLS_CERT_FILE));
    const login = { email: FIRST_ADMIN_EMAIL, password: 'a password of my own' };
    const { user } = await ask<{ user: { token: string } }>('/api/auth/login', { method: 'POST', body: login });
    const { users } = await ask<{ users: unknown[] }>('/api/users', { token: user.token });
    expect(users).toHaveLength(1);
    await expect(fetch(`${stack.url.replace('https', 'http')}/readyz`)).rejects.toThrow('fetch failed');
  }, 120_000);

  it('shows only working logins once demonstration data is requested', async () => {
    await stack.stop();
    const events = await start({ SEED: 'demo' });
    expect(events).toContainEqual({ kind: 'seed changed', seed: 'demo', dataDir: join(folder, 'data') });
    // The warning about caught mail is not shown for a demonstration.
    expect(events).not.toContainEqual({ kind: 'mail is caught' });
    expect(atFirst).toContainEqual({ kind: 'mail is caught' });
    // The admin existed before, with their own password.
    expect(stack.demo.emails).toEqual(['dev@example.com', 'candidate@example.com']);
    const { demoLogins } = (await (await fetch(`${stack.url}/api/settings`)).json()) as { demoLogins: object[] };
    expect(demoLogins).toEqual(stack.demo.emails.map((email) => ({ email, password: stack.demo.password })));
    for (const demoLogin of demoLogins) expect((await post('/api/auth/login', demoLogin)).status).toBe(200);
  }, 120_000);
});
