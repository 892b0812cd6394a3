import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePorts } from '../src/free-ports.ts';
import { startStack } from '../src/stack.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);

test('speaks TLS with the given certificate, and takes secrets from files', async () => {
  const folder = await temporaryFolder();
  const file = (name: string) => join(folder, name);
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const keys = ['-keyout', file('key.pem'), '-out', file('cert.pem')];
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...subject, ...keys]);
  await writeFile(file('admin-password'), 'a password from a file\n');
  await writeFile(file('key-encryption-key'), randomBytes(24).toString('hex'));
  const [port = 0] = await findFreePorts(1);
  const stack = await startStack({
    env: {
      PORT: String(port),
      DATA_DIR: file('data'),
      SEED: 'none',
      TLS_CERT_FILE: file('cert.pem'),
      TLS_KEY_FILE: file('key.pem'),
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD_FILE: file('admin-password'),
      KEY_ENCRYPTION_KEY_FILE: file('key-encryption-key'),
    },
  });
  onTestFinished(() => stack.stop());
  expect(stack.url).toBe(`https://127.0.0.1:${port}`);

  const ca = await readFile(file('cert.pem'));
  const body = JSON.stringify({ email: 'admin@example.com', password: 'a password from a file' });
  const asked = request({
    host: '127.0.0.1',
    port,
    ca,
    servername: 'localhost',
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  });
  const answer = await new Promise<{ statusCode?: number; user?: { email: string } }>((resolve, reject) => {
    asked.once('error', reject);
    asked.once('response', (response) => {
      json(response).then((parsed) => resolve({ statusCode: response.statusCode ?? 0, ...(parsed as object) }), reject);
    });
    asked.end(body);
  });
  expect(answer).toMatchObject({ statusCode: 200, user: { email: 'admin@example.com' } });
  await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow('fetch failed');
});
