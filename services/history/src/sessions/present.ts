import type { InterviewDetail, InterviewItem, PracticeDetail, PracticeItem } from '@interview-prep/contracts/history';
import { withoutQuestionPrefix } from '@interview-prep/contracts/question-text';
import type { MediaTokens } from '@interview-prep/kit/media-tokens';
import type { ListedSession } from './list-sessions.ts';
import type { RecordingEntry, SessionEntry } from './model.ts';

const userDetails = ({ user }: Pick<SessionEntry, 'user'>) => ({
  email: user.email ?? null,
  role: user.role ?? null,
  lastLogin: user.lastLogin?.toISOString() ?? null,
});

const itemHead = (session: ListedSession) => ({
  _id: session._id.toHexString(),
  sessionId: session.sessionId,
  createdAt: session.createdAt.toISOString(),
  technology: session.technology,
  title: session.title,
  questionCount: session.questions.length,
  answeredCount: session.answeredCount,
  pendingCount: session.pendingCount,
  userDetails: userDetails(session),
});

export const presentInterviewItem = (session: ListedSession): InterviewItem => ({
  ...itemHead(session),
  userId: session.userId,
  interviewSetId: session.setId,
  averageCorrectness: session.averageCorrectness === null ? null : Math.round(session.averageCorrectness),
});

export const presentPracticeItem = (session: ListedSession): PracticeItem => ({
  ...itemHead(session),
  practiceSetId: session.setId,
});

const detailHead = (session: SessionEntry) => ({
  _id: session._id.toHexString(),
  sessionId: session.sessionId,
  createdAt: session.createdAt.toISOString(),
  title: session.title,
  technology: session.technology,
  userDetails: userDetails(session),
  questions: session.questions.map(withoutQuestionPrefix),
});

const recordingHead = ({ snapshot }: RecordingEntry, mediaTokens: MediaTokens) => ({
  _id: snapshot.recordingId,
  questionId: snapshot.questionId,
  take: snapshot.take,
  createdAt: snapshot.createdAt,
  audioUrl: mediaTokens.urlOf(snapshot.recordingId),
  mediaType: snapshot.mediaType,
  durationMs: snapshot.durationMs,
  peaks: snapshot.peaks,
  transcription: snapshot.transcription,
});

export function presentInterviewDetail(
  session: SessionEntry,
  recordings: readonly RecordingEntry[],
  mediaTokens: MediaTokens,
): InterviewDetail {
  return {
    ...detailHead(session),
    userId: session.userId,
    recordings: recordings.map((recording) => {
      const { isCorrect, correctnessPercentage, chatGPTResponse, assessment } = recording.snapshot;
      const head = recordingHead(recording, mediaTokens);
      return { ...head, isCorrect, correctnessPercentage, chatGPTResponse, assessment };
    }),
  };
}

export function presentPracticeDetail(
  session: SessionEntry,
  recordings: readonly RecordingEntry[],
  mediaTokens: MediaTokens,
): PracticeDetail {
  return {
    ...detailHead(session),
    answers: session.expertAnswers,
    recordings: recordings.map((recording) => recordingHead(recording, mediaTokens)),
  };
}
