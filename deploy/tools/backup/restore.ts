import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { auditIndexes } from '@interview-prep/kit/audit/audit-chain';
import { unfinishedRestore } from '@interview-prep/kit/mongo/migrations';
import { openRedis } from '@interview-prep/kit/redis/redis';
import { writePrivately } from '@interview-prep/local/data-folder';
import { StartupError } from '@interview-prep/local/settings';
import type { Redis } from 'ioredis';
import type { BSON, Collection } from 'mongodb';
import { checkBackup, readObjectLines } from './check-backup.ts';
import { knownDeletions, replayDeletions } from './deletion-log.ts';
import type { DatabaseName, Installation } from './installation.ts';
import type { CollectionPart, Manifest, ObjectLine } from './manifest.ts';
import { readDocuments } from './part-files.ts';

async function withRedis<Result>(url: string, use: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = openRedis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
  } catch (error) {
    throw new StartupError(`Redis cannot be reached: ${(error as Error).message}`);
  }
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

/** @throws StartupError while the product's processes are connected to Redis, detected by the names of BullMQ's connections */
async function requireStopped({ redisUrl, redisPrefix }: Installation): Promise<void> {
  const clients = await withRedis(redisUrl, (redis) => redis.call('CLIENT', 'LIST'));
  if (String(clients).includes(` name=${redisPrefix}:`))
    throw new StartupError('The product is running: stop it first.');
}

/** Deletes the product's keys in Redis. The services rebuild them from MongoDB. */
async function emptyRedis({ redisUrl, redisPrefix }: Installation): Promise<void> {
  await withRedis(redisUrl, async (redis) => {
    for await (const keys of redis.scanStream({ match: `${redisPrefix}:*`, count: 1000 })) {
      if (keys.length > 0) await redis.unlink(...(keys as string[]));
    }
  });
}

const services: readonly DatabaseName[] = ['auth', 'catalog', 'recording', 'history'];

const concurrency = 8;
/** The number of documents per insert. */
const batchSize = 200;

type Record = { _id: string; ranAt?: Date };

/** The migrations that ran on a service's database. While it contains `unfinishedRestore`, no service uses the database. */
const migrationsOf = ({ mongo, databaseName }: Installation, service: DatabaseName): Collection<Record> =>
  mongo.db(databaseName(service)).collection<Record>('migrations');

async function collectionNames({ mongo, databaseName }: Installation, service: DatabaseName): Promise<string[]> {
  const found = await mongo.db(databaseName(service)).listCollections({}, { nameOnly: true }).toArray();
  return found.map(({ name }) => name).filter((name) => name !== 'migrations' && !name.startsWith('system.'));
}

/** @throws StartupError if the installation contains data, other than of an interrupted restore */
async function requireEmpty(installation: Installation): Promise<void> {
  const { mongo, databaseName, objects, bucket } = installation;
  for (const service of services) {
    if (await migrationsOf(installation, service).findOne({ _id: unfinishedRestore })) return;
  }
  const refuse = (what: string) => {
    throw new StartupError(
      `There is data in this installation (${what}). Add --replace to delete all of it and restore the backup.`,
    );
  };
  for (const service of services) {
    for (const name of await collectionNames(installation, service)) {
      if (await mongo.db(databaseName(service)).collection(name).findOne({}))
        refuse(`${databaseName(service)}.${name}`);
    }
  }
  if (!(await objects.bucketExists(bucket))) return;
  for await (const { name } of objects.listObjectsV2(bucket, '', true)) refuse(`the object ${name}`);
}

async function emptyBucket({ objects, bucket, region }: Installation): Promise<void> {
  if (!(await objects.bucketExists(bucket))) {
    await objects.makeBucket(bucket, region);
    return;
  }
  for await (const { name } of objects.listObjectsV2(bucket, '', true)) await objects.removeObject(bucket, name);
}

async function insertDocuments(
  { mongo, databaseName }: Installation,
  { database, collection, path, documents }: CollectionPart,
  folder: string,
): Promise<void> {
  const target = mongo.db(databaseName(database)).collection(collection);
  let batch: BSON.Document[] = [];
  let inserted = 0;
  const insert = async () => {
    if (batch.length > 0) await target.insertMany(batch);
    inserted += batch.length;
    batch = [];
  };
  for await (const document of readDocuments(folder, path)) {
    batch.push(document);
    if (batch.length === batchSize) await insert();
  }
  await insert();
  if (inserted !== documents) throw new Error(`${path} has ${inserted} documents instead of ${documents}`);
}

/** Restores the audit log if there is none. An existing one is never replaced, since it may be newer. */
async function restoreAuditLog(installation: Installation, part: CollectionPart, folder: string): Promise<void> {
  const entries = installation.mongo.db(installation.databaseName('audit')).collection(part.collection);
  if (await entries.findOne({})) return;
  await insertDocuments(installation, part, folder);
  await entries.createIndexes(auditIndexes.map(({ key, ...options }) => ({ key: { ...key }, ...options })));
}

async function storeObjects({ objects, bucket }: Installation, manifest: Manifest, folder: string): Promise<void> {
  const store = async ({ key, mediaType, part }: ObjectLine) => {
    // Streams can't carry undefined.
    if (part === null) return key;
    const file = join(folder, part.path);
    const { size } = await stat(file);
    await objects.putObject(bucket, key, createReadStream(file), size, { 'Content-Type': mediaType });
    return key;
  };
  const stored = Readable.from(readObjectLines(folder, manifest)).map(store, { concurrency });
  for await (const _ of stored);
}

/** Restores the seed and the demonstration's password into a data folder. */
async function writeDataFolder(dataDir: string | undefined, { dataFolder }: Manifest): Promise<void> {
  if (dataDir === undefined || !existsSync(dataDir)) return;
  const files = { seed: dataFolder.seed, 'demo-password': dataFolder.demoPassword };
  for (const [name, value] of Object.entries(files)) {
    if (value !== undefined) await writePrivately(join(dataDir, name), `${value}\n`);
  }
}

/**
 * Restores a backup into a stopped, empty installation, after verifying every byte of it. History and the queues are
 * rebuilt when the product starts. Everyone has to sign in again.
 * @param options `replace`: delete the installation's data
 * @throws StartupError if the backup is damaged or newer, the product is running, or there is data; without changing anything
 */
export async function restore(
  installation: Installation,
  folder: string,
  { replace }: { replace: boolean },
): Promise<Manifest> {
  const manifest = await checkBackup(folder);
  await requireStopped(installation);
  if (!replace) await requireEmpty(installation);
  const deletions = await knownDeletions(installation, folder);

  for (const service of services) {
    await migrationsOf(installation, service).updateOne({ _id: unfinishedRestore }, { $set: {} }, { upsert: true });
  }
  for (const service of services) {
    const { mongo, databaseName } = installation;
    for (const name of await collectionNames(installation, service))
      await mongo.db(databaseName(service)).dropCollection(name);
    await migrationsOf(installation, service).deleteMany({ _id: { $ne: unfinishedRestore } });
  }
  await emptyRedis(installation);
  await emptyBucket(installation);

  for (const part of manifest.collections) {
    if (part.database !== 'audit') await insertDocuments(installation, part, folder);
    else await restoreAuditLog(installation, part, folder);
  }
  await storeObjects(installation, manifest, folder);
  await replayDeletions(installation, deletions);
  await writeDataFolder(installation.dataDir, manifest);
  for (const service of services) await migrationsOf(installation, service).deleteOne({ _id: unfinishedRestore });
  return manifest;
}
