import type {
  GroupsQuery,
  HistoryGroup,
  HistoryQuery,
  HistorySummary,
} from '@interview-prep/contracts/history/history';
import { parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';
import { isFeedbackShown } from '@interview-prep/contracts/recording/assignments';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { afterPlace, decodeCursor, encodeCursor } from '@interview-prep/kit/mongo/keyset';
import { trusted } from 'mongoose';
import type { z } from 'zod';
import { questionHashOf } from '../projection/count-question.ts';
import type { HistoryModels, RecordingEntry, SessionEntry } from '../projection/model.ts';

/** The maximum number of takes returned. */
const takesMax = 20;

/** A take with its session. */
interface FoundTake {
  recording: RecordingEntry;
  session: Pick<SessionEntry, '_id' | 'setId' | 'title' | 'technology' | 'sources' | 'assignment' | 'userId'>;
}

/**
 * A user's newest takes of a question in all their interviews, oldest first. Questions are the same if their texts match,
 * ignoring a leading number. A follow-up question belongs only to its own interview.
 */
export async function findTakes(
  { _id, userId, questions, followUps }: Pick<SessionEntry, '_id' | 'userId' | 'questions' | 'followUps'>,
  questionId: number,
  { sessions, recordings }: HistoryModels,
): Promise<FoundTake[]> {
  const isFollowUp = parentQuestionOf({ followUps }, questionId) !== undefined;
  const wanted = isFollowUp
    ? { entryId: _id, questionId }
    : { userId, questionHash: questionHashOf(questions[questionId] ?? '') };
  const takes = await recordings
    .find({ ...wanted, deleted: trusted({ $ne: true }) })
    .sort(isFollowUp ? { take: -1 } : { answeredAt: -1 })
    .limit(takesMax)
    .lean();
  const ids = trusted({ $in: takes.map(({ entryId }) => entryId) });
  const found = await sessions.find({ _id: ids }).select('userId setId title technology sources assignment').lean();
  return takes.reverse().flatMap((recording) => {
    const session = found.find(({ _id }) => _id.equals(recording.entryId));
    return session ? [{ recording, session }] : [];
  });
}

/** The sessions that a viewer may list: everyone's without `userId`. */
export interface Scope {
  listKind: SessionKind;
  userId?: string;
}

/** A page of sessions, newest first; `total` counts all pages. */
interface SessionPage {
  entries: ListedSession[];
  nextCursor: string | null;
  total: number;
  /** On the first page of one user's sessions. */
  summary?: HistorySummary;
}

/** The fields of a session that lists need. */
export type ListedSession = Omit<SessionEntry, 'expertAnswers' | 'answers'>;

type Filter = Pick<HistoryQuery, 'email' | 'text' | 'from' | 'to' | 'technology'>;

/** Reads one page by keyset. A deep page costs as much as the first. */
export async function listSessions(
  scope: Scope,
  query: Filter & Pick<HistoryQuery, 'limit' | 'cursor'>,
  models: HistoryModels,
): Promise<SessionPage> {
  const { email, ...filter } = query;
  const after = query.cursor ? [afterPlace(decodeCursor(query.cursor))] : [];
  const groups = await countGroups(scope, query, 'technology', models);
  const total = sumOf(groups, ({ count }) => count);
  if (total === 0) return { entries: [], nextCursor: null, total };

  const found = await models.sessions
    .find({ ...matchSessions(scope, filter, after), ...(await usersFilter(scope, query, models.totals)) })
    .select({ expertAnswers: 0, answers: 0 })
    .sort({ createdAt: -1, _id: -1 })
    .limit(query.limit + 1)
    .lean<ListedSession[]>();
  const entries = found.slice(0, query.limit);
  const last = entries.at(-1);
  return {
    entries,
    nextCursor: found.length > query.limit && last ? encodeCursor(last) : null,
    total,
    ...(scope.userId && !query.cursor && { summary: await summarizeSessions(scope, filter, models) }),
  };
}

const byKey = (a: string, b: string) => a.localeCompare(b, 'en');

/** Counts sessions by email or technology, sorted by that key: all groups, or one page of them. */
export async function groupSessions(
  scope: Scope,
  { by, limit = Number.POSITIVE_INFINITY, cursor, ...filter }: z.infer<typeof GroupsQuery>,
  models: HistoryModels,
): Promise<{ groups: HistoryGroup[]; nextCursor: string | null }> {
  const after = cursor && Buffer.from(cursor, 'base64url').toString().slice(1);
  const groups = (await countGroups(scope, filter, by, models))
    .map(({ _id, count, latest }) => ({ key: _id, count, latest: latest.toISOString() }))
    .filter(({ key }) => after === undefined || byKey(key, after) > 0)
    .sort((a, b) => byKey(a.key, b.key));
  const last = groups[limit] && groups[limit - 1];
  return {
    groups: groups.slice(0, limit),
    // The key is '' for unknown users.
    nextCursor: last ? Buffer.from(`.${last.key}`).toString('base64url') : null,
  };
}

/** Adds up the totals of each group. Reads sessions only if a filter depends on their contents. */
function countGroups(
  scope: Scope,
  filter: Filter,
  by: 'email' | 'technology',
  { sessions, totals }: HistoryModels,
): Promise<{ _id: string; count: number; latest: Date }[]> {
  const keys = (email: string) => (by === 'email' ? { $ifNull: [email, ''] } : '$technology');
  if (contentFilters(scope, filter).length > 0) {
    return sessions.aggregate([
      { $match: matchSessions(scope, filter) },
      { $group: { _id: keys('$user.email'), count: { $sum: 1 }, latest: { $max: '$createdAt' } } },
    ]);
  }
  return totals.aggregate([
    { $match: matchTotals(scope, filter) },
    { $group: { _id: keys('$email'), count: { $sum: '$count' }, latest: { $max: '$latest' } } },
  ]);
}

/** Conditions on a session's set, questions and time, and on its user if the scope includes other users. */
function contentFilters({ userId }: Scope, { text, from, to }: Filter) {
  const pattern = text && containing(text);
  const places = ['title', 'sources.title', 'questions', ...(userId ? [] : ['user.email'])];
  return [
    ...(pattern ? [{ $or: places.map((place) => ({ [place]: pattern })) }] : []),
    ...(from ? [{ createdAt: trusted({ $gte: new Date(from) }) }] : []),
    ...(to ? [{ createdAt: trusted({ $lt: new Date(to) }) }] : []),
  ];
}

function matchSessions(scope: Scope, filter: Filter, after: object[] = []) {
  const all = [...contentFilters(scope, filter), ...after];
  return {
    ...scope,
    ...(filter.technology ? { technology: filter.technology } : {}),
    ...(filter.email ? { 'user.email': containing(filter.email) } : {}),
    ...(all.length > 0 ? { $and: all } : {}),
  };
}

/** The number of newest sessions that a summary includes. */
const summarizedMax = 1000;

async function summarizeSessions(scope: Scope, filter: Filter, { sessions }: HistoryModels): Promise<HistorySummary> {
  const found = await sessions
    .find(matchSessions(scope, filter))
    .sort({ createdAt: -1, _id: -1 })
    .limit(summarizedMax)
    .select('answeredCount results assignment')
    .lean<Pick<SessionEntry, 'answeredCount' | 'results' | 'assignment'>[]>();
  const results = found.flatMap((session) => session.results ?? []);
  // Scores with unreleased feedback don't count.
  const judged = found.flatMap((session) => (isFeedbackShown(session.assignment) ? (session.results ?? []) : []));
  const judgedCount = sumOf(judged, (result) => result.judgedCount);
  const earned = sumOf(judged, (result) => (result.average ?? 0) * result.judgedCount);
  return {
    answeredCount: sumOf(found, (session) => session.answeredCount),
    judgedCount,
    average: judgedCount === 0 ? null : Math.round(earned / judgedCount),
    spokenMs: sumOf(results, (result) => result.spokenMs),
  };
}

function sumOf<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}

const matchTotals = (scope: Scope, { email, technology }: Filter) => ({
  ...scope,
  ...(technology ? { technology } : {}),
  ...(email ? { email: containing(email) } : {}),
});

/** Matches texts that contain this one, ignoring case. Escapes special characters. */
const containing = (text: string) =>
  new RegExp(
    text.replace(/[^\w\u0080-\uffff]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`),
    'i',
  );

/** Up to this many users, MongoDB merges their sessions in index order without sorting. */
const maxUsersInFilter = 100;

/**
 * Turns an email search into user ids if few users match, so that the index on users finds their sessions. If many match,
 * scanning the newest sessions fills a page quickly.
 */
async function usersFilter(scope: Scope, query: Filter, totals: HistoryModels['totals']) {
  if (scope.userId || !query.email) return {};
  const users = await totals.aggregate<{ _id: string }>([
    { $match: matchTotals(scope, query) },
    { $group: { _id: '$userId' } },
    { $limit: maxUsersInFilter + 1 },
  ]);
  if (users.length > maxUsersInFilter) return { 'user.email': containing(query.email) };
  return { userId: trusted({ $in: users.map(({ _id }) => _id) }) };
}
