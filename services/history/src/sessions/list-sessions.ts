import type { GroupsQuery, HistoryGroup, HistoryQuery } from '@interview-prep/contracts/history/history';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { afterPlace, decodeCursor, encodeCursor } from '@interview-prep/kit/mongo/keyset';
import { trusted } from 'mongoose';
import type { z } from 'zod';
import type { HistoryModels, SessionEntry } from '../projection/model.ts';

/** The sessions that a viewer may list; without `userId` everyone's. */
export interface Scope {
  listKind: SessionKind;
  userId?: string;
}

/** A page of sessions, newest first; `total` counts all pages. */
export interface SessionPage {
  entries: ListedSession[];
  nextCursor: string | null;
  total: number;
}

/** A session as lists read it. */
export type ListedSession = Omit<SessionEntry, 'expertAnswers'>;

/** Reads one page by keyset, and adds the total up from `totals`. A deep page costs as much as the first. */
export async function listSessions(
  scope: Scope,
  query: Pick<HistoryQuery, 'email' | 'technology' | 'limit' | 'cursor'>,
  { sessions, totals }: HistoryModels,
): Promise<SessionPage> {
  const place = query.cursor ? decodeCursor(query.cursor) : null;
  const matching = matchTotals(scope, query);
  const [sum] = await totals.aggregate<{ total: number }>([
    { $match: matching },
    { $group: { _id: null, total: { $sum: '$count' } } },
  ]);
  if (!sum) return { entries: [], nextCursor: null, total: 0 };

  const filter = {
    listKind: scope.listKind,
    ...(await usersFilter(scope, query, totals)),
    ...(query.technology ? { technology: query.technology } : {}),
    ...(place ? afterPlace(place) : {}),
  };
  const found = await sessions
    .find(filter)
    .select({ expertAnswers: 0 })
    .sort({ createdAt: -1, _id: -1 })
    .limit(query.limit + 1)
    .lean<ListedSession[]>();
  const entries = found.slice(0, query.limit);
  const last = entries.at(-1);
  return { entries, nextCursor: found.length > query.limit && last ? encodeCursor(last) : null, total: sum.total };
}

/** Counts sessions by email or technology, in the order of that key. */
export async function groupSessions(
  scope: Scope,
  { by, email }: z.infer<typeof GroupsQuery>,
  { totals }: HistoryModels,
): Promise<HistoryGroup[]> {
  const key = by === 'email' ? { $ifNull: ['$email', ''] } : '$technology';
  const groups = await totals.aggregate<{ _id: string; count: number; latest: Date }>([
    { $match: matchTotals(scope, { email }) },
    { $group: { _id: key, count: { $sum: '$count' }, latest: { $max: '$latest' } } },
  ]);
  return groups
    .map(({ _id, count, latest }) => ({ key: _id, count, latest: latest.toISOString() }))
    .sort((a, b) => a.key.localeCompare(b.key, 'en'));
}

/** Matches the totals of a query's sessions. */
const matchTotals = (scope: Scope, { email, technology }: Pick<HistoryQuery, 'email' | 'technology'>) => ({
  ...scope,
  ...(technology ? { technology } : {}),
  ...(email ? { email: containing(email) } : {}),
});

/** Matches texts that contain this one, in any case. Characters with a meaning in a pattern are escaped. */
const containing = (text: string) =>
  new RegExp(
    text.replace(/[^\w\u0080-\uffff]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`),
    'i',
  );

/** MongoDB merges the sessions of this many users in order by the index on users, without sorting. */
const maxUsersInFilter = 100;

/**
 * Turns an email search into user ids where few users match: the index on users then finds their sessions. Where many
 * match, reading the newest sessions and comparing emails soon fills a page.
 */
async function usersFilter(
  scope: Scope,
  query: Pick<HistoryQuery, 'email' | 'technology'>,
  totals: HistoryModels['totals'],
) {
  if (scope.userId) return { userId: scope.userId };
  if (!query.email) return {};
  const users = await totals.aggregate<{ _id: string }>([
    { $match: matchTotals(scope, query) },
    { $group: { _id: '$userId' } },
    { $limit: maxUsersInFilter + 1 },
  ]);
  if (users.length > maxUsersInFilter) return { 'user.email': containing(query.email) };
  return { userId: trusted({ $in: users.map(({ _id }) => _id) }) };
}
