import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChainedEntry, markOf } from '@interview-prep/kit/audit/audit-chain';
import { readIfThere, removeFolder } from '@interview-prep/local/data-folder';
import { REPOSITORY } from '@interview-prep/local/settings';
import { StartupError } from '@interview-prep/local/startup-error';
import { copyObjects } from './copy-objects.ts';
import { extendDeletionLog } from './deletion-log.ts';
import type { Installation } from './installation.ts';
import { type CollectionPart, formatVersion, type Manifest, schemaVersionOf, writeManifest } from './manifest.ts';
import { writePart } from './part-files.ts';

/** Not copied: keys and tokens, since a restore ends all sign-ins, locks, and when this installation was backed up. */
const leftOut = new Set(['signing_keys', 'revoked_tokens', 'sign_ins', 'migrationLocks', 'backups']);

/**
 * `recordings` is copied first: a recording's session is written before it, so it is there when sessions are copied.
 * `deletions` is copied last: it names whatever was deleted meanwhile, and a restore carries it out again.
 */
const ranks: Readonly<Record<string, number>> = { recordings: -1, deletions: 1 };
const rankOf = (collection: string): number => ranks[collection] ?? 0;

/** Copies the collections of one service's database into a backup. */
async function copyDatabase(
  { mongo, databaseName }: Pick<Installation, 'mongo' | 'databaseName'>,
  database: CollectionPart['database'],
  folder: string,
): Promise<CollectionPart[]> {
  const db = mongo.db(databaseName(database));
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  const names = found.map(({ name }) => name).filter((name) => !leftOut.has(name) && !name.startsWith('system.'));
  const parts: CollectionPart[] = [];
  for (const collection of names.sort((a, b) => rankOf(a) - rankOf(b) || a.localeCompare(b))) {
    let documents = 0;
    // By the index on _id, so that a document that changes meanwhile is read once.
    const cursor = db.collection(collection).find({}, { sort: { _id: 1 }, batchSize: 500, raw: true });
    const counted = async function* () {
      // With `raw`, the driver gives BSON.
      for await (const document of cursor as AsyncIterable<unknown>) {
        documents += 1;
        yield Buffer.from(document as Uint8Array);
      }
    };
    const path = `mongo/${database}/${collection}.bson.gz`;
    const part = await writePart(folder, path, counted(), { gzip: true });
    parts.push({ ...part, database, collection, documents });
  }
  return parts;
}

/** The names of the migrations that ran on a service's database. */
async function migrationsOf(
  { mongo, databaseName }: Pick<Installation, 'mongo' | 'databaseName'>,
  database: keyof Manifest['schemaVersions'],
): Promise<string[]> {
  const records = await mongo.db(databaseName(database)).collection('migrations').find().toArray();
  return records.map(({ _id }) => String(_id));
}

/**
 * Databases in the order in which they are copied: what holds copies of another's documents comes first. So no copy is newer
 * than its owner, and what the owners publish after a restore brings the copies up to date. history is left out: it is
 * built from recording's events.
 */
const databases = ['recording', 'auth', 'catalog'] as const;

/** What `npm start` keeps beside its stores, and needs after a restore. */
async function readDataFolder(dataDir: string | undefined): Promise<Manifest['dataFolder']> {
  if (dataDir === undefined) return {};
  const [seed, demoPassword] = await Promise.all(
    ['seed', 'demo-password'].map(async (name) => (await readIfThere(join(dataDir, name)))?.trimEnd()),
  );
  return { ...(seed ? { seed } : {}), ...(demoPassword ? { demoPassword } : {}) };
}

/**
 * Backs an installation up into a new folder, while people use it or while it is stopped. Until the end the folder's name ends
 * in `.partial`.
 * @throws StartupError where there is nothing to back up, or the folder exists
 */
export async function backUp(installation: Installation, folder: string): Promise<Manifest> {
  if (existsSync(folder)) throw new StartupError(`${folder} exists already: name another folder.`);
  const startedAt = new Date().toISOString();
  const partial = `${folder}.partial`;
  await removeFolder(partial);
  await mkdir(partial, { recursive: true, mode: 0o700 });

  const collections: CollectionPart[] = [];
  const schemaVersions: Partial<Manifest['schemaVersions']> = {};
  for (const database of databases) {
    schemaVersions[database] = schemaVersionOf(await migrationsOf(installation, database));
    collections.push(...(await copyDatabase(installation, database, partial)));
  }
  // Read before the log is copied, so that the copy has this entry.
  const newestEntry = await installation.mongo
    .db(installation.databaseName('audit'))
    .collection<ChainedEntry>('entries')
    .findOne({}, { sort: { _id: -1 } });
  collections.push(...(await copyDatabase(installation, 'audit', partial)));
  const find = (name: string) => collections.find(({ collection }) => collection === name);
  if (!find('users')?.documents) {
    await removeFolder(partial);
    throw new StartupError(
      `There is nothing to back up: the database ${installation.databaseName('auth')} has no users. Check MONGODB_URI and MONGODB_PREFIX.`,
    );
  }
  const objects = await copyObjects(installation, find('recordings'), partial);
  const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8')) as { version: string };
  const manifest: Manifest = {
    formatVersion,
    version,
    startedAt,
    endedAt: new Date().toISOString(),
    schemaVersions: schemaVersions as Manifest['schemaVersions'],
    collections,
    ...(newestEntry ? { auditMark: markOf(newestEntry) } : {}),
    objects,
    dataFolder: await readDataFolder(installation.dataDir),
  };
  await extendDeletionLog(installation, folder);
  await writeManifest(partial, manifest);
  await rename(partial, folder);
  // For the metric of the latest backup.
  await installation.mongo
    .db(installation.databaseName('recording'))
    .collection<{ _id: string }>('backups')
    .updateOne({ _id: 'latest' }, { $set: { endedAt: new Date(manifest.endedAt) } }, { upsert: true });
  return manifest;
}
