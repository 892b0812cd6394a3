import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ObjectStore } from './object-store.ts';
import { findOperation } from './operations.ts';
import { S3Error } from './s3-error.ts';
import { parseTarget } from './s3-request.ts';
import { type Credentials, verifySignature } from './verify-signature.ts';

export type EmbeddedS3Options = Credentials & {
  /** 0 for a free port. */
  port: number;
  host: string;
  /** Created if missing. Only one process may use it at a time. */
  dataDir: string;
};

export type EmbeddedS3 = {
  port: number;
  /** For example `http://127.0.0.1:9000`. */
  endpoint: string;
  /** Waits for running requests, for five seconds at most. */
  close(): Promise<void>;
};

const CLOSE_DEADLINE_MS = 5000;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  store: ObjectStore,
  credentials: Credentials,
): Promise<void> {
  const target = parseTarget(request);
  const payload = await verifySignature(request, target, credentials);
  const run = findOperation(request, target);
  await run({ request, response, target, payload, store, region: credentials.region });
}

/** Responds with an error. Once a response has started it can only close the connection. */
function refuse(error: unknown, request: IncomingMessage, response: ServerResponse, requestId: string): void {
  if (response.headersSent || request.socket.destroyed) {
    response.destroy();
    return;
  }
  if (!(error instanceof S3Error)) console.error(`${request.method} failed (${requestId})`, error);
  const refusal =
    error instanceof S3Error
      ? error
      : new S3Error('InternalError', 'We encountered an internal error. Please try again.');
  const body = refusal.toXml(request.url?.split('?')[0] ?? '/', requestId);
  response.writeHead(refusal.status, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
  // Drain the rest of an upload, so that the client reads the response instead of failing with a broken pipe.
  request.resume();
}

/**
 * Serves S3's operations (path-style, signature version 4) over HTTP from one folder.
 * @throws {Error} if it cannot listen or open the folder
 */
export async function startEmbeddedS3(options: EmbeddedS3Options): Promise<EmbeddedS3> {
  const { port, host, dataDir, ...credentials } = options;
  const store = await ObjectStore.open(dataDir);
  const running = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    const requestId = randomUUID();
    response.setHeader('x-amz-request-id', requestId);
    const call = answer(request, response, store, credentials)
      .catch((error: unknown) => refuse(error, request, response, requestId))
      .finally(() => running.delete(call));
    running.add(call);
  });
  // Longer than clients keep idle connections in their pools, so that the client closes first.
  server.keepAliveTimeout = 65_000;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
  } catch (error) {
    store.close();
    throw error;
  }

  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_DEADLINE_MS);
    await closed;
    clearTimeout(deadline);
    await Promise.all(running);
    store.close();
  };
  const address = server.address() as AddressInfo;
  const authority = host.includes(':') ? `[${host}]` : host;
  return { port: address.port, endpoint: `http://${authority}:${address.port}`, close };
}
