import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { readEventStream, StreamEnded } from './event-stream.ts';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const started = createServer((request, response) => {
    // The test's page has another origin.
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', '*, Authorization');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else listener(request, response);
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/api/events`;
}

const options = (url: string, more: Partial<Parameters<typeof readEventStream>[0]> = {}) => ({
  url,
  token: 'abc',
  signal: new AbortController().signal,
  heartbeatTimeoutMs: 20_000,
  onOpen: () => undefined,
  onMessage: () => undefined,
  ...more,
});

it('sends the token, and reads messages however they are split', async () => {
  const heard: string[] = [];
  let authorization: string | undefined;
  const url = await serve((request, response) => {
    authorization = request.headers.authorization;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': hello\n\nevent: reco');
    response.write('rding\ndata: {"a":');
    response.end('1}\n\nevent: heartbeat\ndata:\n\n');
  });
  const reading = readEventStream(
    options(url, { onOpen: () => heard.push('open'), onMessage: (event, data) => heard.push(`${event} ${data}`) }),
  );
  await expect(reading).rejects.toBeInstanceOf(StreamEnded);
  expect(heard).toEqual(['open', 'recording {"a":1}', 'heartbeat ']);
  expect(authorization).toBe('Bearer abc');
});

it('recognizes an error by its status', async () => {
  const url = await serve((_request, response) => response.writeHead(401).end());
  await expect(readEventStream(options(url))).rejects.toMatchObject({ name: 'StreamEnded', status: 401 });
});

it('ends when nothing arrives for too long', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': hello\n\n');
  });
  // Long enough for a busy machine to connect: happy-dom's fetch may never end if it is aborted before that.
  await expect(readEventStream(options(url, { heartbeatTimeoutMs: 1500 }))).rejects.toMatchObject({
    message: 'The live connection fell silent',
    status: null,
  });
});

it('returns without an error when it is aborted', async () => {
  const url = await serve((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write(': hello\n\n');
  });
  const stop = new AbortController();
  await expect(
    readEventStream(options(url, { signal: stop.signal, onOpen: () => stop.abort() })),
  ).resolves.toBeUndefined();
});
