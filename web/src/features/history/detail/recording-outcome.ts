import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { languageName } from '../../../lib/formats.ts';
import type { SessionRecording } from '../session-types.ts';

/** Why a recording has no transcript or verdict. `action` labels a button that reprocesses it, if that can help. */
export interface RecordingOutcome {
  text: string;
  action: string | null;
  /** Whether something failed, as opposed to having nothing to process. */
  failed: boolean;
  /** Whether the recording was silent or too poor to judge: only a new recording helps. */
  needsNewRecording?: boolean;
}

/** Server reasons with the page's own wording: for the candidate, and for other readers. */
const reworded: Readonly<Record<string, { own?: string; other: string }>> = {
  'The candidate did not give an answer.': { own: "You didn't answer this one.", other: 'No answer was given.' },
  'You said something that contradicts this.': { other: 'The answer contradicts this.' },
  "You didn't mention this.": { other: 'The answer does not mention this.' },
  'You mentioned part of this.': { other: 'The answer mentions part of this.' },
  'In your own words.': { other: "In the candidate's own words." },
};

/** The wording of a server's reason, for the one who answered or for another reader. */
export function reasonFor(reason: string, own: boolean): string {
  return reworded[reason]?.[own ? 'own' : 'other'] ?? reason;
}

/**
 * Why something is missing, in the server's words if it sends a reason. Null if nothing is missing.
 * A verdict may come with a reason too, for example for silence; reprocessing wouldn't change it.
 * @param own whether the reader is the one who answered
 */
export function recordingOutcome(
  kind: SessionKind,
  recording: Pick<SessionRecording, 'transcription' | 'assessment' | 'delivery' | 'mediaDeletion'>,
  own: boolean,
): RecordingOutcome | null {
  const { transcription, assessment, delivery, mediaDeletion } = recording;
  if (transcription.status === 'failed') {
    const text = transcription.error?.trim() || 'The recording could not be transcribed.';
    return { text, action: mediaDeletion ? null : 'Process again', failed: true };
  }
  if (kind === 'practice' || transcription.status === 'pending' || !assessment) return null;
  const reason = reasonFor(assessment.reason?.trim() ?? '', own);
  if (assessment.status === 'failed') {
    return { text: reason || 'The answer could not be scored.', action: 'Score again', failed: true };
  }
  const isTooPoor = assessment.status === 'unscored' && delivery?.sound.tooPoor;
  if (isTooPoor) return { text: reason, action: null, failed: false, needsNewRecording: true };
  if (transcription.gaps && !transcription.correctedAt && !assessment.review) {
    const text = 'Part of this answer could not be transcribed.';
    return { text, action: null, failed: false, needsNewRecording: true };
  }
  if (assessment.status === 'unscored') {
    return { text: reason || 'There is no expert answer to compare it with.', action: 'Score again', failed: false };
  }
  const silent = assessment.status === 'completed' && transcription.text.trim() === '';
  return reason ? { text: reason, action: null, failed: false, ...(silent && { needsNewRecording: true }) } : null;
}

/** The engine name of a transcript made without an engine: the recording was silent. */
const silenceCheck = 'silence check';
/** The built-in judge's name, without the version. It compares an answer with the expert's, point by point. */
const builtInJudge = 'reference';

type Judged = Pick<NonNullable<SessionRecording['assessment']>, 'engine'>;

/** Whether the built-in judge that reads sentences gave the verdict. */
export function isByPointJudge({ engine = '' }: Judged): boolean {
  return engine.startsWith(`${builtInJudge} point-judge`);
}

/** Whether an earlier release's built-in judge gave the verdict. */
export function isByEarlierJudge({ engine = '' }: Judged): boolean {
  return engine === builtInJudge || engine.startsWith(`${builtInJudge} 0.1`);
}

/** The engines that transcribed and scored a recording, on one line; '' if there are none. */
export function engineLine({
  transcription,
  assessment,
}: Pick<SessionRecording, 'transcription' | 'assessment'>): string {
  const transcriber = transcription.engine === silenceCheck ? undefined : transcription.engine;
  const assessor = transcription.text.trim() === '' ? undefined : assessment?.engine;
  const scored =
    assessor?.split(' ')[0] === builtInJudge ? 'compared with the expert answer' : assessor && `scored by ${assessor}`;
  const language = transcription.language ? ` in ${languageName(transcription.language)}` : '';
  const line = [transcriber && `transcribed by ${transcriber}${language}`, scored].filter(Boolean).join(', ');
  return line.charAt(0).toUpperCase() + line.slice(1);
}
