import type { Word } from '@interview-prep/contracts/recording/recordings';
import type { Place } from '../add-up-points.ts';

/** A passage of an answer that the judge reads on its own. */
export interface Window extends Place {
  text: string;
  /** The number of sentences, or pieces of long ones; 0 for a part of one. */
  sentences: number;
}

/** A window has at most this many sentences, and words. The model was trained on passages of this length. */
const sentencesMax = 3;
const wordsMax = 60;
/** A sentence with more words is split: at a pause if there is one, else after `pieceWords`. */
const longSentence = 22;
const pieceWords = 14;
/** The minimum length of a piece that ends at a pause, in words. */
const leastPieceWords = 8;
/** A shorter sentence means nothing on its own. */
const leastWords = 4;
/** The usual pause between thoughts. */
const pauseMs = 500;

/** Replaces a word that is not part of the answer, and ends a sentence. */
export const leftOut = '.';

/** A run of words: index of the first, and of the one after the last. */
type Run = readonly [from: number, to: number];

/** The end of a long sentence's first piece: at its longest pause, if word times are known. */
function endOfPiece(from: number, times: readonly Word[]): number {
  let [end, longest] = [from + pieceWords, pauseMs];
  for (let at = from + leastPieceWords; at <= from + longSentence; at++) {
    const pause = (times[at]?.startMs ?? 0) - (times[at - 1]?.endMs ?? 0);
    if (pause >= longest) [end, longest] = [at, pause];
  }
  return end;
}

/** The sentences of an answer, long ones in pieces. */
function piecesOf(words: readonly string[], times: readonly Word[]): Run[] {
  const pieces: Run[] = [];
  let from = 0;
  for (let at = 0; at <= words.length; at++) {
    const isLeftOut = at === words.length || words[at] === leftOut;
    if (!isLeftOut && !/[.!?]$/.test(words[at]!)) continue;
    const to = isLeftOut ? at : at + 1;
    while (to - from > longSentence) {
      const end = endOfPiece(from, times);
      pieces.push([from, end]);
      from = end;
    }
    if (to > from) pieces.push([from, to]);
    from = at + 1;
  }
  return pieces;
}

function windowOf(words: readonly string[], [from, to]: Run, sentences: number): Window {
  const said = words.slice(from, to).filter((word) => word !== '' && word !== leftOut);
  return { firstWord: from, lastWord: to - 1, text: said.join(' '), sentences };
}

/**
 * Splits an answer into windows: each sentence that isn't too short, and from each one the widest run of up to three
 * that no other contains,
 * in the order of their first words, without duplicates. They are independent of each other.
 * @param words the answer's words; '' for one that belongs to the word before it
 * @param times the words with their times; empty if unknown
 */
export function windowsOf(words: readonly string[], times: readonly Word[]): Window[] {
  const pieces = piecesOf(words, times);
  const windows = new Map<string, Window>();
  const add = (run: Run, sentences: number) => {
    const window = windowOf(words, run, sentences);
    if (!windows.has(window.text)) windows.set(window.text, window);
  };
  let reached = 0;
  for (const [at, [from, end]] of pieces.entries()) {
    if (end - from >= leastWords || pieces.length === 1) add([from, end], 1);
    const ends = pieces.slice(at, at + sentencesMax).map(([, to]) => to);
    const to = ends.findLast((one) => one - from <= wordsMax)!;
    if (to > Math.max(reached, end)) add([from, to], ends.indexOf(to) + 1);
    reached = Math.max(reached, to);
  }
  return [...windows.values()];
}

/** Where a clause may begin. */
const clauseStarts = /^(?:and|but|because|so|while|whereas|which|when|if|then|or|since|although|instead)$/i;
/** A quote has at least this many words. */
const quoteWords = 5;
const quotesMax = 16;

/** The shorter runs of clauses within a window, shortest first: candidates for a shorter quote. */
export function clauseRunsOf(words: readonly string[], { firstWord, lastWord }: Window): Window[] {
  const bounds = [firstWord, lastWord + 1];
  for (let at = firstWord + 1; at <= lastWord; at++)
    if (/[.!?,;:–—-]$/.test(words[at - 1]!) || clauseStarts.test(words[at]!)) bounds.push(at);
  bounds.sort((a, b) => a - b);
  const runs = bounds.flatMap((from, index) => bounds.slice(index + 1).map((to): Run => [from, to]));
  return runs
    .filter(([from, to]) => to - from >= quoteWords && to - from <= lastWord - firstWord)
    .sort((a, b) => a[1] - a[0] - (b[1] - b[0]))
    .slice(0, quotesMax)
    .map((run) => windowOf(words, run, 0));
}
