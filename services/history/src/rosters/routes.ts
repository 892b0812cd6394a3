import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { expertSentence } from '@interview-prep/contracts/catalog/expert-sentence';
import {
  type MemberAnswer,
  type MemberSession,
  type Overruled,
  type RosterRow,
  rosterRoutes,
} from '@interview-prep/contracts/history/rosters';
import { askedQuestionsOf } from '@interview-prep/contracts/recording/asked-questions';
import { newestTakes } from '@interview-prep/contracts/recording/newest-takes';
import { stateOf } from '@interview-prep/contracts/recording/point-states';
import { withoutReviewers } from '@interview-prep/contracts/recording/recordings';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { type QueryFilter, trusted } from 'mongoose';
import { isPending } from '../projection/count-session.ts';
import type { HistoryModels, RecordingEntry, SessionEntry } from '../projection/model.ts';
import { readQuestions } from './read-questions.ts';

const rounded = (score: number | null | undefined) => (typeof score === 'number' ? Math.round(score) : null);

/** The fields of a session that a row of the roster needs. */
const fields = [
  'userId',
  'kind',
  'setId',
  'createdAt',
  'questions',
  'askedQuestions',
  'followUps',
  'answeredQuestions',
  'answeredCount',
  'pendingCount',
  'averageCorrectness',
  'reviewedCount',
  'results',
  'assignment',
] as const;
type TakenSession = Pick<SessionEntry, '_id' | (typeof fields)[number]>;

/** Serves a group's results for an assignment to its coaches and admins. */
export function serveRosters(routes: RouteServer, { models }: { models: HistoryModels }): void {
  /** Matches the sessions of current members for one assignment, or for all assignments of a group. */
  const sessionsFor = async (groupId: string, assignmentId: string | null, user: TokenClaims) => {
    const { members } = await models.groups.requireCoach(groupId, user);
    return {
      ...(assignmentId === null ? {} : { 'assignment.assignmentId': assignmentId }),
      'assignment.groupId': groupId,
      userId: trusted({ $in: members }),
    };
  };

  routes.serve(rosterRoutes.roster, async ({ params: { groupId, assignmentId }, user }) => {
    const sessions = await models.sessions
      .find(await sessionsFor(groupId, assignmentId, user))
      .select([...fields])
      .sort({ createdAt: 1 })
      .lean<TakenSession[]>();
    return { rows: [...Map.groupBy(sessions, ({ userId }) => userId)].map(([userId, its]) => rowOf(userId, its)) };
  });
  routes.serve(rosterRoutes.overruled, async ({ params: { groupId }, user }) => ({
    overruled: await readOverruled(await sessionsFor(groupId, null, user), models),
  }));
  routes.serve(rosterRoutes.rosterQuestions, async ({ params: { groupId, assignmentId }, user }) => ({
    questions: await readQuestions(await sessionsFor(groupId, assignmentId, user), models),
  }));
  routes.serve(rosterRoutes.memberReport, async ({ params: { groupId, assignmentId, userId }, user }) => {
    const filter = await sessionsFor(groupId, assignmentId, user);
    const group = await models.groups.find(groupId);
    if (!group?.members.includes(userId)) throw notFound('Member not found');
    return { sessions: await readMember({ ...filter, userId }, user.role === 'admin', models) };
  });
}

async function readOverruled(filter: QueryFilter<SessionEntry>, { sessions }: HistoryModels): Promise<Overruled> {
  const figures = ['percentage', 'reviewed', 'machinePercentage'].map((name) => `answers.${name}`).join(' ');
  const found = await sessions.find(filter).select(figures).lean<Pick<SessionEntry, 'answers'>[]>();
  const scored = found.flatMap(({ answers = [] }) => answers).filter(({ percentage }) => percentage !== null);
  const reviewed = scored.filter((answer) => answer.reviewed);
  const changes = reviewed
    .map(({ percentage, machinePercentage }) => Math.abs((percentage ?? 0) - (machinePercentage ?? percentage ?? 0)))
    .filter((change) => change > 0);
  const sum = changes.reduce((total, change) => total + change, 0);
  return {
    scored: scored.length,
    reviewed: reviewed.length,
    changed: changes.length,
    points: changes.length > 0 ? Math.round(sum / changes.length) : null,
  };
}

/** @param sessions oldest first, at least one */
function rowOf(userId: string, sessions: readonly TakenSession[]): RosterRow {
  const newest = sessions.at(-1) as TakenSession;
  const scores = sessions.flatMap(({ averageCorrectness }) => averageCorrectness ?? []).map(Math.round);
  const isWhole = (session: TakenSession) =>
    session.answeredCount >= askedQuestionsOf(session, session.answeredQuestions ?? []).length;
  return {
    userId,
    takes: sessions.length,
    doneSetIds: [...new Set(sessions.filter(isWhole).map(({ setId }) => setId))],
    first: scores[0] ?? null,
    latest: scores.at(-1) ?? null,
    best: scores.length > 0 ? Math.max(...scores) : null,
    reviewedCount: sessions.reduce((sum, { reviewedCount = 0 }) => sum + reviewedCount, 0),
    pendingCount: sessions.reduce((sum, { pendingCount }) => sum + pendingCount, 0),
    spokenMs: sessions
      .flatMap(({ results = [] }) => results)
      .reduce((sum, { spokenMs }) => sum + Math.round(spokenMs), 0),
    late: sessions.some(({ assignment }) => assignment?.late === true),
    lastAt: newest.createdAt.toISOString(),
    newest: { kind: newest.kind, id: newest._id.toHexString() },
  };
}

/**
 * One member's sessions, oldest first.
 * @param seesAdmins whether to name admins who reviewed; coaches are always named
 */
async function readMember(
  filter: QueryFilter<SessionEntry>,
  seesAdmins: boolean,
  { sessions, recordings }: HistoryModels,
): Promise<MemberSession[]> {
  const found = await sessions.find(filter).sort({ createdAt: 1, _id: 1 }).lean();
  const takes = await recordings
    .find({ entryId: trusted({ $in: found.map(({ _id }) => _id) }), deleted: trusted({ $ne: true }) })
    .select('entryId questionId take snapshot')
    .lean();
  const bySession = Map.groupBy(takes, ({ entryId }) => entryId.toHexString());
  return found.map((session) => ({
    sessionId: session._id.toHexString(),
    kind: session.kind,
    title: session.title,
    createdAt: session.createdAt.toISOString(),
    late: session.assignment?.late === true,
    score: rounded(session.averageCorrectness),
    questionCount: askedQuestionsOf(session, session.answeredQuestions ?? []).length,
    answers: newestTakes(bySession.get(session._id.toHexString()) ?? []).map((take) =>
      answerOf(take, session, seesAdmins),
    ),
  }));
}

function answerOf({ questionId, snapshot }: RecordingEntry, session: SessionEntry, seesAdmins: boolean): MemberAnswer {
  const { correctnessPercentage, durationMs, delivery, chatGPTResponse } = snapshot;
  const assessment = seesAdmins ? snapshot.assessment : withoutReviewers(snapshot.assessment);
  return {
    questionId,
    question: withoutQuestionPrefix(session.questions[questionId] ?? ''),
    score: rounded(correctnessPercentage),
    machineScore: rounded(assessment.machine?.correctnessPercentage),
    pending: isPending(snapshot),
    durationMs,
    points: (assessment.points ?? []).map((point) => {
      const { before, point: text, after } = expertSentence(point.text, chatGPTResponse);
      return { text, before, after, state: stateOf(point) };
    }),
    delivery: delivery
      ? {
          wordsPerMinute: delivery.wordsPerMinute,
          fillers: delivery.fillers.length,
          pauses: delivery.pauses.length,
        }
      : null,
    engine: assessment.engine ?? null,
    review: assessment.review ?? null,
  };
}
