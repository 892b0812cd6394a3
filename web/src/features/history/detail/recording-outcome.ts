import type { SessionKind } from '@interview-prep/contracts/recordings';
import type { SessionRecording } from '../session-types.ts';

/** What a person is told of a recording that did not come out whole, and what running it again is called. */
export interface RecordingOutcome {
  text: string;
  action: string | null;
  /** Whether something broke, rather than having been left out. */
  failed: boolean;
}

/**
 * Why something is missing: the reason in the server's words where it gives one. Null where all came out.
 * A reason beside a verdict (an answer that was silence) is told too, but there is nothing to run again.
 */
export function recordingOutcome(
  kind: SessionKind,
  { transcription, assessment }: Pick<SessionRecording, 'transcription' | 'assessment'>,
): RecordingOutcome | null {
  if (transcription.status === 'failed') {
    const text = transcription.error?.trim() || 'The recording could not be written down.';
    return { text, action: 'Process again', failed: true };
  }
  if (kind === 'practice' || transcription.status === 'pending' || !assessment) return null;
  const reason = assessment.reason?.trim();
  if (assessment.status === 'failed') {
    return { text: reason || 'The answer could not be judged.', action: 'Judge again', failed: true };
  }
  if (assessment.status === 'unscored') {
    return { text: reason || 'There is nothing to judge it by.', action: 'Judge again', failed: false };
  }
  return reason ? { text: reason, action: null, failed: false } : null;
}

/** The engines that said so, in one line; '' where none is named. Where nothing was heard nobody judged. */
export function engineLine({
  transcription,
  assessment,
}: Pick<SessionRecording, 'transcription' | 'assessment'>): string {
  const judge = transcription.text.trim() === '' ? undefined : assessment?.engine;
  return [transcription.engine && `Transcribed by ${transcription.engine}`, judge && `judged by ${judge}`]
    .filter(Boolean)
    .join(', ')
    .replace(/^j/, 'J');
}
