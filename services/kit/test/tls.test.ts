import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createHttpServer } from '../src/http/http-server.ts';
import { createLogger } from '../src/process/logger.ts';
import { followTls, readTls } from '../src/process/tls-files.ts';
import { makeCertificate } from '../testing/redis-group.ts';

const log = createLogger('test', 'silent');
const run = promisify(execFile);
let folder: string;
let settings: { TLS_CERT_FILE: string; TLS_KEY_FILE: string };
const server = async () => createHttpServer((_req, res) => res.end('reached'), await readTls(settings));

async function use(name: string): Promise<void> {
  await copyFile(join(folder, `${name}-key.pem`), settings.TLS_KEY_FILE);
  await copyFile(join(folder, `${name}-cert.pem`), settings.TLS_CERT_FILE);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interview-prep-tls-'));
  settings = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
  await Promise.all(['first', 'renewed'].map((name) => makeCertificate(folder, name)));
  await use('first');
});
afterAll(() => rm(folder, { recursive: true }));

test('with a certificate, a server accepts only TLS 1.2 or newer', async () => {
  const listening = (await server()).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const ca = await readFile(settings.TLS_CERT_FILE);
  const [response] = await once(get({ host: 'localhost', port, ca, path: '/' }), 'response');
  expect(response.statusCode).toBe(200);
  response.destroy();

  await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow();
  const refused = async (changes: object) => {
    const socket: TLSSocket = connect({ port, host: 'localhost', ca, ...changes });
    return (await once(socket, 'error'))[0].code;
  };
  expect(await refused({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })).toMatch(
    /PROTOCOL_VERSION|EPROTO/,
  );
  // Without forward secrecy, and without authenticated encryption.
  for (const ciphers of ['AES256-GCM-SHA384', 'ECDHE-RSA-AES256-SHA384']) {
    expect(await refused({ maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` })).toMatch(/HANDSHAKE_FAILURE/);
  }
  // A client that doesn't trust the certificate doesn't send its request.
  expect(await refused({ ca: [] })).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');

  // A container's health check, which ignores the certificate's name.
  const check = fileURLToPath(new URL('../src/process/check-health.ts', import.meta.url));
  await run(process.execPath, [check], { env: { PORT: String(port), ...settings } });
  await expect(run(process.execPath, [check], { env: { PORT: String(port) } })).rejects.toMatchObject({ code: 1 });
  listening.close();
});

test('a renewed certificate is used without a restart, once its key has been replaced too', async () => {
  const listening = (await server()).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  followTls(listening as never, settings, log, 20);
  const { port } = listening.address() as AddressInfo;
  const served = async () => {
    const socket = connect({ port, host: 'localhost', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const before = await served();
  await copyFile(join(folder, 'renewed-cert.pem'), settings.TLS_CERT_FILE);
  await expect(readTls(settings)).rejects.toMatchObject({ setting: 'TLS_CERT_FILE' });
  expect(await served()).toBe(before);
  await use('renewed');
  await vi.waitFor(async () => expect(await served()).not.toBe(before), { timeout: 10_000 });
  listening.close();
});

test.each([
  ['TLS_KEY_FILE', { TLS_CERT_FILE: '/nowhere' }, 'is required with TLS_CERT_FILE'],
  ['TLS_CERT_FILE', { TLS_KEY_FILE: '/nowhere' }, 'is required with TLS_KEY_FILE'],
  ['TLS_CERT_FILE', { TLS_CERT_FILE: '/nowhere', TLS_KEY_FILE: '/nowhere' }, /^cannot be read: ENOENT/],
])('a wrong %s is reported by name', async (setting, given, message) => {
  await expect(readTls(given)).rejects.toMatchObject({
    setting,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
});
