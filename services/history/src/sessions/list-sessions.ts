import type { GroupsQuery, HistoryGroup, HistoryQuery } from '@interview-prep/contracts/history';
import type { SessionKind } from '@interview-prep/contracts/recordings';
import { afterPlace, decodeCursor, encodeCursor } from '@interview-prep/kit/keyset';
import { trusted } from 'mongoose';
import type { z } from 'zod';
import type { HistoryModels, SessionEntry } from './model.ts';

/** The sessions that a query asks for: `userId` narrows to one user, `email` is a substring. */
interface Scope {
  listedAs: SessionKind;
  userId?: string;
}

/** A page of sessions, newest first, with the number of all. */
export interface SessionPage {
  entries: ListedSession[];
  nextCursor: string | null;
  total: number;
}

/** A session as lists know it: without the expert's answers. */
export type ListedSession = Omit<SessionEntry, 'expertAnswers'>;

/** Reads a page by keyset; the total is summed from the maintained counts, so neither grows with the depth of the page. */
export async function listSessions(
  scope: Scope,
  query: Pick<HistoryQuery, 'email' | 'technology' | 'limit' | 'cursor'>,
  { sessions, totals }: HistoryModels,
): Promise<SessionPage> {
  const place = query.cursor ? decodeCursor(query.cursor) : null;
  const cells = cellsOf(scope, query);
  const [sum] = await totals.aggregate<{ total: number }>([
    { $match: cells },
    { $group: { _id: null, total: { $sum: '$count' } } },
  ]);
  if (!sum) return { entries: [], nextCursor: null, total: 0 };

  const filter = {
    listedAs: scope.listedAs,
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

/** Sessions counted by email or by technology, by key. */
export async function groupSessions(
  scope: Scope,
  { by, email }: z.infer<typeof GroupsQuery>,
  { totals }: HistoryModels,
): Promise<HistoryGroup[]> {
  const key = by === 'email' ? { $ifNull: ['$email', ''] } : '$technology';
  const groups = await totals.aggregate<{ _id: string; count: number; latest: Date }>([
    { $match: cellsOf(scope, { email }) },
    { $group: { _id: key, count: { $sum: '$count' }, latest: { $max: '$latest' } } },
  ]);
  return groups
    .map(({ _id, count, latest }) => ({ key: _id, count, latest: latest.toISOString() }))
    .sort((a, b) => a.key.localeCompare(b.key, 'en'));
}

/** The totals that a query is about. */
const cellsOf = (scope: Scope, { email, technology }: Pick<HistoryQuery, 'email' | 'technology'>) => ({
  ...scope,
  ...(technology ? { technology } : {}),
  ...(email ? { email: containing(email) } : {}),
});

/** What contains a text, in any case. Whatever may mean something in a pattern stands as its ASCII code. */
const containing = (text: string) =>
  new RegExp(
    text.replace(/[^\w\u0080-\uffff]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`),
    'i',
  );

/** As many users' sessions MongoDB reads in order, by the index on users, without sorting them. */
const mostNamed = 100;

/**
 * An email search that finds few users names them: the index on users answers it. One that finds many meets them soon
 * while it walks through the sessions, newest first.
 */
async function usersFilter(
  scope: Scope,
  query: Pick<HistoryQuery, 'email' | 'technology'>,
  totals: HistoryModels['totals'],
) {
  if (scope.userId) return { userId: scope.userId };
  if (!query.email) return {};
  const users = await totals.aggregate<{ _id: string }>([
    { $match: cellsOf(scope, query) },
    { $group: { _id: '$userId' } },
    { $limit: mostNamed + 1 },
  ]);
  if (users.length > mostNamed) return { 'user.email': containing(query.email) };
  return { userId: trusted({ $in: users.map(({ _id }) => _id) }) };
}
