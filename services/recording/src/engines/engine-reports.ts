import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { WorkerEngines } from '@interview-prep/contracts/recording/recordings';
import type { Redis } from 'ioredis';
import type { EngineLog } from './speech-engine-chain.ts';

/** The Redis hash in which workers report their engines, with a field for each worker. */
export interface EngineReports {
  redis: Redis;
  prefix: string;
}

const everyMs = 10_000;
/** After this time without a heartbeat, a worker counts as gone or hung. */
const staleMs = 30_000;

/** The time by Redis's clock, since workers' clocks may differ. */
async function redisTimeMs({ redis }: EngineReports): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}

const keyOf = ({ prefix }: EngineReports) => `${prefix}:engines`;

/**
 * Sends this worker's heartbeats, with the engines that it uses.
 * @returns a function that stops, and removes the report
 */
export function reportEngines(
  reports: EngineReports,
  read: () => Omit<WorkerEngines, 'worker'>,
  log: EngineLog,
): () => Promise<void> {
  const field = randomUUID();
  const write = async () => {
    const current = { ...read(), worker: hostname(), atMs: await redisTimeMs(reports) };
    await reports.redis.hset(keyOf(reports), field, JSON.stringify(current));
  };
  const report = () => {
    return write().catch((error: unknown) => log.warn({ err: error }, "could not report the engines' status"));
  };
  void report();
  const timer = setInterval(report, everyMs);
  return async () => {
    clearInterval(timer);
    await reports.redis
      .hdel(keyOf(reports), field)
      .catch((error: unknown) => log.warn({ err: error }, "could not remove the engines' status"));
  };
}

/** The reports of the workers that are running. @throws while Redis is down */
export async function readEngineReports(reports: EngineReports): Promise<WorkerEngines[]> {
  const entries = Object.entries(await reports.redis.hgetall(keyOf(reports)));
  const parsed = entries.map(([field, json]) => ({
    field,
    report: JSON.parse(json) as WorkerEngines & { atMs: number },
  }));
  const oldestMs = (await redisTimeMs(reports)) - staleMs;
  const stale = parsed.filter(({ report }) => report.atMs < oldestMs).map(({ field }) => field);
  if (stale.length > 0) await reports.redis.hdel(keyOf(reports), ...stale);
  return parsed.filter(({ report }) => report.atMs >= oldestMs).map(({ report }) => WorkerEngines.parse(report));
}
