import type { AuditEntry, AuditFilter } from '@interview-prep/contracts/audit/audit';
import { AuditAction } from '@interview-prep/contracts/audit/audit-event';
import type { ChainedEntry } from '@interview-prep/kit/audit/audit-chain';
import { trusted } from 'mongoose';
import type { UserModel } from '../users/model.ts';

const isId = (text: string) => /^[0-9a-f]{24}$/.test(text);

/** Those of everyday sign-ins and sign-outs. */
const signInActions = AuditAction.options.filter((action) => /^sign-(in|out)/.test(action));

/**
 * The filter of entries in MongoDB.
 * @param before only entries before this place
 * @returns null where the person is not known
 */
export async function entryFilter(
  { action, outcome, hidesSignIns, person, from, to }: AuditFilter,
  users: UserModel,
  before?: number,
): Promise<Record<string, unknown> | null> {
  const filter: Record<string, unknown> = {
    ...(action ? { action } : hidesSignIns ? { action: trusted({ $nin: signInActions }) } : {}),
    ...(outcome ? { outcome } : {}),
    ...(from || to
      ? { at: trusted({ ...(from ? { $gte: new Date(from) } : {}), ...(to ? { $lt: new Date(to) } : {}) }) }
      : {}),
    ...(before ? { _id: trusted({ $lt: before }) } : {}),
  };
  if (person === undefined) return filter;
  const user = isId(person) ? { _id: person } : await users.findOne({ email: person, deletedAt: null }, '_id').lean();
  if (!user) return null;
  return { ...filter, $or: [{ actor: String(user._id) }, { target: `user:${user._id}` }] };
}

/** The id of the user whom an entry is about; null where it is about something else. */
const targetUser = ({ target }: ChainedEntry) => (target?.startsWith('user:') ? target.slice('user:'.length) : null);

/** Adds the emails of users, as they are now. */
export async function presentEntries(entries: readonly ChainedEntry[], users: UserModel): Promise<AuditEntry[]> {
  const named = entries.flatMap((entry) => [entry.actor, targetUser(entry)]);
  const ids = [...new Set(named)].filter((id) => id !== null && isId(id));
  const found = await users.find({ _id: trusted({ $in: ids }), deletedAt: null }, 'email').lean();
  const emails = new Map<string | null, string>(found.map(({ _id, email }) => [String(_id), email]));
  return entries.map((entry) => {
    const { _id: place, eventId: id, at, previous: _previous, hash: _hash, expiresAt: _expiresAt, ...event } = entry;
    const actorEmail = emails.get(event.actor) ?? null;
    return {
      ...event,
      id,
      place,
      at: at.toISOString(),
      actorEmail,
      targetEmail: emails.get(targetUser(entry)) ?? null,
    };
  });
}
