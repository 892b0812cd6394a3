import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { MongoClient } from 'mongodb';
import { expect, onTestFinished, test, vi } from 'vitest';
import { planMongo } from '../src/backing-services.ts';
import type { CaughtMessage } from '../src/caught-mail.ts';
import { childEnvironment } from '../src/child-environment.ts';
import { keepSecrets } from '../src/data-folder.ts';
import { findFreePorts } from '../src/free-ports.ts';
import { createSupervisor } from '../src/supervisor.ts';
import { temporaryFolder } from './temporary-folder.ts';

const START = fileURLToPath(new URL('../src/start.ts', import.meta.url));
const PASSWORD = 'a password for the test';

type Settings = Record<string, string>;

/** Runs `start.ts` and lets a test await what it prints. */
function launch(settings: Settings) {
  const child = spawn(process.execPath, [START], {
    env: childEnvironment({ DEMO_PASSWORD: PASSWORD, ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => output.push(line));
  }
  const exited = once(child, 'exit');
  const printed = (pattern: RegExp): Promise<string> =>
    vi.waitUntil(
      () => {
        if (child.exitCode !== null) throw new Error(`It ended before ${pattern}:\n${output.join('\n')}`);
        return output.find((line) => pattern.test(line));
      },
      { timeout: 120_000, interval: 20 },
    );
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  return { child, exited, printed, output };
}

async function settings(): Promise<Settings & { PORT: string; DATA_DIR: string }> {
  const [port] = await findFreePorts(1);
  return { PORT: String(port), DATA_DIR: await temporaryFolder() };
}

/** Name and id of every process whose arguments or folder mention the data folder, and of their descendants. */
function processesOf(pid: number): { pid: number; command: string }[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = existsSync(`/proc/${name}/stat`) ? readFileSync(`/proc/${name}/stat`, 'utf8') : '';
    const [state, parent] = (stat.split(') ')[1] ?? '').split(' ');
    if (state && state !== 'Z') parents.set(Number(name), Number(parent));
  }
  const found = [pid];
  for (const ancestor of found) for (const [child, parent] of parents) if (parent === ancestor) found.push(child);
  return found
    .filter((id) => parents.has(id))
    .map((id) => ({ pid: id, command: readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ') }));
}

function isGone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') ?? true;
  } catch (error) {
    return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** Two seconds of silence as a WAV file. */
function silence(): Blob {
  const data = Buffer.alloc(2 * 16_000 * 2);
  const header = Buffer.from(
    'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\x02\0\x10\0data\0\0\0\0',
    'latin1',
  );
  header.writeUInt32LE(36 + data.length, 4);
  header.writeUInt32LE(16_000, 24);
  header.writeUInt32LE(32_000, 28);
  header.writeUInt32LE(data.length, 40);
  return new Blob([header, data], { type: 'audio/wav' });
}

/** Stores a practice answer as the demonstration's candidate. @returns reads the status of its transcription */
async function storeAnswer(port: string): Promise<() => Promise<string | undefined>> {
  const { user } = (await (await signIn(port)).json()) as { user: { token: string } };
  const headers = { authorization: `Bearer ${user.token}` };
  const api = `http://127.0.0.1:${port}/api`;
  const sets = (await (await fetch(`${api}/practice`, { headers })).json()) as { practiceSets: { _id: string }[] };
  const form = new FormData();
  const sessionId = randomUUID();
  const fields = { sessionId, questionId: '0', practiceSetId: sets.practiceSets[0]?._id ?? '' };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', silence(), 'answer.wav');
  const stored = await fetch(`${api}/practice/recordings`, { method: 'POST', headers, body: form });
  expect(stored.status).toBe(201);
  return async () => {
    const detail = await fetch(`${api}/practice/details/${sessionId}`, { headers });
    const { recordings } = (await detail.json()) as { recordings?: { transcription: { status: string } }[] };
    return recordings?.[0]?.transcription.status;
  };
}

/** Damages Redis's file as a power cut does: its second half never reached the disk, and reads as zeros. */
function damageAppendOnlyFile(dataDir: string): void {
  const files = join(dataDir, existsSync(join(dataDir, 'valkey')) ? 'valkey' : 'redis', 'appendonlydir');
  const path = join(files, readdirSync(files).find((name) => name.endsWith('.incr.aof')) ?? '');
  const { size } = statSync(path);
  truncateSync(path, Math.floor(size / 2));
  appendFileSync(path, Buffer.alloc(Math.ceil(size / 2)));
}

const signIn = (port: string, email = 'candidate@example.com'): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });

/** Runs only the data folder's MongoDB, until `use` is done. */
async function withMongo(dataDir: string, use: (client: MongoClient) => Promise<unknown>): Promise<void> {
  const [mongo = 0] = await findFreePorts(1);
  const secrets = await keepSecrets(dataDir);
  const supervisor = await createSupervisor({ logDir: dataDir, lockFile: join(dataDir, 'lock'), onEvent: () => {} });
  onTestFinished(() => supervisor.stop());
  const { process, settings } = await planMongo({ dataDir, secrets, env: {}, ports: { mongo, redis: 0, s3: 0 } });
  if (process) await supervisor.start('backing', process);
  const client = await MongoClient.connect(settings.MONGODB_URI ?? '');
  await use(client);
  await client.close();
  await supervisor.stop();
}

test('starts the product, restarts crashed processes, keeps its data through a power cut, and stops everything', async () => {
  const own = await settings();
  const first = launch(own);
  await first.printed(/Interview Prep is at {2}http:\/\/127\.0\.0\.1:\d+/);
  expect(first.output.join('\n')).toMatch(new RegExp(`candidate@example\\.com +${PASSWORD}`));
  expect((await (await fetch(`http://127.0.0.1:${own.PORT}/`)).text()).toLowerCase()).toContain('<!doctype html>');
  for (const email of ['admin@example.com', 'dev@example.com', 'candidate@example.com']) {
    expect((await signIn(own.PORT, email)).status).toBe(200);
  }

  const mail = (await first.printed(/caught mail is at http/)).replace(/^.*(http\S+)$/, '$1messages');
  await fetch(`http://127.0.0.1:${own.PORT}/api/auth/forgot-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'dev@example.com' }),
  });
  const caught = async () => ((await (await fetch(mail)).json()) as CaughtMessage[])[0];
  const message = await vi.waitUntil(caught, { timeout: 10_000, interval: 50 });
  expect(message.to).toEqual(['dev@example.com']);
  expect(message.links[0]).toContain(`http://127.0.0.1:${own.PORT}/`);

  const processes = processesOf(first.child.pid ?? 0);
  const auth = processes.find(({ command }) => command.includes('services/auth/src/main.ts'));
  process.kill(auth?.pid ?? 0, 'SIGKILL');
  await first.printed(/✗ auth was killed \(SIGKILL\).*restarting in 0\.5 s/);
  await first.printed(/✓ auth is running again/);
  expect((await signIn(own.PORT)).status).toBe(200);

  const before = processesOf(first.child.pid ?? 0);
  expect(before.length).toBeGreaterThanOrEqual(10);
  const worker = before.find(({ command }) => command.includes('services/recording/src/worker.ts'));
  process.kill(worker?.pid ?? 0, 'SIGSTOP');
  const transcriptionStatus = await storeAnswer(own.PORT);
  first.child.kill('SIGKILL');
  await vi.waitUntil(() => before.every(({ pid }) => isGone(pid)), { timeout: 15_000, interval: 50 });

  // After a power cut while an answer was waiting: Redis lost its job, MongoDB still has the answer.
  damageAppendOnlyFile(own.DATA_DIR);
  const second = launch({ ...own, DEMO_PASSWORD: 'another that comes too late' });
  await second.printed(/! redis: the append-only file .* was damaged and was cut to the part that is whole/);
  await second.printed(/! DEMO_PASSWORD applies to new data only/);
  await second.printed(/Interview Prep is at/);
  expect((await signIn(own.PORT)).status).toBe(200);
  await vi.waitUntil(async () => (await transcriptionStatus()) === 'completed', { timeout: 60_000, interval: 200 });

  const left = processesOf(second.child.pid ?? 0);
  expect(left.length).toBeGreaterThanOrEqual(10);
  second.child.kill('SIGINT');
  expect(await second.exited).toEqual([0, null]);
  expect(left.filter(({ pid }) => !isGone(pid))).toEqual([]);
}, 300_000);

test('Ctrl-C during the start leaves nothing behind', async () => {
  const { child, exited, printed } = launch(await settings());
  await printed(/✓ S3/);
  const processes = processesOf(child.pid ?? 0);
  // A closed terminal: nothing reads its output from now on.
  child.stdout.destroy();
  child.stderr.destroy();
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
  await vi.waitUntil(() => processes.every(({ pid }) => isGone(pid)), { timeout: 1000, interval: 20 });
}, 120_000);

test('a data folder from a newer release is rejected in one sentence and left unchanged; nothing keeps running', async () => {
  const own = await settings();
  await withMongo(own.DATA_DIR, (client) =>
    client.db('catalog').collection<{ _id: string }>('migrations').insertOne({ _id: '9999-of-a-newer-release' }),
  );
  const { child, exited, output, printed } = launch(own);
  await printed(/✓ S3/);
  const processes = processesOf(child.pid ?? 0);
  expect(await exited).toEqual([1, null]);
  expect(output).toContainEqual(
    expect.stringMatching(
      /^ {2}The catalog ended with status 1: .*The database catalog is at version 9999, but this release knows versions up to \d+\. Start the newer release again, or restore a backup from before the upgrade\.$/,
    ),
  );
  expect(processes.filter(({ pid }) => !isGone(pid))).toEqual([]);
  await withMongo(own.DATA_DIR, async (client) => {
    const collections = await client.db('catalog').listCollections().toArray();
    expect(collections.map(({ name }) => name)).toEqual(['migrations']);
  });
}, 120_000);
