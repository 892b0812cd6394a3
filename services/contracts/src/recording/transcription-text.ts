import type { InterviewRecordingDetail } from '../history/history.ts';
import type { Transcription } from './recordings.ts';

/** How a transcript edit affects a score: it `counts`, or awaits review (`in-review`). */
export type EditState = 'counts' | 'in-review';

/** How an answer's score depends on the candidate's edits; null if it doesn't, or if a person has judged the answer. */
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

/** Placeholders for a missing transcription. Source: product specification, section 8, transcription text rules. */
export const transcriptionTexts = {
  pending: 'Transcription Not Available',
  failed: 'Transcription Failed',
  empty: 'No Transcription Available',
} as const;

const inProgress = 'transcription in progress...';

/** The text to display for a transcription: its words, or the specification's text for why there are none. */
export function transcriptionText(transcription: Pick<Transcription, 'status' | 'text'> | null | undefined): string {
  if (transcription?.status === 'pending') return transcriptionTexts.pending;
  if (transcription?.status === 'failed') return transcriptionTexts.failed;
  const text = transcription?.text?.trim() ?? '';
  return text === '' || text.toLowerCase() === inProgress ? transcriptionTexts.empty : text;
}
