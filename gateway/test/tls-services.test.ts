import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';
import { createLogger } from '@interview-prep/kit/process/logger';
import request from 'supertest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { readSettings } from '../src/config.ts';

let folder: string;
let certificate: string;
let service: Server;
let arrived = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interview-prep-gateway-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
  await promisify(execFile)('openssl', [
    ...options,
    '-addext',
    'subjectAltName=DNS:localhost',
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  certificate = await readFile(cert, 'utf8');
  service = createServer({ key: await readFile(key), cert: certificate }, (req, res) => {
    arrived += 1;
    res.end(`${req.method} ${req.url}`);
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
});
afterAll(async () => {
  service.close();
  service.closeAllConnections();
  await rm(folder, { recursive: true });
});

it('services are called over TLS, and only with a trusted certificate', async () => {
  const url = `https://localhost:${(service.address() as AddressInfo).port}`;
  const settings = readSettings({
    PORT: '0',
    AUTH_URL: url,
    CATALOG_URL: url,
    RECORDING_URL: url,
    HISTORY_URL: url,
    WEB_ROOT: folder,
  });
  const log = createLogger('test', 'silent');
  const ask = () => request(createApp({ settings, log, isStopping: () => false })).get('/api/technologies');
  await ask().set('Authorization', 'Bearer secret').expect(502);
  expect(arrived).toBe(0);

  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, certificate]);
  try {
    await ask().expect(200, 'GET /api/technologies');
  } finally {
    setDefaultCACertificates(trusted);
  }
});
