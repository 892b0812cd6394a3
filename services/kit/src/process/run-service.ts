import type { Redis } from 'ioredis';
import type { Connection } from 'mongoose';
import { type AuditTrail, openAuditTrail } from '../audit/audit-trail.ts';
import type { ServiceAppOptions } from '../http/service-app.ts';
import { type Migration, migrate } from '../mongo/migrations.ts';
import { connectMongo } from '../mongo/mongo.ts';
import { createJobProducer, type JobProducer } from '../redis/job-queues.ts';
import { connectProducer, connectWorker } from '../redis/redis.ts';
import { createLogger, type Logger } from './logger.ts';
import { type ProcessParts, runProcess } from './run-process.ts';
import type { TlsSettings } from './tls-files.ts';

/** The settings that `runService` itself reads. */
interface ServiceSettings extends TlsSettings {
  HOST: string;
  PORT: number;
  LOG_LEVEL: string;
  METRICS_TOKEN?: string | undefined;
  MONGODB_URI: string;
  MONGODB_PREFIX: string;
  REDIS_URL: string;
  REDIS_PREFIX: string;
  GATEWAY_SECRET?: string | undefined;
}

/** A service process. */
interface Service {
  /** The service's name in the log. */
  name: string;
  /** The service's own database. */
  database: string;
  migrations: readonly Migration[];
  settings: ServiceSettings;
  /** Whether this process publishes leftover audit events; false if another process with this database does. */
  sweepsAudit?: boolean;
}

/** The connections of a running service. */
interface ServiceConnections {
  log: Logger;
  /** The service's own database. */
  mongo: Connection;
  /** For commands: fails immediately while Redis is down. */
  redis: Redis;
  /** For consumers of queues: waits while Redis is down. */
  workerRedis: Redis;
  /** The prefix of every key in Redis. */
  prefix: string;
  jobs: JobProducer;
  /** Records what users do. */
  audit: AuditTrail;
  /** Options for `createServiceApp`: log, readiness checks, shutdown, metrics, the gateway's secret, audit trail. */
  appOptions: Pick<ServiceAppOptions, 'log' | 'checks' | 'isStopping' | 'metricsToken' | 'gatewaySecret' | 'audit'>;
}

/**
 * Runs a service: connects and migrates its database, connects Redis, starts the service, listens, and closes everything in
 * the reverse order on SIGTERM or SIGINT. Waits indefinitely for MongoDB and Redis.
 * @param start returns the app, and closers for everything that it opened itself
 */
export function runService(
  { name, database, migrations, settings, sweepsAudit = true }: Service,
  start: (connections: ServiceConnections) => Promise<ProcessParts>,
): Promise<void> {
  const log = createLogger(name, settings.LOG_LEVEL);
  return runProcess(settings, log, async (isStopping) => {
    const prefix = settings.REDIS_PREFIX;
    const mongo = await connectMongo(settings, database, log);
    await migrate(mongo, migrations, log);
    const redis = await connectProducer(settings.REDIS_URL, log);
    const workerRedis = connectWorker(settings.REDIS_URL, log);
    const jobs = createJobProducer(redis, prefix);
    const checks = {
      mongodb: async () => Boolean(await mongo.db?.command({ ping: 1 })),
      redis: async () => (await redis.ping()) === 'PONG',
    };
    const audit = openAuditTrail({ service: name, mongo, jobs, redis, prefix, log, sweeps: sweepsAudit });
    const { METRICS_TOKEN: metricsToken, GATEWAY_SECRET: gatewaySecret } = settings;
    const appOptions = { log, checks, isStopping, metricsToken, gatewaySecret, audit };
    const parts = await start({ log, mongo, redis, workerRedis, prefix, jobs, audit, appOptions });
    return {
      ...parts,
      closers: [
        ...parts.closers,
        () => audit.stop(),
        () => jobs.close(),
        async () => workerRedis.disconnect(),
        async () => redis.disconnect(),
        () => mongo.close(),
      ],
    };
  });
}
