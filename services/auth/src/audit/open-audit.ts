import { createReadStream } from 'node:fs';
import { appendFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { AuditEvent } from '@interview-prep/contracts/audit/audit-event';
import { auditIndexes, type ChainedEntry, hashEntry } from '@interview-prep/kit/audit/audit-chain';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { type Connection, type Model, Schema, trusted } from 'mongoose';
import type { AuthSettings } from '../config.ts';

type AuditEntryModel = Model<ChainedEntry>;

const schema = new Schema<ChainedEntry>(
  {
    _id: { type: Number, required: true },
    eventId: { type: String, required: true },
    at: { type: Date, required: true },
    service: { type: String, required: true },
    action: { type: String, required: true },
    outcome: { type: String, required: true },
    actor: { type: String, default: null },
    address: { type: String, default: null },
    target: { type: String, default: null },
    requestId: { type: String, default: null },
    details: { type: Object, default: {} },
    previous: { type: String, default: '' },
    hash: { type: String, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'entries', versionKey: false, minimize: false },
);

/** The audit log's collection, in the database `audit` beside auth's: auth's account may only read and insert. */
function auditEntryModel(connection: Connection): AuditEntryModel {
  const name = `${connection.name.replace(/auth$/, '')}audit`;
  return connection.useDb(name, { useCache: true }).model<ChainedEntry>('AuditEntry', schema);
}

const keptMs = 365 * 24 * 60 * 60_000;

/** Far longer than the longest line. */
const tailBytes = 64 * 1024;

/** An entry as a line of JSON; `type` distinguishes it from other lines of the log. */
function lineOf({ _id: place, eventId: id, at, ...event }: ChainedEntry): string {
  return `${JSON.stringify({ type: 'audit', place, id, at: at.toISOString(), ...event })}\n`;
}

/** The position of a file's last complete line; null for a new file. */
async function lastPlace(path: string): Promise<number | null> {
  const size = (await stat(path).catch(() => null))?.size ?? 0;
  if (size === 0) return null;
  let last: number | null = null;
  for await (const line of createInterface({
    input: createReadStream(path, { start: Math.max(0, size - tailBytes) }),
  })) {
    const place = /^\{"type":"audit","place":(\d+),.*\}$/.exec(line)?.[1];
    if (place) last = Number(place);
  }
  return last;
}

/**
 * Writes new entries as lines of JSON, for a collector.
 * @param destination `stdout`, or the path of a file. The file is first brought up to date with the log.
 * @throws the file system's error if the file can't be written
 */
export async function writeAuditLines(
  destination: string,
  entries: AuditEntryModel,
): Promise<(entry: ChainedEntry) => Promise<void>> {
  const write = async (text: string) => {
    if (destination === 'stdout') process.stdout.write(text);
    else await appendFile(destination, text, { mode: 0o600 });
  };
  if (destination !== 'stdout') {
    const written = await lastPlace(destination);
    // A crash may have truncated the last line: start a new one.
    await write(written === null ? '' : '\n');
    const missed = entries.find({ _id: trusted({ $gt: written ?? 0 }) }).sort({ _id: 1 });
    for await (const entry of missed.lean<ChainedEntry[]>().cursor()) await write(lineOf(entry as ChainedEntry));
  }
  return (entry) => write(lineOf(entry));
}

/**
 * Creates the collection with its indexes, if missing, in one command. The service's account may do no more: a TTL index
 * could delete entries.
 */
async function buildIndexes(entries: AuditEntryModel): Promise<void> {
  const { collection } = entries;
  const existing = await collection.indexes().catch((error: Error & { codeName?: string }) => {
    if (error.codeName === 'NamespaceNotFound') return [];
    throw error;
  });
  if (existing.length > 0) return;
  await collection.createIndexes(auditIndexes.map(({ key, ...options }) => ({ key: { ...key }, ...options })));
}

/** The audit log of user actions in all services. Append-only. */
export interface AuditLog {
  readonly entries: AuditEntryModel;
  /** Appends an event to the chain. Idempotent. */
  append(event: AuditEvent): Promise<void>;
}

/**
 * Opens the audit log in the database beside auth's, and its JSON lines for a collector. MongoDB deletes an entry a year after it was
 * added, and never before older ones.
 */
export async function openAudit(mongo: Connection, { AUDIT_LOG }: Pick<AuthSettings, 'AUDIT_LOG'>): Promise<AuditLog> {
  const entries = auditEntryModel(mongo);
  await buildIndexes(entries);
  const forward = AUDIT_LOG === undefined ? undefined : await writeAuditLines(AUDIT_LOG, entries);
  return {
    entries,
    async append({ id: eventId, ...event }) {
      const at = new Date(event.at);
      for (;;) {
        if (await entries.exists({ eventId })) return;
        const last = await entries.findOne({}, 'hash expiresAt').sort({ _id: -1 }).lean();
        const expiresAt = new Date(Math.max(Date.now() + keptMs, last?.expiresAt.getTime() ?? 0));
        const place = { ...event, eventId, at, expiresAt, _id: (last?._id ?? 0) + 1, previous: last?.hash ?? '' };
        const entry = { ...place, hash: hashEntry(place) };
        try {
          await entries.create(entry);
          await forward?.(entry);
          return;
        } catch (error) {
          // Another process added this event, or took this position.
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },
  };
}
