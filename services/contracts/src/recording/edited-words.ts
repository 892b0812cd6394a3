import type { InterviewRecordingDetail } from '../history/history.ts';

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
