import type { UploadedInterviewRecording, UploadedPracticeRecording } from '@interview-prep/contracts/recordings';
import type { MediaTokens } from '@interview-prep/kit/media-tokens';
import type { Recording } from './model.ts';

/** What an upload answers; the history entry's id goes by the name of its kind. */
export function presentUploaded(
  recording: Recording,
  mediaTokens: MediaTokens,
): UploadedInterviewRecording & UploadedPracticeRecording {
  const entryId = recording.session.toHexString();
  const { sessionId, questionId, take, transcription } = recording;
  return {
    _id: recording._id.toHexString(),
    ...{ sessionId, questionId, take },
    interviewId: entryId,
    practiceId: entryId,
    createdAt: recording.createdAt.toISOString(),
    audioUrl: mediaTokens.urlOf(recording._id.toHexString()),
    transcription: { status: transcription.status, text: transcription.text },
  };
}
