import { createHash } from 'node:crypto';
import type { AuditEvent } from '@interview-prep/contracts/audit/audit-event';

/** An event in the log. `hash` covers the entry and the previous entry's hash, so that tampering is detectable. */
export interface ChainedEntry extends Omit<AuditEvent, 'id' | 'at'> {
  /** The position in the chain: 1, 2, 3, … */
  _id: number;
  /** The event's id: each event is stored once. */
  eventId: string;
  at: Date;
  /** When MongoDB deletes it, always in chain order. The service's own account has no permission to delete. */
  expiresAt: Date;
  /** The previous entry's hash; `''` for the first. */
  previous: string;
  hash: string;
}

/** The indexes of the log. MongoDB deletes expired entries. */
export const auditIndexes = [
  { key: { eventId: 1 }, unique: true },
  { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  { key: { actor: 1, _id: -1 } },
  { key: { action: 1, _id: -1 } },
  { key: { target: 1, _id: -1 } },
] as const;

/** The fields that the hash covers, in this order. */
const hashedFields = [
  '_id',
  'eventId',
  'at',
  'service',
  'action',
  'outcome',
  'actor',
  'address',
  'target',
  'requestId',
  'details',
  'expiresAt',
  'previous',
] as const;

/** SHA-256 of an entry and its predecessor's hash, in hexadecimal. */
export function hashEntry(entry: Pick<ChainedEntry, (typeof hashedFields)[number]>): string {
  const details = Object.entries(entry.details).sort(([a], [b]) => (a < b ? -1 : 1));
  const values = hashedFields.map((field) => (field === 'details' ? details : entry[field]));
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}

/** A position with its hash, such as `17:9f86…`. A copy kept elsewhere can later prove that the log up to there is unchanged. */
export function markOf({ _id, hash }: Pick<ChainedEntry, '_id' | 'hash'>): string {
  return `${_id}:${hash}`;
}

/**
 * Checks the entries of a log in order.
 * @param noted a mark that was noted earlier
 * @returns the number of entries, the first one, the mark of the last one, and the faults, one per line. A chain can't show
 * whether entries before the first one expired or were removed: suspect removal if the first one is far from expiring
 */
export async function checkChain(
  entries: AsyncIterable<ChainedEntry>,
  noted?: string,
): Promise<{ count: number; first: ChainedEntry | null; mark: string | null; problems: string[] }> {
  const problems: string[] = [];
  let count = 0;
  let first: ChainedEntry | null = null;
  let last: ChainedEntry | undefined;
  let hasNoted = false;
  for await (const entry of entries) {
    count += 1;
    first ??= entry;
    if (last && entry._id !== last._id + 1) problems.push(`after ${last._id} comes ${entry._id}: entries are missing`);
    else if (last && entry.previous !== last.hash) problems.push(`${entry._id} does not follow ${last._id}`);
    if (entry._id === 1 && entry.previous !== '') problems.push('1 follows something');
    if (entry.hash !== hashEntry(entry)) problems.push(`${entry._id} was changed`);
    hasNoted ||= markOf(entry) === noted;
    last = entry;
  }
  if (noted !== undefined && !hasNoted) problems.push(`no entry has the mark ${noted}`);
  return { count, first, mark: last ? markOf(last) : null, problems };
}
