import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRedis } from '@interview-prep/kit/redis/redis';
import type { FaultProxy } from '@interview-prep/kit/testing/fault-proxy';
import type { MongoFault } from '@interview-prep/kit/testing/mongo-faults';
import type { Random } from './random.ts';
import type { Disk } from './system/disks.ts';
import { COMPONENTS, type Component, signalProcesses } from './system/processes.ts';
import type { System } from './system/system.ts';

export interface FaultContext {
  system: System;
  random: Random;
  /** Resolves after this many seconds, or once `isOver`. */
  wait(seconds: number, isOver?: () => boolean): Promise<void>;
}

/** A row of the fault table. */
export interface Fault {
  name: string;
  /** Injects the fault, and ends it unless it ends by itself. */
  run(context: FaultContext): Promise<void>;
  /** Also part of the short form. */
  isShort?: boolean;
  /** Injected only once per run, since it takes long. */
  isOnce?: boolean;
  /** Whether nothing can respond during the fault. */
  isMute?: boolean;
  /** @returns why it can't be injected here, if it can't */
  unavailable?: (system: System) => string | undefined;
}

const processesOf = (system: System, component: Component) =>
  system.processes().filter((process) => process.component === component);

/** Signals one replica of a component with its process group. @returns its process; undefined if none is running */
function signal({ system, random }: FaultContext, component: Component, name: NodeJS.Signals): number | undefined {
  const copies = processesOf(system, component);
  if (copies.length === 0) return undefined;
  const { pid } = random.pick(copies);
  signalProcesses([{ pid: -pid }], name);
  return pid;
}

/** Suspends a component for this long: it keeps its connections but doesn't respond. Its supervisor may kill it in the meantime. */
async function hang(context: FaultContext, component: Component, seconds: number): Promise<void> {
  const stopped = signal(context, component, 'SIGSTOP');
  const isGone = () => !processesOf(context.system, component).some(({ pid }) => pid === stopped);
  await context.wait(seconds, isGone);
  if (stopped && !isGone()) signalProcesses([{ pid: -stopped }], 'SIGCONT');
}

/** The components that the short form kills. */
const SHORT: readonly Component[] = ['worker', 'mongo'];

/** Kills the service repeatedly while answers arrive in parts. */
const killedBetweenParts: Fault = {
  name: 'parts lost, doubled, reordered and in two tabs while recording is killed',
  async run(context) {
    for (let kill = 0; kill < 4; kill += 1) {
      signal(context, 'recording', 'SIGKILL');
      await context.wait(5);
    }
  },
};

/** Each component killed, terminated, and suspended for 20 s and for 200 s. */
const eachComponent = COMPONENTS.flatMap((component): Fault[] => {
  const isMute = component === 'gateway';
  return [
    {
      name: `kill ${component}`,
      isMute,
      isShort: SHORT.includes(component),
      run: async (context) => void signal(context, component, 'SIGKILL'),
    },
    { name: `terminate ${component}`, isMute, run: async (context) => void signal(context, component, 'SIGTERM') },
    { name: `stop ${component} 20 s`, isMute, run: (context) => hang(context, component, 20) },
    { name: `stop ${component} 200 s`, isMute, isOnce: true, run: (context) => hang(context, component, 200) },
  ];
});

const processFaults: readonly Fault[] = [killedBetweenParts, ...eachComponent];

const bySentinels = 'Redis is found by Sentinels';

type Part = 'mongo' | 'redis' | 's3';
const PARTS: readonly Part[] = ['mongo', 'redis', 's3'];

/** Network faults on the connections of one component, with their durations. */
const NETWORK_FAULTS: readonly { what: string; seconds: number; begin: (proxy: FaultProxy) => void }[] = [
  { what: 'refuses connections', seconds: 4, begin: (proxy) => proxy.cut() },
  { what: 'behind a slow network', seconds: 8, begin: (proxy) => proxy.slow(150) },
  { what: 'half-open', seconds: 15, begin: (proxy) => proxy.freeze() },
  { what: 'accepts and never answers', seconds: 12, begin: (proxy) => proxy.stall() },
];

function s3Refusal(status: string, code: string): string {
  const body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`;
  return `HTTP/1.1 ${status}\r\ncontent-type: application/xml\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
}

/** Error responses of an object store. */
const S3_REFUSALS = [
  ['S3 answers 403', '403 Forbidden', 'AccessDenied'],
  ['S3 answers 503', '503 Service Unavailable', 'SlowDown'],
  ['S3 is full', '507 Insufficient Storage', 'XMinioStorageFull'],
] as const;

/** Faults of a replica set, with their durations. */
const MONGO_FAULTS: readonly { what: MongoFault; name: string; seconds: number }[] = [
  { what: 'racing upserts', name: 'MongoDB lets upserts race', seconds: 8 },
  { what: 'lost replies', name: 'MongoDB writes, and its reply is lost', seconds: 5 },
  { what: 'stepping down', name: 'MongoDB primary steps down', seconds: 4 },
];

const networkFaults: readonly Fault[] = [
  ...MONGO_FAULTS.map(
    ({ what, name, seconds }): Fault => ({
      name,
      isShort: true,
      async run({ system, wait }) {
        system.mongoFaults.begin(what);
        await wait(seconds);
        system.mongoFaults.end();
      },
    }),
  ),
  ...S3_REFUSALS.map(
    ([name, status, code]): Fault => ({
      name,
      async run({ system, wait }) {
        system.proxies.s3.answer(s3Refusal(status, code));
        await wait(4);
        system.proxies.s3.mend();
      },
    }),
  ),
  ...PARTS.flatMap((part) =>
    NETWORK_FAULTS.map(
      ({ what, seconds, begin }): Fault => ({
        name: `${part} ${what}`,
        unavailable: ({ copies }) => (part === 'redis' && copies > 1 ? bySentinels : undefined),
        isOnce: seconds > 10,
        async run({ system, wait }) {
          begin(system.proxies[part]);
          await wait(seconds);
          system.proxies[part].mend();
        },
      }),
    ),
  ),
];

/** Runs a command once Redis responds, since another fault may have stopped it. */
async function command(system: System, ...words: [string, ...string[]]): Promise<unknown> {
  const redis = openRedis(system.backing().REDIS_URL, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  try {
    return await redis.call(...words);
  } finally {
    redis.disconnect();
  }
}

/** Appends zeros, as file systems do after a power loss. Does nothing if another fault has filled the disk. */
function zeroTail(system: System): void {
  const folder = join(system.redisFolder, 'appendonlydir');
  const last = readdirSync(folder)
    .filter((name) => name.endsWith('.incr.aof'))
    .toSorted()
    .at(-1);
  try {
    if (last) appendFileSync(join(folder, last), Buffer.alloc(804));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

const redisFaults: readonly Fault[] = [
  {
    name: 'Redis drops its subscribers',
    isShort: true,
    async run({ system, wait }) {
      // They reconnect after a tenth of a second.
      for (let times = 0; times < 400; times += 1) {
        await command(system, 'CLIENT', 'KILL', 'TYPE', 'PUBSUB');
        await wait(0.01);
      }
    },
  },
  { name: 'Redis emptied', isShort: true, run: async ({ system }) => void (await command(system, 'FLUSHALL')) },
  {
    name: 'Redis read-only',
    async run({ system, wait }) {
      await command(system, 'CONFIG', 'SET', 'min-replicas-to-write', '1');
      await wait(4);
      await command(system, 'CONFIG', 'SET', 'min-replicas-to-write', '0');
    },
  },
  {
    name: 'Redis full',
    async run({ system, wait }) {
      await command(system, 'CONFIG', 'SET', 'maxmemory', '1');
      await wait(5);
      await command(system, 'CONFIG', 'SET', 'maxmemory', '0');
    },
  },
  {
    name: 'the primary of Redis killed',
    isShort: true,
    unavailable: ({ copies }) => (copies > 1 ? undefined : 'Redis has no replica'),
    async run({ system }) {
      const [, pid] = /process_id:(\d+)/.exec(String(await command(system, 'INFO', 'server'))) ?? [];
      signalProcesses([{ pid: Number(pid) }], 'SIGKILL');
    },
  },
  {
    name: 'Redis killed, zeros at the end of its file',
    unavailable: ({ copies }) => (copies > 1 ? bySentinels : undefined),
    async run({ system }) {
      signalProcesses(
        system.processes().filter(({ component }) => component === 'redis'),
        'SIGKILL',
      );
      zeroTail(system);
    },
  },
];

const HOUR_MS = 3_600_000;

async function shiftClocks({ system, wait }: FaultContext, offsetMs: number): Promise<void> {
  system.shiftClocks(offsetMs);
  await wait(10);
  system.shiftClocks(0);
}

const wholeFaults: readonly Fault[] = [
  {
    name: 'power cut',
    isShort: true,
    isMute: true,
    async run({ system }) {
      await system.freezeAndKill(() => system.disks.copy());
      await system.disks.restoreCopy();
      await system.start();
    },
  },
  {
    name: 'everything killed',
    isMute: true,
    async run({ system }) {
      await system.killAll();
      await system.start();
    },
  },
  { name: 'clocks an hour behind', run: (context) => shiftClocks(context, -HOUR_MS) },
];

const DISKS: readonly Disk['name'][] = ['mongo', 'redis', 's3', 'spool', 'logs'];

/** The disk of each data folder is full for some seconds. */
const diskFaults: readonly Fault[] = DISKS.map((name) => ({
  name: `disk of ${name} full`,
  unavailable: ({ disks }) => (disks.isMounted ? undefined : 'needs root, to mount small disks'),
  async run({ system, wait }) {
    await system.disks.fill(name);
    await wait(6);
    system.disks.free(name);
  },
}));

/** Every fault that can be injected. */
export const faultTable: readonly Fault[] = [
  ...redisFaults,
  ...wholeFaults,
  ...networkFaults,
  ...diskFaults,
  ...processFaults,
];

/**
 * The order of one pass through the table: short faults first, so that a short run covers all kinds.
 * @param only names or parts of names; empty for all
 */
export function chooseFaults(only: readonly string[], isShort: boolean): Fault[] {
  const chosen = faultTable.filter(({ name, isShort: short = false }) =>
    only.length > 0 ? only.some((part) => name.includes(part)) : short || !isShort,
  );
  return chosen.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const rankOf = ({ isShort = false, isOnce = false }: Fault) => (isShort ? 0 : isOnce ? 2 : 1);
