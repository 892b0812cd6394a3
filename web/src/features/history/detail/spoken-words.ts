import type { Word } from '@interview-prep/contracts/recording/recordings';

/** A displayed word of a transcript, with its time in the recording if known (milliseconds). */
export interface SpokenWord {
  text: string;
  startMs: number | null;
  endMs: number | null;
  /** Whether it has low confidence. False if the engine doesn't report confidence. */
  uncertain: boolean;
  /** Whether the candidate added it in a correction. */
  edited: boolean;
  /** Its index in the engine's words; null without a match. */
  wordIndex: number | null;
}

/** Below this confidence, a word may well be wrong. */
const uncertainBelow = 0.4;

/** Whether a word has low confidence, if the engine reports it. */
export function isUncertain({ confidence }: Pick<Word, 'confidence'>): boolean {
  return confidence !== null && confidence < uncertainBelow;
}

const essence = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** How far ahead to look for a word when text and times have drifted apart. */
const reach = 8;

/**
 * Aligns the engine's timed words with the transcript's text, which has the punctuation. Unmatched words have no
 * time.
 */
export function spokenWords(text: string, words: readonly Word[]): SpokenWord[] {
  let next = 0;
  return text
    .split(/\s+/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const wanted = essence(piece);
      const found = words.slice(next, next + reach).findIndex((word) => essence(word.word) === wanted);
      const wordIndex = wanted === '' || found < 0 ? null : next + found;
      const word = wordIndex === null ? undefined : words[wordIndex];
      if (word) next += found + 1;
      return {
        text: piece,
        startMs: word?.startMs ?? null,
        endMs: word?.endMs ?? null,
        uncertain: word !== undefined && isUncertain(word),
        edited: word?.edited === true,
        wordIndex,
      };
    });
}

/** The index of the word spoken at a time: the last one that has started; -1 before the first. */
export function wordIndexAt(words: readonly SpokenWord[], atMs: number): number {
  let current = -1;
  for (const [index, { startMs }] of words.entries()) {
    if (startMs === null) continue;
    if (startMs > atMs) break;
    current = index;
  }
  return current;
}

/** The nearest timed word in a direction; the index itself if there is none. */
export function timedNeighbour(words: readonly SpokenWord[], from: number, step: 1 | -1): number {
  for (let index = from + step; index >= 0 && index < words.length; index += step) {
    if (words[index]?.startMs !== null) return index;
  }
  return from;
}
