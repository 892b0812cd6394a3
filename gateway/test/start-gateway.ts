import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unattendedHeader } from '@interview-prep/contracts/api/unattended-header';
import { createLogger } from '@interview-prep/kit/process/logger';
import { createApp } from '../src/app.ts';
import { readSettings, type Settings } from '../src/config.ts';

export const log = createLogger('gateway', 'silent');
export const metricsToken = 'a-token-for-metrics';

/** The upload response of the stand-in. */
export const mediaHeaders = {
  'accept-ranges': 'bytes',
  'cache-control': 'private, max-age=3600',
  'content-length': '2',
  'content-range': 'bytes 1-2/4',
  'content-type': 'audio/webm',
  etag: '"abc"',
};
/** The workers' status that the stand-in reports to admins. */
export const engines = { worker: 'a', speech: 'whisper base-q8_0', unavailable: [], assess: 'reference' };

/** Gateways with a small web app: one in front of a stand-in for all services, and one in front of nothing. */
export interface StartedGateway {
  /** The base URL of the gateway. */
  gateway: string;
  /** The base URL of a gateway whose recording and history are down. */
  down: string;
  /** Settings of a gateway in front of the stand-in. */
  settings: Settings;
  /** The folder of the web app. */
  root: string;
  /** The requests that the stand-in received. */
  seen: { uploads: number; cutUploads: string[] };
  /** Starts another server, which stops with the gateway. @returns its base URL */
  listen(listener: RequestListener): Promise<string>;
  close(): Promise<void>;
}

/** @param hasWorker whether recording reports a running worker */
export async function startGateway(hasWorker = () => true): Promise<StartedGateway> {
  const seen = { uploads: 0, cutUploads: [] as string[] };
  const servers: Server[] = [];
  const listen = async (listener: RequestListener) => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const root = await mkdtemp(join(tmpdir(), 'web-'));
  await mkdir(join(root, 'assets'));
  await writeFile(join(root, 'index.html'), '<!doctype html><title>app</title>');
  await writeFile(join(root, 'assets', 'main-abc123.js'), 'export {}');

  /** Each path imitates one behavior of a real service. */
  const behaviors: Record<string, (req: IncomingMessage, res: ServerResponse) => void> = {
    '/readyz': (_req, res) => res.end(JSON.stringify({ reports: { worker: hasWorker() } })),
    '/api/technologies': (req, res) =>
      res.setHeader('content-type', 'application/json').end(JSON.stringify(req.headers)),
    '/api/users': (_req, res) => {
      res.writeHead(200, { 'content-length': '1000' });
      res.write('half of it', () => res.destroy());
    },
    '/api/media/1': (_req, res) => res.writeHead(206, mediaHeaders).end('bc'),
    '/api/auth/me': (req) => req.socket.destroy(),
    '/api/practice/recordings': (req, res) => {
      req.socket.once('close', () => seen.cutUploads.push(req.url ?? ''));
      res.writeHead(401, { 'content-type': 'application/json' }).end('{"code":"unauthorized"}');
    },
    '/api/recordings/engines': ({ headers }, res) => {
      const isAnswered = headers.authorization === 'Bearer admin' && headers[unattendedHeader] === '1';
      res.writeHead(isAnswered ? 200 : 403, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ workers: [engines] }));
    },
    '/api/interviews/recordings': (req, res) => {
      seen.uploads += 1;
      let size = 0;
      req.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      req.on('end', () => res.writeHead(413, { 'content-type': 'application/json' }).end(JSON.stringify({ size })));
    },
  };
  const service = await listen((req, res) => {
    const behave = behaviors[(req.url ?? '').split('?')[0] ?? ''];
    if (behave) behave(req, res);
    else res.writeHead(404).end();
  });
  const settingsOf = (recordingAndHistory: string) =>
    readSettings({
      PORT: '0',
      AUTH_URL: service,
      CATALOG_URL: service,
      RECORDING_URL: recordingAndHistory,
      HISTORY_URL: recordingAndHistory,
      WEB_ROOT: root,
    });
  const settings = settingsOf(service);
  return {
    gateway: await listen(createApp({ settings: { ...settings, METRICS_TOKEN: metricsToken }, log })),
    down: await listen(createApp({ settings: settingsOf('http://127.0.0.1:9'), log })),
    settings,
    root,
    seen,
    listen,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      await rm(root, { recursive: true });
    },
  };
}
