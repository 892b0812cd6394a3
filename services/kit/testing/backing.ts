import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { connectMongo } from '../src/mongo/mongo.ts';
import { createLogger, type Logger } from '../src/process/logger.ts';
import { connectProducer } from '../src/redis/redis.ts';

/** One test file's own database and Redis keys, on the servers that the test run started. */
export interface TestBacking {
  settings: { MONGODB_URI: string; MONGODB_PREFIX: string; REDIS_URL: string; REDIS_PREFIX: string };
  mongo: Connection;
  /** With the account of the service whose database this is, as `settings.REDIS_URL`. */
  redis: Redis;
  /** With an account that may do everything, for what a test looks at or prepares. */
  redisAdministrator: Redis;
  /** The address of Redis with the account of a service. */
  redisUrlOf(service: string): string;
  /** A connection with the account of another service. */
  redisAs(service: string): Promise<Redis>;
  log: Logger;
  /** Drops the database and the keys, and closes the connections. */
  close(): Promise<void>;
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm test, which starts the backing services`);
  return value;
}

/** The address with the account of a service; kit's own tests may do everything. */
function redisUrlOf(service: string): string {
  const accounts = JSON.parse(process.env.REDIS_ACCOUNTS || '{}') as Record<string, string>;
  return accounts[service] ?? required('REDIS_URL');
}

/**
 * @param database the service's own database; a prefix keeps it apart from those of other test files
 * @param mongoUri of a proxy in front of the test run's MongoDB
 */
export async function createTestBacking(
  database: string,
  mongoUri: string = required('MONGODB_URI'),
): Promise<TestBacking> {
  const prefix = `test-${randomUUID().slice(0, 8)}`;
  const settings = {
    MONGODB_URI: mongoUri,
    MONGODB_PREFIX: `${prefix}-`,
    REDIS_URL: redisUrlOf(database),
    REDIS_PREFIX: prefix,
  };
  const log = createLogger('test', process.env.LOG_LEVEL ?? 'silent');
  const mongo = await connectMongo(settings, database, log);
  const redis = await connectProducer(settings.REDIS_URL, log);
  const redisAdministrator = await connectProducer(required('REDIS_URL'), log);
  const others = new Map<string, Promise<Redis>>();
  return {
    settings,
    mongo,
    redis,
    redisAdministrator,
    redisUrlOf,
    redisAs: (service) => {
      const open = others.get(service) ?? connectProducer(redisUrlOf(service), log);
      others.set(service, open);
      return open;
    },
    log,
    async close() {
      await mongo.dropDatabase();
      await mongo.close();
      const keys = await redisAdministrator.keys(`${prefix}:*`);
      if (keys.length > 0) await redisAdministrator.del(keys);
      for (const open of [redis, redisAdministrator, ...(await Promise.all(others.values()))]) open.disconnect();
    },
  };
}
