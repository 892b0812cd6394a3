import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BUCKET, CREDENTIALS, clientFor } from './start.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const ENV: NodeJS.ProcessEnv = {
  ...process.env,
  S3_ACCESS_KEY: CREDENTIALS.accessKey,
  S3_SECRET_KEY: CREDENTIALS.secretKey,
  S3_REGION: CREDENTIALS.region,
};

let dataDir: string;
const processes: ChildProcess[] = [];

function launch(env: NodeJS.ProcessEnv = ENV, data = dataDir) {
  const child = spawn(process.execPath, [MAIN, '--port', '0', '--data', data], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  processes.push(child);
  return child;
}

/** Starts the server as a separate process; resolves with the port that it prints. */
async function start() {
  const child = launch();
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /listens at http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port) return { child, port: Number(port), client: clientFor(Number(port)) };
  }
  throw new Error(await text(child.stderr));
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const files = async (folder: string): Promise<string[]> =>
  (await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-s3-'));
});
afterEach(async () => {
  for (const child of processes.splice(0)) if (child.exitCode === null && child.signalCode === null) await kill(child);
  await rm(dataDir, { recursive: true });
});

/** Sends half of an upload of `size` bytes and resolves once some of it is on the server's disk. */
async function sendHalf(url: string, port: number, size: number) {
  const { pathname, search, host } = new URL(url);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${size}\r\n\r\n`);
  socket.write(randomBytes(size / 2));
  while ((await files('incoming')).length === 0) await new Promise(setImmediate);
  return socket;
}

test('a process killed during a put leaves the old object, and no trace of the new one', async () => {
  const first = await start();
  await first.client.makeBucket(BUCKET, CREDENTIALS.region);
  await first.client.putObject(BUCKET, 'answer', 'the old content');
  for (const key of ['answer', 'never-there']) {
    const url = await first.client.presignedPutObject(BUCKET, key);
    await sendHalf(url, first.port, 4_000_000);
  }
  await kill(first.child);
  expect(await files('incoming')).not.toEqual([]);

  const second = await start();
  expect(await text(await second.client.getObject(BUCKET, 'answer'))).toBe('the old content');
  await expect(second.client.statObject(BUCKET, 'never-there')).rejects.toThrow();
  expect(await files('incoming')).toEqual([]);
  expect(await files('blobs')).toHaveLength(1);
});

test('acknowledged objects survive a kill', async () => {
  const first = await start();
  await first.client.makeBucket(BUCKET, CREDENTIALS.region);
  const acknowledged = new Map<string, string>();
  let started = 0;
  /** Puts one object after another, until the server exits. */
  const putAll = async (): Promise<never> => {
    for (;;) {
      started += 1;
      const [key, content] = [`answer-${started}`, randomBytes(20_000)];
      await first.client.putObject(BUCKET, key, content);
      acknowledged.set(key, createHash('md5').update(content).digest('hex'));
      if (acknowledged.size === 50) first.child.kill('SIGKILL');
    }
  };
  const gone = once(first.child, 'exit');
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, putAll));
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  await gone;
  expect(acknowledged.size).toBeGreaterThanOrEqual(50);

  const second = await start();
  for (const [key, md5] of acknowledged) {
    const content = await buffer(await second.client.getObject(BUCKET, key));
    expect(createHash('md5').update(content).digest('hex')).toBe(md5);
  }
  const listed = await second.client.listObjectsV2(BUCKET, '', true).toArray();
  expect(await files('blobs')).toHaveLength(listed.length);
});

test('a client that disconnects during a put leaves nothing', async () => {
  const { client, port } = await start();
  await client.makeBucket(BUCKET, CREDENTIALS.region);
  const socket = await sendHalf(await client.presignedPutObject(BUCKET, 'cut'), port, 2_000_000);
  socket.destroy();
  while ((await files('incoming')).length > 0) await new Promise(setImmediate);
  await expect(client.statObject(BUCKET, 'cut')).rejects.toThrow();
});

test('a body that does not match its signature is rejected and not stored', async () => {
  const { client, port } = await start();
  await client.makeBucket(BUCKET, CREDENTIALS.region);
  const url = await client.presignedPutObject(BUCKET, 'md5');
  const wrongMd5 = createHash('md5').update('another').digest('base64');
  const response = await fetch(url, { method: 'PUT', body: 'content', headers: { 'content-md5': wrongMd5 } });
  expect(await response.text()).toContain('<Code>BadDigest</Code>');
  const chunked = await fetch(url, {
    method: 'PUT',
    body: new Blob(['content']).stream(),
    duplex: 'half',
  });
  expect(chunked.status).toBe(411);
  const tampering = clientFor(port);
  const send = tampering.makeRequestStreamAsync.bind(tampering);
  tampering.makeRequestStreamAsync = (options, _body, ...rest) => send(options, Buffer.from('CONTENT'), ...rest);
  await expect(tampering.putObject(BUCKET, 'sha', 'content')).rejects.toMatchObject({
    code: 'XAmzContentSHA256Mismatch',
  });
  expect(await client.listObjectsV2(BUCKET, '', true).toArray()).toEqual([]);
  expect([await files('incoming'), await files('blobs')]).toEqual([[], []]);
});

test('SIGTERM lets a running upload finish, then ends the process', async () => {
  const { child, client, port } = await start();
  await client.makeBucket(BUCKET, CREDENTIALS.region);
  const size = 1_000_000;
  const socket = await sendHalf(await client.presignedPutObject(BUCKET, 'in hand'), port, size);
  child.kill('SIGTERM');
  socket.write(randomBytes(size / 2));
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200/);
  socket.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect((await (await start()).client.statObject(BUCKET, 'in hand')).size).toBe(size);
});

test.each([
  ['a folder in use', async () => void (await start()), ENV, /another process has it open/],
  ['no keys', async () => {}, { PATH: ENV.PATH }, /Set S3_ACCESS_KEY and S3_SECRET_KEY/],
])('%s is reported in one sentence', async (_what, prepare, env, message) => {
  await prepare();
  const child = launch(env);
  const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(exitCode).toBe(1);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(message);
});
