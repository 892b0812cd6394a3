import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type ChainedEntry, markOf } from '@interview-prep/kit/audit/audit-chain';
import { readIfThere, removeFolder } from '@interview-prep/local/data-folder';
import { REPOSITORY, StartupError } from '@interview-prep/local/settings';
import type { BSON } from 'mongodb';
import { extendDeletionLog } from './deletion-log.ts';
import type { Installation } from './installation.ts';
import {
  type CollectionPart,
  formatVersion,
  type Manifest,
  type ObjectLine,
  schemaVersionOf,
  writeManifest,
} from './manifest.ts';
import { readDocuments, writePart } from './part-files.ts';

/** The number of objects copied concurrently. */
const concurrency = 8;

interface NamedObject {
  recordingId: BSON.ObjectId;
  key: string;
  mediaType: string;
  /** The hash of the uploaded bytes. */
  sha256?: string;
}

interface CopiedRecording {
  _id: BSON.ObjectId;
  sha256: string;
  original: { key: string; mediaType: string } | null;
  playback: { key: string; mediaType: string } | null;
  /** Set once its media is deleted. */
  mediaDeletion?: unknown;
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** Not copied: keys and tokens, since a restore ends all sign-ins; locks; and the time of the last backup. */
const leftOut = new Set(['signing_keys', 'revoked_tokens', 'sign_ins', 'migrationLocks', 'backups']);

/**
 * `recordings` is copied first: a recording's session is written before it, so it is there when sessions are copied.
 * `deletions` is copied last: it lists everything deleted in the meantime, and a restore replays it.
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
    // Sorted by _id, so that a document that changes in the meantime is read only once.
    const cursor = db.collection(collection).find({}, { sort: { _id: 1 }, batchSize: 500, raw: true });
    const counted = async function* () {
      // With `raw`, the driver returns BSON.
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
 * Databases in the order in which they are copied: those with copies of other services' documents come first. So no copy is
 * newer than its original, and events that are published after a restore bring the copies up to date. history is left out:
 * it is rebuilt from recording's events.
 */
const databases = ['recording', 'auth', 'catalog'] as const;

/** Reads the state of `npm start` outside its stores that a restore needs. */
async function readDataFolder(dataDir: string | undefined): Promise<Manifest['dataFolder']> {
  if (dataDir === undefined) return {};
  const [seed, demoPassword] = await Promise.all(
    ['seed', 'demo-password'].map(async (name) => (await readIfThere(join(dataDir, name)))?.trimEnd()),
  );
  return { ...(seed ? { seed } : {}), ...(demoPassword ? { demoPassword } : {}) };
}

/**
 * Backs up an installation into a new folder, while it is in use or stopped. Until the backup is complete, the folder's name
 * ends in `.partial`.
 * @throws StartupError if there is nothing to back up, or the folder exists
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
  // Read before the log is copied, so that the copy includes this entry.
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
  // For the metric about the latest backup.
  await installation.mongo
    .db(installation.databaseName('recording'))
    .collection<{ _id: string }>('backups')
    .updateOne({ _id: 'latest' }, { $set: { endedAt: new Date(manifest.endedAt) } }, { upsert: true });
  return manifest;
}

/** The objects that the copied recordings refer to. */
async function* namedObjects(folder: string, { path }: CollectionPart): AsyncGenerator<NamedObject> {
  for await (const document of readDocuments(folder, path)) {
    const { _id: recordingId, sha256, original, playback, mediaDeletion } = document as CopiedRecording;
    if (mediaDeletion) continue;
    if (original) yield { recordingId, ...original, sha256 };
    if (playback && playback.key !== original?.key) yield { recordingId, ...playback };
  }
}

/**
 * Copies the objects that the copied recordings refer to. Objects never change, and are written before their recordings, so
 * they are consistent with the earlier copy of MongoDB. Objects that were deleted in the meantime are left out.
 * @throws Error if an object's content differs from the upload
 */
async function copyObjects(
  { objects, bucket, mongo, databaseName }: Installation,
  recordings: CollectionPart | undefined,
  folder: string,
): Promise<Manifest['objects']> {
  const stored = mongo.db(databaseName('recording')).collection('recordings');
  const missing: string[] = [];
  let count = 0;
  let sizeBytesInAll = 0;

  const copy = async ({ recordingId, key, mediaType, sha256 }: NamedObject): Promise<{ line: ObjectLine | null }> => {
    try {
      const part = await writePart(folder, `objects/${key}`, await objects.getObject(bucket, key));
      if (sha256 !== undefined && part.sha256 !== sha256) {
        throw new Error(`The object ${key} is damaged: its content differs from the upload.`);
      }
      return { line: { key, mediaType, part } };
    } catch (error) {
      if (codeOf(error) !== 'NoSuchKey') throw error;
      const isNamed = await stored.findOne({
        _id: recordingId,
        mediaDeletion: null,
        $or: [{ 'original.key': key }, { 'playback.key': key }],
      });
      return { line: isNamed ? { key, mediaType, part: null } : null };
    }
  };
  const lines = async function* () {
    const named = recordings ? namedObjects(folder, recordings) : [];
    // Streams can't carry null.
    const copied: AsyncIterable<{ line: ObjectLine | null }> = Readable.from(named).map(copy, { concurrency });
    for await (const { line } of copied) {
      if (line === null) continue;
      if (line.part === null) missing.push(line.key);
      else {
        count += 1;
        sizeBytesInAll += line.part.sizeBytes;
      }
      yield Buffer.from(`${JSON.stringify(line)}\n`);
    }
  };
  const part = await writePart(folder, 'objects.jsonl.gz', lines(), { gzip: true });
  return { ...part, count, sizeBytesInAll, missing };
}
