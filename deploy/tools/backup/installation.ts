import { existsSync } from 'node:fs';
import { s3Address } from '@interview-prep/kit/s3-address';
import { type BackingSettings, planMongo, planS3, startBackingServices } from '@interview-prep/local/backing-services';
import { keepSecrets } from '@interview-prep/local/data-folder';
import { findFreePorts } from '@interview-prep/local/free-ports';
import { DataFolderBusy } from '@interview-prep/local/keep-watchdog';
import { readAddresses } from '@interview-prep/local/running-addresses';
import { type Environment, readSettings, StartupError, withSettingFiles } from '@interview-prep/local/settings';
import { lockDataFolder } from '@interview-prep/local/supervisor';
import { Client } from 'minio';
import { MongoClient } from 'mongodb';

/** Runs a command. Errors that the user can fix are printed as one sentence, with exit status 1. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof StartupError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')))
      throw error;
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

export type DatabaseName = 'auth' | 'catalog' | 'recording' | 'history' | 'audit';

/** The open stores of one installation. */
export interface Installation {
  mongo: MongoClient;
  /** The connection string of MongoDB, with an account that may read and write every service's database. */
  mongoUri: string;
  /** The name of a service's database, with this installation's prefix. */
  databaseName(service: DatabaseName): string;
  objects: Client;
  bucket: string;
  region: string;
  redisUrl: string;
  redisPrefix: string;
  /** The data folder of `npm start`; undefined without one, as with compose. */
  dataDir: string | undefined;
  close(): Promise<void>;
}

type Addresses = Partial<BackingSettings>;

/** The addresses from the settings, if they are complete. Redis is only needed for a restore. */
function givenAddresses(env: Environment, needsRedis: boolean): Addresses | undefined {
  const { MONGODB_URI, REDIS_URL, S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION } = env;
  if (!MONGODB_URI || !S3_ENDPOINT || (needsRedis && !REDIS_URL)) return undefined;
  if (!S3_ACCESS_KEY || !S3_SECRET_KEY) {
    throw new StartupError('S3_ENDPOINT is set: set S3_ACCESS_KEY and S3_SECRET_KEY with it.');
  }
  const redis = REDIS_URL ? { REDIS_URL } : {};
  return { MONGODB_URI, ...redis, S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION: S3_REGION || 'us-east-1' };
}

/** Starts the backing services of a data folder whose product is stopped. @throws DataFolderBusy if it is running */
async function startServers(dataDir: string, env: Environment, needsRedis: boolean) {
  const supervisor = await lockDataFolder(dataDir);
  try {
    const options = { dataDir, secrets: await keepSecrets(dataDir), env };
    if (needsRedis) return { addresses: await startBackingServices(supervisor, options), stop: supervisor.stop };
    const [mongo = 0, redis = 0, s3 = 0] = await findFreePorts(3);
    const ports = { mongo, redis, s3 };
    const plans = await Promise.all([planMongo({ ...options, ports }), planS3({ ...options, ports })]);
    for (const plan of plans) if (plan.process) await supervisor.start('backing', plan.process);
    return {
      addresses: Object.assign({}, ...plans.map(({ settings }) => settings)) as Addresses,
      stop: supervisor.stop,
    };
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}

async function findServers(dataDir: string, env: Environment, options: OpenOptions) {
  const given = givenAddresses(env, options.needsRedis);
  if (given) return { addresses: given, stop: async () => {} };
  try {
    return await startServers(dataDir, env, options.needsRedis);
  } catch (error) {
    if (!(error instanceof DataFolderBusy)) throw error;
    if (!options.whileRunning) throw new StartupError(`The product runs on ${dataDir}: stop it first.`);
    return { addresses: await readAddresses(dataDir), stop: async () => {} };
  }
}

/** `whileRunning`: whether the product may be running. */
export interface OpenOptions {
  needsRedis: boolean;
  whileRunning: boolean;
}

/**
 * Opens the stores of an installation: those in the settings, else those of the product running on DATA_DIR, else it starts
 * the servers of DATA_DIR.
 * @throws StartupError if that is not possible
 */
export async function openInstallation(given: Environment, options: OpenOptions): Promise<Installation> {
  const env = withSettingFiles(given);
  const { DATA_DIR: dataDir } = readSettings(env);
  const { addresses, stop } = await findServers(dataDir, env, options);
  const mongoUri = addresses.MONGODB_URI ?? '';
  const mongo = new MongoClient(mongoUri, { serverSelectionTimeoutMS: 10_000 });
  try {
    await mongo.connect();
  } catch (error) {
    await stop();
    throw new StartupError(`MongoDB cannot be reached: ${(error as Error).message}`);
  }
  const region = addresses.S3_REGION ?? 'us-east-1';
  return {
    mongo,
    mongoUri,
    databaseName: (service) => `${env.MONGODB_PREFIX ?? ''}${service}`,
    objects: new Client({
      ...s3Address(addresses.S3_ENDPOINT ?? ''),
      accessKey: addresses.S3_ACCESS_KEY ?? '',
      secretKey: addresses.S3_SECRET_KEY ?? '',
      region,
    }),
    bucket: env.S3_BUCKET || 'recordings',
    region,
    redisUrl: addresses.REDIS_URL ?? '',
    redisPrefix: env.REDIS_PREFIX || 'interview-prep',
    dataDir: existsSync(dataDir) ? dataDir : undefined,
    async close() {
      await mongo.close();
      await stop();
    },
  };
}
