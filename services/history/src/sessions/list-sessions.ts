import type { GroupsQuery, HistoryGroup, HistoryQuery } from '@interview-prep/contracts/history';
import type { SessionKind } from '@interview-prep/contracts/recordings';
import { afterPlace, decodeCursor, encodeCursor } from '@interview-prep/kit/keyset';
import { trusted } from 'mongoose';
import type { z } from 'zod';
import type { HistoryModels, SessionEntry, Total } from './model.ts';

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

/** Reads a page by keyset; the total comes from the maintained counts, so neither grows with the depth of the page. */
export async function listSessions(
  scope: Scope,
  query: Pick<HistoryQuery, 'email' | 'technology' | 'limit' | 'cursor'>,
  { sessions, totals }: HistoryModels,
): Promise<SessionPage> {
  const place = query.cursor ? decodeCursor(query.cursor) : null;
  const cells = await matchingTotals(scope, query, totals);
  const total = cells.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return { entries: [], nextCursor: null, total: 0 };

  const filter = {
    listedAs: scope.listedAs,
    ...usersFilter(scope, query, cells),
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
  return { entries, nextCursor: found.length > query.limit && last ? encodeCursor(last) : null, total };
}

/** Sessions counted by email or by technology, by key. */
export async function groupSessions(
  scope: Scope,
  { by, email }: z.infer<typeof GroupsQuery>,
  { totals }: HistoryModels,
): Promise<HistoryGroup[]> {
  const groups = new Map<string, { count: number; latest: Date }>();
  for (const cell of await matchingTotals(scope, { email }, totals)) {
    const key = by === 'email' ? (cell.email ?? '') : cell.technology;
    const group = groups.get(key);
    groups.set(key, {
      count: (group?.count ?? 0) + cell.count,
      latest: group && group.latest > cell.latest ? group.latest : cell.latest,
    });
  }
  return [...groups]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([key, { count, latest }]) => ({ key, count, latest: latest.toISOString() }));
}

async function matchingTotals(
  scope: Scope,
  { email, technology }: { email?: string | undefined; technology?: string | undefined },
  totals: HistoryModels['totals'],
): Promise<Total[]> {
  const wanted = email?.toLowerCase();
  const cells = await totals.find({ ...scope, ...(technology ? { technology } : {}) }).lean();
  return wanted ? cells.filter((cell) => cell.email?.toLowerCase().includes(wanted)) : cells;
}

/** An email search names its users by id: the index on users answers it, where a pattern would walk through all sessions. */
function usersFilter({ userId }: Scope, { email }: Pick<HistoryQuery, 'email'>, cells: readonly Total[]) {
  if (userId) return { userId };
  if (!email) return {};
  return { userId: trusted({ $in: [...new Set(cells.map((cell) => cell.userId))] }) };
}
