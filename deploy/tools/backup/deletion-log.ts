import { appendFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BSON } from 'mongodb';
import type { Installation } from './installation.ts';

/**
 * The record of deletions: the recording service's log, and auth's list of deleted users. It contains neither names nor spoken
 * words.
 */
const logs = [
  { database: 'recording', collection: 'deletions', filter: {}, reset: { passes: 0, unpublished: true } },
  {
    database: 'auth',
    collection: 'users',
    filter: { eraseData: true },
    reset: { unpublished: true, denylistPending: true },
  },
] as const;

interface LogLine {
  database: (typeof logs)[number]['database'];
  document: BSON.Document;
}

const fileName = 'deletions.jsonl';

/** The file next to the backups. It also lists deletions after older backups were made. */
const fileBeside = (backup: string): string => join(dirname(backup), fileName);

async function readFileBeside(backup: string): Promise<LogLine[]> {
  const text = await readFile(fileBeside(backup), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => BSON.EJSON.parse(line, { relaxed: false }) as LogLine);
}

async function readInstallation({ mongo, databaseName }: Installation): Promise<LogLine[]> {
  const found = logs.map(async ({ database, collection, filter }) => {
    const documents = await mongo
      .db(databaseName(database))
      .collection(collection)
      .find(filter, { promoteValues: false })
      .toArray();
    return documents.map((document) => ({ database, document }));
  });
  return (await Promise.all(found)).flat();
}

const idOf = ({ database, document }: LogLine): string => `${database} ${String(document._id)}`;

/** Adds the deletions of an installation to the file next to its backups. */
export async function extendDeletionLog(installation: Installation, backup: string): Promise<void> {
  const known = new Set((await readFileBeside(backup)).map(idOf));
  const added = (await readInstallation(installation)).filter((line) => !known.has(idOf(line)));
  const text = added.map((line) => `${BSON.EJSON.stringify(line, { relaxed: false })}\n`).join('');
  if (text !== '') await appendFile(fileBeside(backup), text, { mode: 0o600, flush: true });
}

/**
 * All deletions known before a restore: from the file next to the backup, and from the installation to be replaced. The
 * latter are first written to the file, in case the restore is interrupted and retried.
 */
export async function knownDeletions(installation: Installation, backup: string): Promise<LogLine[]> {
  await extendDeletionLog(installation, backup);
  return readFileBeside(backup);
}

/** Writes deletions into restored databases as if they had just been requested: the services carry them out on startup. */
export async function replayDeletions({ mongo, databaseName }: Installation, deletions: LogLine[]): Promise<void> {
  for (const { database, collection, reset } of logs) {
    const target = mongo.db(databaseName(database)).collection(collection);
    for (const { document } of deletions.filter((line) => line.database === database)) {
      await target.replaceOne({ _id: document._id }, document, { upsert: true });
    }
    const filter = database === 'auth' ? { eraseData: true } : {};
    const due = database === 'recording' ? { nextPassAt: new Date() } : {};
    await target.updateMany(filter, { $set: { ...reset, ...due }, $inc: { revision: 1 } });
  }
}
