import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { childEnvironment } from '../src/child-environment.ts';
import { findFreePorts } from '../src/free-ports.ts';
import { temporaryFolder } from './temporary-folder.ts';

const START = fileURLToPath(new URL('../src/start.ts', import.meta.url));

/** Runs the start with these settings until it exits; the port is free and the folder fresh unless overridden. */
async function start(settings: Record<string, string>) {
  const [port] = await findFreePorts(1);
  const env = childEnvironment({ PORT: String(port), DATA_DIR: await temporaryFolder(), ...settings });
  const child = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output, errors: errors.trim(), status };
}

function expectSentence(outcome: Awaited<ReturnType<typeof start>>, sentence: RegExp): void {
  expect(outcome.errors).toMatch(sentence);
  expect(outcome.errors.split('\n')).toHaveLength(1);
  expect(outcome.status).toBe(1);
}

test('a port in use', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  expectSentence(await start({ PORT: String(port) }), /^Port \d+ is in use: .* PORT=\d+ npm start\.$/);
});

test('an invalid setting', async () => {
  expectSentence(await start({ SEED: 'everything' }), /^Cannot start with SEED=everything: .*demo/);
});

test('an address that does not belong to this machine', async () => {
  expectSentence(await start({ HOST: '192.0.2.1' }), /^HOST=192\.0\.2\.1 is not an address of this machine\.$/);
});

test('a data folder that is a file', async () => {
  const file = join(await temporaryFolder(), 'file');
  await writeFile(file, '');
  expectSentence(await start({ DATA_DIR: file }), /^The data folder .*file cannot be written to/);
});

test.each([['redis', 'valkey'], ['mail'], ['mongo'], ['s3']])('a file where %s keeps its data', async (...names) => {
  const folder = await temporaryFolder();
  for (const name of names) await writeFile(join(folder, name), '');
  expectSentence(await start({ DATA_DIR: folder }), /^The data folder .* cannot be used \(.*\); fix that/);
});

test('a password that is too short is not shown', async () => {
  const { errors } = await start({ DEMO_PASSWORD: 'seven77' });
  expect(errors).toMatch(/^Cannot start with DEMO_PASSWORD: Password must be at least 8 characters long\.$/);
});

test('a folder in place of the lock', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'lock'));
  expectSentence(await start({ DATA_DIR: folder }), /lock cannot be locked \(.*unable to open.*\); remove it/);
});

test('an invalid lock', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'lock'), 'x'.repeat(5000));
  expectSentence(
    await start({ DATA_DIR: folder }),
    /lock cannot be locked \(.*not a database\); remove it and start again/,
  );
});

test('damaged secrets', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'secrets.json'), '{"s3AccessKey": "ab');
  expectSentence(await start({ DATA_DIR: folder }), /secrets\.json is damaged: restore it from a backup/);
});
