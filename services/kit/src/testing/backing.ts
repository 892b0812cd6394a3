import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { createLogger, type Logger } from '../logger.ts';
import { connectMongo } from '../mongo.ts';
import { connectProducer } from '../redis.ts';

/** One test file's own database and Redis keys, on the servers that the test run started. */
export interface TestBacking {
  settings: { MONGODB_URI: string; MONGODB_PREFIX: string; REDIS_URL: string; REDIS_PREFIX: string };
  mongo: Connection;
  redis: Redis;
  log: Logger;
  /** Drops the database and the keys, and closes the connections. */
  close(): Promise<void>;
}

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with npm test, which starts the backing services`);
  return value;
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
    REDIS_URL: required('REDIS_URL'),
    REDIS_PREFIX: prefix,
  };
  const log = createLogger('test', process.env.LOG_LEVEL ?? 'silent');
  const mongo = await connectMongo(settings, database, log);
  const redis = await connectProducer(settings.REDIS_URL, log);
  return {
    settings,
    mongo,
    redis,
    log,
    async close() {
      await mongo.dropDatabase();
      await mongo.close();
      const keys = await redis.keys(`${prefix}:*`);
      if (keys.length > 0) await redis.del(keys);
      redis.disconnect();
    },
  };
}
