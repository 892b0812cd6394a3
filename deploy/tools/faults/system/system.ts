import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createFaultProxy, type FaultProxy } from '@interview-prep/kit/testing/fault-proxy';
import { createMongoFaults, type MongoFaults } from '@interview-prep/kit/testing/mongo-faults';
import type { BackingSettings } from '@interview-prep/local/backing-services';
import { findCommand } from '@interview-prep/local/commands';
import { findFreePorts } from '@interview-prep/local/free-ports';
import { REPOSITORY } from '@interview-prep/local/settings';
import type { Random } from '../random.ts';
import { createDisks, type Disks } from './disks.ts';
import { findProcesses, type RunningProcess, signalProcesses } from './processes.ts';

/** The product under test: its backing services, proxies in front of them, and `npm start` on them. */
export interface System {
  /** The product's address; the same after a restart. */
  url: string;
  /** The demonstration users' password. */
  password: string;
  folder: string;
  /** The number of replicas of each process. */
  copies: number;
  logFolders: readonly string[];
  /** The folder with Redis's data. */
  redisFolder: string;
  disks: Disks;
  proxies: { mongo: FaultProxy; redis: FaultProxy; s3: FaultProxy };
  mongoFaults: MongoFaults;
  /** The backing services' own addresses, bypassing the proxies. They change on restart. */
  backing(): BackingSettings;
  processes(): RunningProcess[];
  /** Sets the clocks of the product's Node programs forward by this many ms; 0 resets them. */
  shiftClocks(offsetMs: number): void;
  start(): Promise<void>;
  /** Kills every process at once. */
  killAll(): Promise<void>;
  /** Suspends all processes, so that nothing writes, and kills them after `meanwhile`. */
  freezeAndKill(meanwhile: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

const START_DEADLINE_MS = 120_000;
const STOP_DEADLINE_MS = 20_000;
const script = (url: string) => fileURLToPath(new URL(url, import.meta.url));
const preload = (path: string, query: string) => `--import=${pathToFileURL(path).href}?${query}`;

/** Prepares a product in its own folder. Nothing runs before `start`. */
export async function createSystem(
  folder: string,
  {
    random,
    sabotage,
    mayMount,
    twice,
  }: { random: Random; sabotage: string | undefined; mayMount: boolean; twice: boolean },
): Promise<System> {
  const backingFolder = join(folder, 'backing');
  const productFolder = join(folder, 'product');
  const temporaryFolder = join(folder, 'tmp');
  const spoolFolder = join(folder, 'spool');
  const clockFile = join(folder, 'clock-offset');
  const redisFolder = join(backingFolder, findCommand(['valkey-server']) ? 'valkey' : 'redis');
  mkdirSync(temporaryFolder, { recursive: true });
  writeFileSync(clockFile, '0');
  const disks = createDisks(
    [
      { name: 'mongo', folder: join(backingFolder, 'mongo'), kind: 'image', sizeMib: 512 },
      { name: 'redis', folder: redisFolder, kind: 'image', sizeMib: 256 },
      { name: 's3', folder: join(backingFolder, 's3'), kind: 'image', sizeMib: 256 },
      { name: 'spool', folder: spoolFolder, kind: 'memory', sizeMib: 64 },
      { name: 'logs', folder: join(productFolder, 'logs'), kind: 'memory', sizeMib: 128 },
    ],
    join(folder, 'images'),
    mayMount,
  );
  const [port] = await findFreePorts(1);
  const password = 'nothing lost, nothing stuck';
  const environment: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(REPOSITORY, 'node_modules/.cache/node-compile'),
    // Inherited by all processes, which identifies those of this run.
    TMPDIR: temporaryFolder,
    NODE_OPTIONS: [
      preload(script('./clock-preload.ts'), new URLSearchParams({ offset: clockFile }).toString()),
      ...(sabotage ? [preload(script('../sabotage/sabotage-preload.ts'), `name=${sabotage}`)] : []),
    ].join(' '),
  };

  const trusted = getCACertificates();
  let backing: BackingSettings | undefined;
  let proxies: System['proxies'] | undefined;
  let mongoFaults: MongoFaults | undefined;
  let leaders: ChildProcess[] = [];
  const processes = () => findProcesses(folder, temporaryFolder);

  const lead = (path: string, args: string[], env: Record<string, string>) => {
    const child = spawn(process.execPath, [path, ...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    leaders.push(child);
    return child;
  };

  const startBacking = async (): Promise<BackingSettings> => {
    const child = lead(script('./backing-main.ts'), [backingFolder, ...(twice ? ['twice'] : [])], environment);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const ended = once(child, 'close').then(() => Promise.reject(new Error(`The backing services exited: ${output}`)));
    ended.catch(() => undefined);
    const [started] = (await Promise.race([once(child, 'message'), ended])) as [
      { settings: BackingSettings; certificate?: string },
    ];
    if (started.certificate) {
      environment.NODE_EXTRA_CA_CERTS = started.certificate;
      setDefaultCACertificates([...trusted, readFileSync(started.certificate, 'utf8')]);
    }
    return started.settings;
  };

  /** With Sentinels clients connect to the primary directly, so Redis's proxy is unused and has a dummy target. */
  const redisOf = ({ REDIS_URL }: BackingSettings) => (twice ? 'redis://127.0.0.1:1' : REDIS_URL);

  /** Opens the proxies, or points them to the new addresses after a restart. */
  const openProxies = async (settings: BackingSettings) => {
    if (proxies) {
      proxies.mongo.retarget(settings.MONGODB_URI);
      proxies.redis.retarget(redisOf(settings));
      proxies.s3.retarget(settings.S3_ENDPOINT);
      return;
    }
    const [mongo, redis, s3] = await Promise.all(
      [settings.MONGODB_URI, redisOf(settings), settings.S3_ENDPOINT].map(createFaultProxy),
    );
    if (!mongo || !redis || !s3) throw new Error('A proxy is missing');
    proxies = { mongo, redis, s3 };
    mongoFaults = await createMongoFaults(mongo.url, random.next);
  };

  const startProduct = async () => {
    if (!backing || !proxies || !mongoFaults) throw new Error('The backing services are not running');
    const main = twice ? script('./doubled-main.ts') : join(REPOSITORY, 'deploy/local/src/start.ts');
    const child = lead(main, [], {
      ...environment,
      ...backing,
      MONGODB_URI: mongoFaults.uri,
      REDIS_URL: twice ? backing.REDIS_URL : proxies.redis.url,
      S3_ENDPOINT: proxies.s3.url,
      PORT: String(port),
      DATA_DIR: productFolder,
      SPOOL_DIR: spoolFolder,
      SEED: 'demo',
      DEMO_PASSWORD: password,
      LOGIN_ATTEMPTS: '0',
      UPLOADS_PER_HOUR: '0',
      STORED_MB_PER_USER: '0',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    const deadline = Date.now() + START_DEADLINE_MS;
    while (!output.includes('Interview Prep is at')) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The product did not start: ${output}`);
      if (Date.now() > deadline) throw new Error(`The product was not ready after two minutes: ${output}`);
      await pause(50);
    }
  };

  const freezeAndKill = async (meanwhile: () => Promise<void>) => {
    // Supervisors first, since they would restart the others.
    const all = () => processes().toSorted((a, b) => a.pid - b.pid);
    signalProcesses(all(), 'SIGSTOP');
    await meanwhile();
    for (let left = all(); left.length > 0; left = all()) {
      signalProcesses(left, 'SIGKILL');
      await pause(20);
    }
    leaders = [];
  };

  return {
    url: `http://127.0.0.1:${port}`,
    password,
    folder,
    copies: twice ? 2 : 1,
    logFolders: [join(productFolder, 'logs'), join(backingFolder, 'logs')],
    redisFolder,
    disks,
    get proxies() {
      if (!proxies) throw new Error('The product was not started');
      return proxies;
    },
    get mongoFaults() {
      if (!mongoFaults) throw new Error('The product was not started');
      return mongoFaults;
    },
    backing() {
      if (!backing) throw new Error('The product was not started');
      return backing;
    },
    processes,
    shiftClocks: (offsetMs) => writeFileSync(clockFile, String(offsetMs)),
    async start() {
      backing = await startBacking();
      await openProxies(backing);
      await startProduct();
    },
    killAll: () => freezeAndKill(async () => undefined),
    freezeAndKill,
    async stop() {
      for (const leader of leaders.toReversed()) {
        leader.kill('SIGTERM');
        if (leader.exitCode === null) await Promise.race([once(leader, 'exit'), pause(STOP_DEADLINE_MS)]);
      }
      await freezeAndKill(async () => undefined);
      await Promise.all(Object.values(proxies ?? {}).map((proxy) => proxy.close()));
      await disks.close();
    },
  };
}
