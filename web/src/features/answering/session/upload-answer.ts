import type {
  SessionKind,
  UploadedInterviewRecording,
  UploadedPracticeRecording,
} from '@interview-prep/contracts/recordings';
import { uploadRecording } from '../../../lib/api/upload-recording.ts';
import { fallbacks } from '../../../lib/messages.ts';
import type { Subject } from './take.ts';

/** How each kind of answer goes over the wire. Source: product specification, section 3, uploads. */
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

/** Sends an answer. Rejects with UploadError. */
export async function uploadAnswer(
  kind: SessionKind,
  subject: Subject,
  media: Blob,
  token: string | null,
  signal: AbortSignal,
): Promise<UploadedInterviewRecording | UploadedPracticeRecording> {
  const names = wire[kind];
  const form = new FormData();
  form.set('sessionId', subject.sessionId);
  form.set('questionId', String(subject.questionId));
  form.set(names.setId, subject.setId);
  form.set(names.setTitle, subject.setTitle);
  form.set('setUpdatedAt', subject.setUpdatedAt);
  form.set('technologyCategory', subject.technology);
  // The name is fixed by the API; the part's type is what was really recorded.
  form.set(names.file, media, 'recording.webm');
  const answer = await uploadRecording({ url: names.url, form, token, fallback: names.fallback, signal });
  return (answer as { recording: UploadedInterviewRecording | UploadedPracticeRecording }).recording;
}
