import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { answerSent } from '../../../lib/live/awaited-sessions.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import type { UploadedRecording } from './answer-upload.ts';
import type { AnswerTarget } from './take.ts';

/** Starts waiting for an answer's results. */
export function awaitResults(
  kind: SessionKind,
  { setTitle, questionId }: Pick<AnswerTarget, 'setTitle' | 'questionId'>,
  recording: UploadedRecording,
) {
  const id = 'interviewId' in recording ? recording.interviewId : recording.practiceId;
  return answerSent({ kind, id, title: setTitle, questionId, recordingId: recording._id });
}

/** The recorder's toast id, so that a new message replaces the previous one. */
export const recorderToast = 'recorder';

/** The toast of a failed upload. Source: product specification, sections 4 and 8. */
export const uploadFailureToast: Record<SessionKind, (failure: unknown) => string> = {
  interview: () => messages.recorder.saveFailedRetry,
  practice: (failure) => errorMessage(failure, fallbacks.uploadPracticeRecording),
};
