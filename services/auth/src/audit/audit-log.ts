import type { AuditEvent } from '@interview-prep/contracts/audit/audit-event';
import { type ChainedEntry, hashEntry } from '@interview-prep/kit/audit/audit-chain';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { AuditEntryModel } from './model.ts';

const keptMs = 365 * 24 * 60 * 60_000;

/** The log of what users of all services do. Entries are added, and never changed. */
export interface AuditLog {
  readonly entries: AuditEntryModel;
  /** Adds an event to the end of the chain, unless it is there already. */
  append(event: AuditEvent): Promise<void>;
}

/**
 * The audit log in `entries`. MongoDB deletes an entry a year after it was added, and never before older ones.
 * @param forward gets each new entry
 */
export function openAuditLog(entries: AuditEntryModel, forward?: (entry: ChainedEntry) => Promise<void>): AuditLog {
  const append: AuditLog['append'] = async ({ id: eventId, ...event }) => {
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
        // Another process has added this event, or another one in this place.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  };
  return { entries, append };
}
