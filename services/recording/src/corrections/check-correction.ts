import type { ProposedTranscript, Word } from '@interview-prep/contracts/recording/recordings';
import type { Recording } from '../recordings/model.ts';
import { type Edit, findEdits, spokenTokens } from './correct-words.ts';

/** A correction that changes a larger share of the words needs a human review. */
const changedShareMax = 1 / 3;
/** Nobody speaks faster. */
const wordsPerSecondMax = 6;

/**
 * A capital also starts a word, and so does every fourth character in scripts without spaces. A judge that splits
 * "aGo/to/statement" into words must not find more of them than were counted here.
 */
const pieces = /\p{Lo}{1,4}|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}{1,16}|\p{N}+|\p{L}/gu;
const countPieces = (tokens: readonly string[]): number =>
  tokens.reduce((sum, token) => sum + (token.match(pieces)?.length ?? 0), 0);

/** A transcript with measurements of its audio. */
type Spoken = Pick<Recording, 'transcription' | 'delivery' | 'durationMs'>;

/** The original transcript, even if it has been corrected since. */
export function heardTranscript({ transcription }: Pick<Recording, 'transcription'>): {
  text: string;
  words?: Word[] | undefined;
} {
  return transcription.original ?? transcription;
}

/**
 * Whether a corrected transcript may be scored without a human review: only if few words changed. Otherwise
 * a candidate could paste in the expert answer.
 * @returns why it needs a human review; null if it may be scored
 */
export function checkCorrection(spoken: Spoken, text: string): ProposedTranscript['why'] | null {
  const { words = [], text: heardText } = heardTranscript(spoken);
  const heard = words.length > 0 ? words.map(({ word }) => word) : spokenTokens(heardText);
  const tokens = spokenTokens(text);
  const edits = findEdits(heard, tokens).map((edit) => ({
    ...edit,
    removed: countPieces(heard.slice(edit.fromHeard, edit.toHeard)),
    added: countPieces(tokens.slice(edit.fromToken, edit.toToken)),
  }));
  const changed = edits.reduce((sum, { removed, added }) => sum + Math.max(removed, added), 0);
  if (changed > countPieces(heard) * changedShareMax) return 'changed';
  const isUnspoken =
    words.length > 0
      ? edits.some((edit) => edit.added > edit.removed + 1 && isTooFast(edit, words, spoken))
      : countPieces(tokens) > countPieces(heard) + 1 && countPieces(tokens) > speakable(spoken.durationMs ?? 0);
  return isUnspoken ? 'unspoken' : null;
}

const speakable = (ms: number): number => (ms / 1000) * wordsPerSecondMax;

/** Whether an edit has more words than could be spoken between its neighbors. After the last heard word there is no time at all. */
function isTooFast(
  { fromHeard, toHeard, added }: Edit & { added: number },
  words: readonly Word[],
  { delivery }: Spoken,
) {
  const around = [words[fromHeard - 1], words[toHeard]].filter((word) => word !== undefined);
  const stretch = words.slice(Math.max(0, fromHeard - 1), toHeard + 1);
  const fromMs = stretch[0]?.startMs ?? 0;
  const toMs = stretch.at(-1)?.endMs ?? fromMs;
  const silentMs = (delivery?.pauses ?? []).reduce(
    (sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, toMs) - Math.max(startMs, fromMs)),
    0,
  );
  return added + countPieces(around.map(({ word }) => word)) > speakable(toMs - fromMs - silentMs);
}
