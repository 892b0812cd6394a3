import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AuditEntry, type AuditFilter, auditRoutes } from '@interview-prep/contracts/audit/audit';
import { AuditAction } from '@interview-prep/contracts/audit/audit-event';
import type { ChainedEntry } from '@interview-prep/kit/audit/audit-chain';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import type { UserModel } from '../users/model.ts';

const isId = (text: string) => /^[0-9a-f]{24}$/.test(text);

/** Routine sign-ins and sign-outs. */
const signInActions = AuditAction.options.filter((action) => /^sign-(in|out)/.test(action));

/**
 * The filter of entries in MongoDB.
 * @param before only entries before this position
 * @returns null if the user is unknown
 */
async function entryFilter(
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

/** The id of the user whom an entry is about, if any. */
const targetUser = ({ target }: ChainedEntry) => (target?.startsWith('user:') ? target.slice('user:'.length) : null);

/** The id of the group that an entry is about, if any. */
const groupOf = ({ target, details }: ChainedEntry) =>
  target?.startsWith('group:') ? target.slice('group:'.length) : String(details.group ?? '') || null;

/** Adds the current emails of users and names of groups. */
async function presentEntries(
  entries: readonly ChainedEntry[],
  { users, groups: { groups } }: Pick<Auth, 'users' | 'groups'>,
): Promise<AuditEntry[]> {
  const named = entries.flatMap((entry) => [entry.actor, targetUser(entry)]);
  const ids = [...new Set(named)].filter((id) => id !== null && isId(id));
  const found = await users.find({ _id: trusted({ $in: ids }), deletedAt: null }, 'email').lean();
  const emails = new Map<string | null, string>(found.map(({ _id, email }) => [String(_id), email]));
  const groupIds = [...new Set(entries.map(groupOf))].filter((id) => id !== null && isId(id));
  const foundGroups = await groups.find({ _id: trusted({ $in: groupIds }) }, 'name').lean();
  const groupNames = new Map<string | null, string>(foundGroups.map(({ _id, name }) => [String(_id), name]));
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
      groupName: groupNames.get(groupOf(entry)) ?? null,
    };
  });
}

const columns = [
  'place',
  'at',
  'service',
  'action',
  'outcome',
  'actor',
  'actorEmail',
  'address',
  'target',
  'targetEmail',
  'groupName',
  'requestId',
  'details',
  'id',
] as const satisfies (keyof AuditEntry)[];

/** A quoted cell. Spreadsheets run text that starts with one of these characters as a formula. */
function cell(value: unknown): string {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${(/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

/** The header row. Source: RFC 4180. */
const csvHead = `${columns.join(',')}\r\n`;

function csvLine(entry: AuditEntry): string {
  return `${columns.map((column) => cell(entry[column])).join(',')}\r\n`;
}

/** How many entries the CSV export reads per query. */
const batchSize = 500;

export function serveAudit(
  server: RouteServer,
  auth: Pick<Auth, 'auditLog' | 'users' | 'groups' | 'requireFreshSignIn'>,
): void {
  const {
    auditLog: { entries },
    users,
    requireFreshSignIn,
  } = auth;
  /** @param before only entries before this position */
  const readPage = async (filter: AuditFilter, limit: number, before?: number) => {
    const where = await entryFilter(filter, users, before);
    if (where === null) return { entries: [], next: null };
    // Fetch one extra: if it exists, there is a next page.
    const found = await entries
      .find(where)
      .sort({ _id: -1 })
      .limit(limit + 1)
      .lean<ChainedEntry[]>();
    const page = await presentEntries(found.slice(0, limit), auth);
    return { entries: page, next: found.length > limit ? (page.at(-1)?.place ?? null) : null };
  };

  server.serve(auditRoutes.searchAuditEntries, async ({ body: { limit, before, ...filter } }) =>
    readPage(filter, limit, before),
  );

  server.serve(auditRoutes.exportAuditEntries, async ({ body, user, req, res }) => {
    // The export contains everyone's addresses and activity times.
    requireFreshSignIn(user);
    async function* lines() {
      yield csvHead;
      let next: number | null | undefined;
      while (next !== null) {
        const page = await readPage(body, batchSize, next);
        yield page.entries.map(csvLine).join('');
        next = page.next;
      }
    }
    res.set({
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="audit-log-${new Date().toISOString().slice(0, 10)}.csv"`,
      'Cache-Control': 'no-store',
    });
    await pipeline(Readable.from(lines()), res).catch((error: unknown) =>
      req.log.warn({ err: error }, 'an export of the audit log was aborted'),
    );
    return null;
  });
}
