import type { InterviewDetail, InterviewItem, PracticeDetail, PracticeItem } from '@interview-prep/contracts/history';
import { withoutQuestionPrefix } from '@interview-prep/contracts/question-text';
import type { MediaTokens } from '@interview-prep/kit/media-tokens';
import type { RecordingEntry, SessionEntry } from '../projection/model.ts';
import type { ListedSession } from './list-sessions.ts';

/** A line of the interview history. */
export function presentInterviewItem(session: ListedSession): InterviewItem {
  const { userId, setId, averageCorrectness } = session;
  return {
    ...presentItem(session),
    userId,
    interviewSetId: setId,
    averageCorrectness: averageCorrectness === null ? null : Math.round(averageCorrectness),
  };
}

/** A line of the practice history. */
export function presentPracticeItem(session: ListedSession): PracticeItem {
  return { ...presentItem(session), practiceSetId: session.setId };
}

/** An interview with the newest take of each question. */
export function presentInterviewDetail(
  session: SessionEntry,
  recordings: readonly RecordingEntry[],
  mediaTokens: MediaTokens,
): InterviewDetail {
  return { ...presentDetail(session, recordings, mediaTokens), userId: session.userId };
}

/** A practice session with the newest take of each question, and the set's answers. */
export function presentPracticeDetail(
  session: SessionEntry,
  recordings: readonly RecordingEntry[],
  mediaTokens: MediaTokens,
): PracticeDetail {
  return { ...presentDetail(session, recordings, mediaTokens), answers: session.expertAnswers };
}

function presentItem(session: ListedSession) {
  const { questions, answeredCount, pendingCount } = session;
  return { ...presentSession(session), questionCount: questions.length, answeredCount, pendingCount };
}

function presentDetail(session: SessionEntry, recordings: readonly RecordingEntry[], mediaTokens: MediaTokens) {
  return {
    ...presentSession(session),
    questions: session.questions.map(withoutQuestionPrefix),
    recordings: recordings.map((recording) => presentRecording(recording, mediaTokens)),
  };
}

function presentSession({ _id, sessionId, createdAt, title, technology, user }: ListedSession) {
  return {
    _id: _id.toHexString(),
    sessionId,
    createdAt: createdAt.toISOString(),
    title,
    technology,
    userDetails: {
      email: user?.email ?? null,
      role: user?.role ?? null,
      lastLogin: user?.lastLogin?.toISOString() ?? null,
    },
  };
}

/** The whole snapshot: the route's result schema says which of its fields are sent. */
function presentRecording({ snapshot }: RecordingEntry, mediaTokens: MediaTokens) {
  const { recordingId: _id } = snapshot;
  return { ...snapshot, _id, audioUrl: mediaTokens.urlOf(_id) };
}
