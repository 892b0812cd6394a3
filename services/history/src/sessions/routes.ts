import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import {
  type HistoryQuery,
  historyRoutes,
  type InterviewDetail,
  type InterviewItem,
  type PracticeDetail,
  type PracticeItem,
} from '@interview-prep/contracts/history/history';
import { askedQuestionsOf } from '@interview-prep/contracts/recording/asked-questions';
import { hiddenFeedback, isFeedbackShown } from '@interview-prep/contracts/recording/assignments';
import { newestTakes } from '@interview-prep/contracts/recording/newest-takes';
import { reviewedParts, type SessionKind, withoutReviewers } from '@interview-prep/contracts/recording/recordings';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { versionOf } from '@interview-prep/kit/http/edit-version';
import { forbidden, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { MediaCookie, MediaTokens } from '@interview-prep/kit/tokens/media-tokens';
import { Types, trusted } from 'mongoose';
import { type HistoryModels, type RecordingEntry, type SessionEntry, sourceOf } from '../projection/model.ts';
import { findTakes, groupSessions, type ListedSession, listSessions, type Scope } from './list-sessions.ts';

/** The newest take of each of a session's questions, in order. Reads older takes only in entries of older projections. */
async function findNewestTakes(
  session: Pick<SessionEntry, '_id' | 'newestTakes'>,
  { recordings }: HistoryModels,
): Promise<RecordingEntry[]> {
  const wanted = session.newestTakes ? { _id: trusted({ $in: session.newestTakes }) } : { entryId: session._id };
  const takes = await recordings.find({ ...wanted, deleted: trusted({ $ne: true }) }).lean();
  return newestTakes(takes);
}

export interface HistoryDeps {
  models: HistoryModels;
  mediaTokens: MediaTokens;
  mediaCookie: MediaCookie;
  /** `own`: users see their own sessions, admins all. `all`: every signed-in user sees all. */
  visibility: 'own' | 'all';
}

type SignedInCall = Parameters<MediaCookie['allow']>[0] & { user: TokenClaims };

/** The user to whom a recording is presented. */
interface Reader {
  id: string;
  /** The ids of the groups they coach; null for admins, who see all. */
  coached: readonly string[] | null;
  /** The path of a recording's media. */
  linkTo(recordingId: string): string;
}

/** Serves the lists, groups and details of both kinds of session. */
export function serveSessions(
  routes: RouteServer,
  { models, mediaTokens, mediaCookie, visibility }: HistoryDeps,
): void {
  /** The filter for sessions that a viewer may see; empty for all. */
  const visibleTo = (viewer: TokenClaims): { userId?: string } =>
    viewer.role === 'admin' || visibility === 'all' ? {} : { userId: viewer.sub };
  const scopeOf = (listKind: SessionKind, viewer: TokenClaims): Scope => ({ listKind, ...visibleTo(viewer) });

  const readerOf = async (viewer: TokenClaims): Promise<Reader> => ({
    coached: viewer.role === 'admin' ? null : (await models.groups.of(viewer.sub, 'coaches')).map(({ _id }) => _id),
    linkTo: (recordingId) => mediaTokens.urlOf(recordingId, viewer),
    id: viewer.sub,
  });

  /** Sets the cookie with which the browser may play the recordings in the response. */
  const allowMedia = (call: Parameters<MediaCookie['allow']>[0], user: TokenClaims, recordings: RecordingEntry[]) => {
    const playable = recordings.filter(({ snapshot }) => !snapshot.mediaDeletion);
    mediaCookie.allow(
      call,
      playable.map(({ snapshot }) => snapshot.recordingId),
      user,
    );
  };

  /** Whether a session belongs to assigned work of a group with this coach, and the session's user is still a member. */
  const isCoachedBy = async ({ assignment, userId }: SessionEntry, coach: string) => {
    const group = assignment ? await models.groups.find(assignment.groupId) : null;
    return group?.coaches.includes(coach) === true && group.members.includes(userId);
  };

  const findGroups = async (kind: SessionKind, viewer: TokenClaims, query: Parameters<typeof groupSessions>[1]) => {
    if (query.by === 'email' && viewer.role === 'dev') throw forbidden('This view is not available for your role');
    return groupSessions(scopeOf(kind, viewer), query, models);
  };

  const findDetail = async (kind: SessionKind, id: Record<string, unknown>, { user, req, res }: SignedInCall) => {
    const found = await models.sessions.findOne({ ...id, kind }).lean();
    const { userId = found?.userId } = visibleTo(user);
    const session = found && (found.userId === userId || (await isCoachedBy(found, user.sub))) ? found : null;
    if (!session) throw notFound(kind === 'interview' ? 'Interview not found.' : 'Practice recording not found.');
    const recordings = await findNewestTakes(session, models);
    allowMedia({ req, res }, user, recordings);
    return { session, recordings };
  };

  const findInterviews = async (viewer: TokenClaims, filter: HistoryQuery) => {
    const { entries, ...page } = await listSessions(scopeOf('interview', viewer), filter, models);
    const reader = await readerOf(viewer);
    return { recordings: entries.map((session) => presentInterviewItem(session, reader)), ...page };
  };
  const findPractice = async (viewer: TokenClaims, filter: HistoryQuery) => {
    const { entries, ...page } = await listSessions(scopeOf('practice', viewer), filter, models);
    return { recordings: entries.map(presentPracticeItem), ...page };
  };

  routes.serve(historyRoutes.interviewHistory, ({ query, user }) => findInterviews(user, query));
  routes.serve(historyRoutes.searchInterviewHistory, ({ body, user }) => findInterviews(user, body));
  routes.serve(historyRoutes.practiceHistory, ({ query, user }) => findPractice(user, query));
  routes.serve(historyRoutes.searchPracticeHistory, ({ body, user }) => findPractice(user, body));
  routes.serve(historyRoutes.interviewGroups, ({ query, user }) => findGroups('interview', user, query));
  routes.serve(historyRoutes.searchInterviewGroups, ({ body, user }) => findGroups('interview', user, body));
  routes.serve(historyRoutes.practiceGroups, ({ query, user }) => findGroups('practice', user, query));
  routes.serve(historyRoutes.searchPracticeGroups, ({ body, user }) => findGroups('practice', user, body));
  routes.serve(historyRoutes.interviewDetail, async (call) => {
    const { session, recordings } = await findDetail('interview', { _id: new Types.ObjectId(call.params.id) }, call);
    return presentInterviewDetail(session, recordings, await readerOf(call.user));
  });
  routes.serve(historyRoutes.questionTakes, async ({ params: { id, questionId }, user, req, res }) => {
    const session = await models.sessions
      .findOne({ _id: new Types.ObjectId(id), kind: 'interview', ...visibleTo(user) })
      .lean();
    const question = session?.questions[questionId];
    if (!session || question === undefined) throw notFound('Interview not found.');
    const takes = await findTakes(session, questionId, models);
    const reader = await readerOf(user);
    allowMedia(
      { req, res },
      user,
      takes.map(({ recording }) => recording),
    );
    return {
      question: withoutQuestionPrefix(question),
      technology: session.technology,
      takes: takes.map(({ recording, session: takenIn }) => ({
        ...presentRecording(recording, takenIn, reader),
        interviewId: takenIn._id.toHexString(),
        title: sourceOf(takenIn, recording.questionId).title,
      })),
    };
  });
  routes.serve(historyRoutes.practiceDetail, async (call) => {
    const { id } = call.params;
    const key = /^[0-9a-f]{24}$/i.test(id) ? { _id: new Types.ObjectId(id) } : { sessionId: id };
    const { session, recordings } = await findDetail('practice', key, call);
    return presentPracticeDetail(session, recordings, await readerOf(call.user));
  });
}

/** A line of the interview history. */
function presentInterviewItem(session: ListedSession, reader: Reader): InterviewItem {
  const { userId, setId, assignment, editedCount = 0, reviewedCount = 0 } = session;
  const isShown = seesFeedback(session, reader);
  const averageCorrectness = isShown ? session.averageCorrectness : null;
  return {
    ...presentItem(session),
    userId,
    interviewSetId: setId,
    averageCorrectness: averageCorrectness === null ? null : Math.round(averageCorrectness),
    editedCount: isShown ? editedCount : 0,
    reviewedCount: isShown ? reviewedCount : 0,
    ...(assignment && { assignment }),
  };
}

/** A line of the practice history. */
function presentPracticeItem(session: ListedSession): PracticeItem {
  return { ...presentItem(session), practiceSetId: session.setId };
}

/** An interview with the newest take of each question. */
function presentInterviewDetail(
  session: SessionEntry,
  recordings: readonly RecordingEntry[],
  reader: Reader,
): InterviewDetail {
  const { userId, setId, assignment } = session;
  return {
    ...presentDetail(session, recordings, reader),
    ...(assignment && { assignment }),
    userId,
    interviewSetId: setId,
    askedQuestions: askedQuestionsOf(
      session,
      recordings.map(({ questionId }) => questionId),
    ),
    ...(session.followUps && { followUps: session.followUps }),
  };
}

/** A practice session with the newest take of each question, and the set's answers. */
function presentPracticeDetail(
  session: SessionEntry,
  recordings: readonly RecordingEntry[],
  reader: Reader,
): PracticeDetail {
  return {
    ...presentDetail(session, recordings, reader),
    practiceSetId: session.setId,
    answers: seesFeedback(session, reader) ? session.expertAnswers : session.expertAnswers.map(() => ''),
  };
}

function presentItem(session: ListedSession) {
  const { answeredCount, pendingCount, answeredQuestions = [] } = session;
  const asked = askedQuestionsOf(session, answeredQuestions);
  return { ...presentSession(session), questionCount: asked.length, answeredCount, pendingCount };
}

function presentDetail(session: SessionEntry, recordings: readonly RecordingEntry[], reader: Reader) {
  return {
    ...presentSession(session),
    questions: session.questions.map(withoutQuestionPrefix),
    recordings: recordings.map((recording) => presentRecording(recording, session, reader)),
  };
}

function presentSession({ _id, sessionId, createdAt, title, technology, sources, user }: ListedSession) {
  return {
    _id: _id.toHexString(),
    sessionId,
    createdAt: createdAt.toISOString(),
    title,
    technology,
    ...(sources && { sources }),
    userDetails: {
      email: user?.email ?? null,
      role: user?.role ?? null,
      lastLogin: user?.lastLogin?.toISOString() ?? null,
    },
  };
}

/** Whether a reader sees verdicts and expert answers: always, unless an assignment's feedback is not released yet. */
function seesFeedback({ assignment }: Pick<SessionEntry, 'assignment'>, { coached }: Reader): boolean {
  return isFeedbackShown(assignment) || coached === null || coached.includes(assignment?.groupId ?? '');
}

/** Whether a reader may review: admins everything, coaches their groups' assigned work. The recording service enforces this. */
function mayReview({ assignment, userId }: Pick<SessionEntry, 'assignment' | 'userId'>, { coached, id }: Reader) {
  return coached === null || (userId !== id && assignment !== undefined && coached.includes(assignment.groupId));
}

/** The whole snapshot: the route's result schema says which of its fields are sent. */
function presentRecording(
  { snapshot: whole }: RecordingEntry,
  session: Pick<SessionEntry, 'assignment' | 'userId'>,
  reader: Reader,
) {
  const { linkTo } = reader;
  const { assignment } = session;
  const snapshot =
    assignment && !seesFeedback(session, reader)
      ? { ...whole, ...hiddenFeedback(assignment), guestFeedback: [] }
      : whole;

  const { recordingId: _id, mediaDeletion, assessment } = snapshot;
  return {
    ...snapshot,
    _id,
    assessment: mayReview(session, reader)
      ? { ...assessment, version: versionOf(reviewedParts(assessment)) }
      : withoutReviewers(assessment),
    audioUrl: mediaDeletion ? '' : linkTo(_id),
  };
}
