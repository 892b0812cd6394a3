import type {
  SessionKind,
  UploadedInterviewRecording,
  UploadedPracticeRecording,
} from '@interview-prep/contracts/recordings';
import { uploadRecording } from '../../../lib/api/upload-recording.ts';
import { fallbacks } from '../../../lib/messages.ts';
import type { AnswerTarget } from './take.ts';

/** The upload request of each kind. Source: product specification, section 3, uploads. */
const wire = {
  interview: {
    url: '/api/interviews/recordings',
    setId: 'interviewSetId',
    setTitle: 'interviewSetTitle',
    file: 'audio',
    fallback: fallbacks.uploadRecording,
  },
  practice: {
    url: '/api/practice/recordings',
    setId: 'practiceSetId',
    setTitle: 'practiceSetTitle',
    file: 'file',
    fallback: fallbacks.uploadPracticeRecording,
  },
} as const;

/**
 * Uploads an answer.
 * @throws UploadError
 */
export async function uploadAnswer(
  kind: SessionKind,
  target: AnswerTarget,
  media: Blob,
  token: string | null,
  signal: AbortSignal,
): Promise<UploadedInterviewRecording | UploadedPracticeRecording> {
  const names = wire[kind];
  const form = new FormData();
  form.set('sessionId', target.sessionId);
  form.set('questionId', String(target.questionId));
  form.set(names.setId, target.setId);
  form.set(names.setTitle, target.setTitle);
  form.set('setUpdatedAt', target.setUpdatedAt);
  form.set('technologyCategory', target.technology);
  // The API fixes the name; the part's type is the recorded one.
  form.set(names.file, media, 'recording.webm');
  const answer = await uploadRecording({ url: names.url, form, token, fallback: names.fallback, signal });
  return (answer as { recording: UploadedInterviewRecording | UploadedPracticeRecording }).recording;
}
