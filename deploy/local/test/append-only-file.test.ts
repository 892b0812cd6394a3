import { appendFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '@interview-prep/kit/process/logger';
import { createJobProducer } from '@interview-prep/kit/redis/job-queues';
import { connectProducer } from '@interview-prep/kit/redis/redis';
import { beforeEach, expect, test } from 'vitest';
import { startBackingServices } from '../src/backing-services.ts';
import { keepSecrets } from '../src/data-folder.ts';
import { REPOSITORY } from '../src/settings.ts';
import { createSupervisor } from '../src/supervisor.ts';
import { temporaryFolder } from './temporary-folder.ts';

const log = createLogger('test', 'silent');
/** Starts only Redis. */
const env = { MONGODB_URI: 'mongodb://db.example', S3_ENDPOINT: 'http://s3', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' };

let dataDir: string;
beforeEach(async () => {
  dataDir = await temporaryFolder();
});

/** Starts Redis as `npm start` does, calls `act` with a job producer connected to it, and stops it. @returns its messages */
async function withRedis(act: (jobs: ReturnType<typeof createJobProducer>) => Promise<void>): Promise<string[]> {
  const said: string[] = [];
  const supervisor = await createSupervisor({
    logDir: join(dataDir, 'logs'),
    lockFile: join(dataDir, 'lock'),
    onEvent: (event) => event.kind === 'prepared' && said.push(event.message),
  });
  try {
    const { REDIS_URL } = await startBackingServices(supervisor, {
      dataDir,
      secrets: await keepSecrets(dataDir),
      env,
      hasRedisAdministrator: true,
    });
    const redis = await connectProducer(REDIS_URL, log);
    const jobs = createJobProducer(redis, 'test');
    await act(jobs);
    await jobs.close();
    redis.disconnect();
  } finally {
    await supervisor.stop();
  }
  return said;
}

const addJobs = (recordingIds: readonly string[]) =>
  withRedis(async (jobs) => {
    for (const recordingId of recordingIds) await jobs.add('media', 'prepare-media', { recordingId, run: 1 });
  });

async function filesOf(): Promise<{ folder: string; incremental: string; base: string }> {
  const [name] = (await readdir(dataDir)).filter((entry) => ['redis', 'valkey'].includes(entry));
  const folder = join(dataDir, name ?? '');
  const files = join(folder, 'appendonlydir');
  const names = await readdir(files);
  const path = (ending: string) => join(files, names.find((entry) => entry.endsWith(ending)) ?? '');
  return { folder, incremental: path('.incr.aof'), base: path('.base.rdb') };
}

test('Redis starts with a file that ends in zeros after a power cut; the damaged file is kept, and a log line says so', async () => {
  expect(await addJobs(['first'])).toEqual([]);
  const { folder, incremental } = await filesOf();
  const whole = (await stat(incremental)).size;
  expect(await addJobs(['second'])).toEqual([]);
  // The last writes never reached the disk: their blocks are zeros.
  await truncate(incremental, whole);
  await appendFile(incremental, Buffer.alloc(804));
  const damaged = await readFile(incremental);

  let kept: unknown;
  const said = await withRedis(async (jobs) => {
    const queue = jobs.queue('media');
    kept = [Boolean(await queue.getJob('first-1')), Boolean(await queue.getJob('second-1'))];
  });
  expect(said).toEqual([
    expect.stringMatching(/was damaged and was cut to the part that is whole; .* comes back from/),
  ]);
  expect(kept).toEqual([true, false]);
  const aside = join(folder, 'appendonlydir.damaged', incremental.slice(incremental.lastIndexOf('/') + 1));
  expect((await readFile(aside)).equals(damaged)).toBe(true);
  expect(await addJobs(['third'])).toEqual([]);
});

test('Redis starts empty if its file cannot be repaired', async () => {
  await addJobs(['first']);
  const { base } = await filesOf();
  await writeFile(base, Buffer.alloc((await stat(base)).size));
  let waiting: number | undefined;
  const said = await withRedis(async (jobs) => {
    waiting = await jobs.queue('media').getWaitingCount();
  });
  expect(said).toEqual([expect.stringMatching(/could not be repaired: the server starts empty/)]);
  expect(waiting).toBe(0);
});

test('docker compose repairs the file with the same script', async () => {
  const compose = await readFile(join(REPOSITORY, 'docker-compose.yml'), 'utf8');
  expect(compose).toContain("'./deploy/repair-append-only-file.sh:/repair-append-only-file.sh:ro'");
  expect(compose).toMatch(
    /sh \/repair-append-only-file\.sh \/data valkey-check-aof\n.+\n +exec docker-entrypoint\.sh valkey-server /,
  );
});
