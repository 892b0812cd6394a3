import type { Transcription } from './recordings.ts';

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
