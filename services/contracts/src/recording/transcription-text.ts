import type { InterviewRecordingDetail } from '../history/history.ts';
import type { Transcription } from './recordings.ts';

/** How an edit of the transcript bears on a score: it `counts`, or a person has yet to decide (`in-review`). */
export type EditState = 'counts' | 'in-review';

/** How an answer's score depends on words that its candidate edited; null where it does not, or a person has judged it. */
export function editStateOf(recording: {
  correctnessPercentage?: number | null;
  transcription?: Partial<Pick<InterviewRecordingDetail['transcription'], 'correctedAt' | 'proposed'>>;
  assessment?: Pick<InterviewRecordingDetail['assessment'], 'review'>;
}): EditState | null {
  const { correctnessPercentage, transcription, assessment } = recording;
  if (assessment?.review || typeof correctnessPercentage !== 'number') return null;
  if (transcription?.proposed) return 'in-review';
  return transcription?.correctedAt === undefined ? null : 'counts';
}

/** Shown for a missing transcription. Source: product specification, section 8, transcription text rules. */
export const transcriptionTexts = {
  pending: 'Transcription Not Available',
  failed: 'Transcription Failed',
  empty: 'No Transcription Available',
} as const;

const inProgress = 'transcription in progress...';

/** The text to show for a transcription: its words, or why there are none, in the specification's words. */
export function transcriptionText(transcription: Pick<Transcription, 'status' | 'text'> | null | undefined): string {
  if (transcription?.status === 'pending') return transcriptionTexts.pending;
  if (transcription?.status === 'failed') return transcriptionTexts.failed;
  const text = transcription?.text?.trim() ?? '';
  return text === '' || text.toLowerCase() === inProgress ? transcriptionTexts.empty : text;
}
