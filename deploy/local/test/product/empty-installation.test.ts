import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeFolder } from '../../src/data-folder.ts';
import { FIRST_ADMIN_EMAIL } from '../../src/set-up-link.ts';
import { type Stack, startStack } from '../../src/stack.ts';

let folder: string;
let stack: Stack;
const prefix = `empty-${randomUUID().slice(0, 8)}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interview-prep-empty-'));
  stack = await startStack({
    env: {
      ...process.env,
      ...{ MONGODB_PREFIX: `${prefix}-`, REDIS_PREFIX: prefix, S3_BUCKET: prefix },
      ...{ PORT: '0', DATA_DIR: join(folder, 'data'), SEED: 'none' },
    },
  });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await removeFolder(folder);
});

const post = (path: string, body: unknown, token?: string) =>
  fetch(`${stack.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });

describe('an empty installation', () => {
  it('has no logins and no sets, and a link for the first admin that works once', async () => {
    expect(stack.demo.emails).toEqual([]);
    expect(await (await fetch(`${stack.url}/api/settings`)).json()).toMatchObject({ demoLogins: [] });
    const link = new URL(stack.setUpLink ?? 'missing:');
    expect(link.pathname).toBe('/reset-password');
    const reset = { token: link.searchParams.get('token'), password: 'a password of my own' };
    expect((await post('/api/auth/reset-password', reset)).status).toBe(200);
    expect((await post('/api/auth/reset-password', reset)).status).toBe(400);

    const login = await post('/api/auth/login', { email: FIRST_ADMIN_EMAIL, password: reset.password });
    const { user } = (await login.json()) as { user: { role: string; token: string } };
    expect(user.role).toBe('admin');
    expect((await post('/api/technologies', { name: 'Rust' }, user.token)).status).toBe(201);
    const set = { title: 'Ownership', technology: 'rust', questions: ['What is a borrow?'], tags: [] };
    expect((await post('/api/interviews/sets', set, user.token)).status).toBe(201);
  });
});
