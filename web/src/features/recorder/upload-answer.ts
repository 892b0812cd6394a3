import type { UploadedInterviewRecording } from '@interview-prep/contracts/recordings';
import { fallbacks } from '../../app/messages.ts';
import { uploadRecording } from '../../app/upload-recording.ts';
import type { Subject } from './take.ts';

/** Sends an answer. Source: product specification, section 3, interview upload. Rejects with UploadError. */
export async function uploadAnswer(
  subject: Subject,
  audio: Blob,
  token: string | null,
  signal: AbortSignal,
): Promise<UploadedInterviewRecording> {
  const form = new FormData();
  form.set('sessionId', subject.sessionId);
  form.set('questionId', String(subject.questionId));
  form.set('interviewSetId', subject.setId);
  form.set('interviewSetTitle', subject.setTitle);
  form.set('technologyCategory', subject.technology);
  // The name is fixed by the API; the part's type is what was really recorded.
  form.set('audio', audio, 'recording.webm');
  const answer = await uploadRecording({
    url: '/api/interviews/recordings',
    form,
    token,
    fallback: fallbacks.uploadRecording,
    signal,
  });
  return (answer as { recording: UploadedInterviewRecording }).recording;
}
