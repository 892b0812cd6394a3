import type { Installation } from './installation.ts';
import type { CollectionPart } from './manifest.ts';
import { writePart } from './part-files.ts';

/** Not copied: keys and tokens, since a restore ends all sign-ins, and locks. */
const leftOut = new Set(['signing_keys', 'revoked_tokens', 'sign_ins', 'migrationLocks']);

/**
 * `recordings` is copied first: a recording's session is written before it, so it is there when sessions are copied.
 * `deletions` is copied last: it names whatever was deleted meanwhile, and a restore carries it out again.
 */
const ranks: Readonly<Record<string, number>> = { recordings: -1, deletions: 1 };
const rankOf = (collection: string): number => ranks[collection] ?? 0;

/** Copies the collections of one service's database into a backup. */
export async function copyDatabase(
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
export async function migrationsOf(
  { mongo, databaseName }: Pick<Installation, 'mongo' | 'databaseName'>,
  database: CollectionPart['database'],
): Promise<string[]> {
  const records = await mongo.db(databaseName(database)).collection('migrations').find().toArray();
  return records.map(({ _id }) => String(_id));
}
