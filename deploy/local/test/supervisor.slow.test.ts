import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startBackingServices } from '../src/backing-services.ts';
import { lastMessage } from '../src/child-log.ts';
import { keepSecrets } from '../src/data-folder.ts';
import { findFreePorts } from '../src/free-ports.ts';
import { answersMongo } from '../src/readiness.ts';
import { StartupError } from '../src/settings.ts';
import type { ProcessEvent } from '../src/supervised-process.ts';
import { createSupervisor } from '../src/supervisor.ts';
import { isGone, logged, pidsOf } from './fakes/fake-log.ts';
import { fakeSpec } from './fakes/spec.ts';
import { temporaryFolder } from './temporary-folder.ts';

const WAIT = { timeout: 15_000, interval: 20 };

async function supervise(healthPollMs?: number) {
  const folder = await temporaryFolder();
  const events = new EventEmitter<Record<ProcessEvent['kind'], [ProcessEvent]>>();
  const supervisor = await createSupervisor({
    logDir: join(folder, 'logs'),
    lockFile: join(folder, 'lock'),
    onEvent: (event) => events.emit(event.kind, event),
    ...(healthPollMs === undefined ? {} : { healthPollMs }),
  });
  onTestFinished(() => supervisor.stop());
  return { folder, events, supervisor };
}

test('a killed process is reported and restarted, and its children are gone', async () => {
  const { folder, events, supervisor } = await supervise();
  const [port = 0] = await findFreePorts(1);
  const started = once(events, 'started');
  await supervisor.start('services', fakeSpec(folder, 'auth', port));
  const [{ pid }] = await started;
  const [died, recovered] = [once(events, 'died'), once(events, 'recovered')];
  process.kill(pid, 'SIGKILL');
  expect((await died)[0]).toMatchObject({ name: 'auth', how: 'was killed (SIGKILL)' });
  expect((await recovered)[0].pid).not.toBe(pid);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  const [parent, child] = pidsOf(folder);
  expect([parent, child].map((gone) => isGone(gone as number))).toEqual([true, true]);
});

test('MongoDB, Redis and S3 are killed and restarted when they hang', async () => {
  const { folder, events, supervisor } = await supervise(100);
  const pids = new Map<string, number>();
  const dead = new Map<string, string>();
  const recovered = new Set<string>();
  events.on('started', (event) => 'pid' in event && pids.set(event.name, event.pid));
  events.on('died', (event) => 'how' in event && dead.set(event.name, event.how));
  events.on('recovered', ({ name }) => recovered.add(name));
  const secrets = await keepSecrets(folder);
  const settings = await startBackingServices(supervisor, { dataDir: folder, secrets, env: {} });
  for (const pid of pids.values()) process.kill(pid, 'SIGSTOP');

  await vi.waitUntil(() => recovered.size === 3, { timeout: 50_000, interval: 50 });
  const how = 'failed its health checks and was killed';
  expect(Object.fromEntries(dead)).toEqual({ mongo: how, redis: how, s3: how });
  expect(await answersMongo(Number(new URL(settings.MONGODB_URI).port))).toBe(true);
});

test('a crash is reported with its last message', async () => {
  const { folder, events, supervisor } = await supervise();
  const [port = 0] = await findFreePorts(1);
  await supervisor.start('services', fakeSpec(folder, 'recording worker', port));
  const died = once(events, 'died');
  await expect(fetch(`http://127.0.0.1:${port}/crash`)).rejects.toThrow();
  expect((await died)[0]).toMatchObject({ how: 'ended with status 1', message: 'RangeError: crashed as asked' });
  await once(events, 'recovered');
  expect(await readdir(join(folder, 'logs'))).toEqual(['recording-worker.log']);
});

test('a last message of several lines is shown on one line', async () => {
  const log = join(await temporaryFolder(), 'history.log');
  await writeFile(log, 'Invalid settings:\n  HISTORY_VISIBILITY: must be all or own\n');
  expect(lastMessage(log, 0)).toBe('Invalid settings: · HISTORY_VISIBILITY: must be all or own');
});

test('a failed first start rejects with one sentence', async () => {
  const { folder, supervisor } = await supervise();
  const [port = 0] = await findFreePorts(1);
  const start = supervisor.start('services', fakeSpec(folder, 'history', port, { FAKE_FAILS: 'no database' }));
  await expect(start).rejects.toThrow(new StartupError('The history ended with status 1: TypeError: no database'));
  const missing = { ...fakeSpec(folder, 'mongo', port), command: '/nowhere/mongod' };
  await expect(supervisor.start('backing', missing)).rejects.toThrow(/The mongo cannot be started \(.*ENOENT/);
});

test('everything stops phase by phase, and processes that ignore SIGTERM are killed', async () => {
  const { folder, supervisor } = await supervise();
  const ports = await findFreePorts(4);
  const start = (phase: 'gateway' | 'services' | 'backing', name: string, port = 0, env = {}) =>
    supervisor.start(phase, fakeSpec(folder, name, port, env));
  await Promise.all([
    start('backing', 'mongo', ports[0]),
    start('services', 'auth', ports[1]),
    start('services', 'stubborn', ports[2], { FAKE_STUBBORN: 'yes' }),
    start('gateway', 'gateway', ports[3]),
  ]);
  const pids = pidsOf(folder);
  expect(pids.filter(isGone)).toEqual([]);
  await supervisor.stop();
  expect(logged(folder).filter((line) => line.endsWith('stops'))).toEqual([
    'gateway stops',
    ...['auth stops', 'stubborn stops'].toSorted((a, b) => logged(folder).indexOf(a) - logged(folder).indexOf(b)),
    'mongo stops',
  ]);
  expect(pids.filter((pid) => !isGone(pid))).toEqual([]);
  await expect(start('services', 'late', ports[1])).rejects.toThrow('Stopped');
});

test('a killed supervisor leaves no process and no lock', async () => {
  const folder = await temporaryFolder();
  const ports = await findFreePorts(2);
  const script = fileURLToPath(new URL('./fakes/supervise.ts', import.meta.url));
  const supervisor = spawn(process.execPath, [script, folder, ...ports.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: supervisor.stdout }), 'line');
  expect(line).toBe('up');
  const pids = pidsOf(folder);
  expect(pids).toHaveLength(4);
  const locked = createSupervisor({
    logDir: folder,
    lockFile: `${folder}/lock`,
    onEvent: () => undefined,
    lockWaitMs: 0,
  });
  await expect(locked).rejects.toThrow(/Another instance is using this data folder/);

  supervisor.kill('SIGKILL');
  await vi.waitUntil(() => pids.every(isGone), WAIT);
  const waits: string[] = [];
  const next = await createSupervisor({
    logDir: folder,
    lockFile: `${folder}/lock`,
    onEvent: () => undefined,
    onWait: () => waits.push('waited'),
  });
  await next.stop();
  expect(waits.length).toBeLessThanOrEqual(1);
});

test('a large log is rotated at the next start', async () => {
  const { folder, supervisor } = await supervise();
  const [port = 0] = await findFreePorts(1);
  await writeFile(join(folder, 'logs/auth.log'), 'x'.repeat(5 * 1024 ** 2 + 1));
  await supervisor.start('services', fakeSpec(folder, 'auth', port));
  expect((await readdir(join(folder, 'logs'))).toSorted()).toEqual(['auth.log', 'auth.log.1']);
  expect(readFileSync(join(folder, 'logs/auth.log'), 'utf8')).toBe('');
});
