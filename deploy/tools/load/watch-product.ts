import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readAddresses } from '@interview-prep/local/running-addresses';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { mongoCommands, redisCalls } from '../bench/idle-commands.ts';
import { descendants, nameOf, processorSeconds, proportionalMegabytes } from '../bench/processes.ts';

/** The product's resource usage during the run. */
export interface Usage {
  /** The maximum age in seconds of the oldest unjudged answer, and of the oldest waiting job. */
  oldestAnswerS: number;
  oldestJobS: number;
  processes: { name: string; peakMegabytes: number; endMegabytes: number; processorSeconds: number }[];
  /** Commands of all processes; those of Redis include calls by scripts. */
  mongoCommands: number;
  redisCommands: number;
  /** The growth of the data folders of MongoDB and the object store. */
  storedBytes: { mongo: number; s3: number };
}

const everyMs = 1000;

async function folderBytes(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const sizes = files.map((file) =>
    file.isFile()
      ? stat(join(file.parentPath, file.name)).then(
          ({ size }) => size,
          () => 0,
        )
      : 0,
  );
  return (await Promise.all(sizes)).reduce((sum: number, size) => sum + size, 0);
}

/** The maximum of a metric over its labels. */
const largest = (metrics: string, name: string): number =>
  Math.max(
    0,
    ...[...metrics.matchAll(new RegExp(`^${name}(?:{[^}]*})? (.+)$`, 'gm'))].map(([, value]) => Number(value)),
  );

const total = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((sum, count) => sum + count, 0);

/**
 * Monitors the product that this process has started on a data folder.
 * @param recordingUrl the recording service, which exports the ages
 * @returns stops it and returns the usage
 */
export async function watchProduct(
  dataDir: string,
  { recordingUrl, metricsToken }: { recordingUrl: string; metricsToken: string },
): Promise<() => Promise<Usage>> {
  const { MONGODB_URI, REDIS_URL } = await readAddresses(dataDir);
  const mongo = await new MongoClient(MONGODB_URI).connect();
  const redis = new Redis(REDIS_URL);
  const readStores = async () => ({
    mongoCommands: total(await mongoCommands(mongo)),
    redisCommands: total(await redisCalls(redis)),
    mongo: await folderBytes(join(dataDir, 'mongo')),
    s3: await folderBytes(join(dataDir, 's3')),
  });
  const readProcesses = () =>
    descendants(process.pid).map((each) => ({
      pid: each.pid,
      name: nameOf(each),
      megabytes: proportionalMegabytes(each.pid),
      seconds: processorSeconds(each.pid),
    }));

  const before = await readStores();
  const secondsBefore = new Map(readProcesses().map(({ pid, seconds }) => [pid, seconds]));
  const processes = new Map<number, Usage['processes'][number]>();
  let [oldestAnswerS, oldestJobS] = [0, 0];
  const look = async () => {
    for (const { pid, name, megabytes, seconds } of readProcesses()) {
      const peakMegabytes = Math.max(processes.get(pid)?.peakMegabytes ?? 0, megabytes);
      const used = seconds - (secondsBefore.get(pid) ?? 0);
      processes.set(pid, { name, peakMegabytes, endMegabytes: megabytes, processorSeconds: used });
    }
    const headers = { authorization: `Bearer ${metricsToken}` };
    const metrics = await (await fetch(`${recordingUrl}/metrics`, { headers })).text();
    oldestAnswerS = Math.max(oldestAnswerS, largest(metrics, 'recording_oldest_pending_answer_age_seconds'));
    oldestJobS = Math.max(oldestJobS, largest(metrics, 'recording_oldest_waiting_job_age_seconds'));
  };
  let running = look();
  const timer = setInterval(() => {
    running = running.then(look).catch(() => undefined);
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
    await look();
    const after = await readStores();
    await mongo.close();
    redis.disconnect();
    return {
      oldestAnswerS,
      oldestJobS,
      processes: [...processes.values()],
      mongoCommands: after.mongoCommands - before.mongoCommands,
      redisCommands: after.redisCommands - before.redisCommands,
      storedBytes: { mongo: after.mongo - before.mongo, s3: after.s3 - before.s3 },
    };
  };
}
