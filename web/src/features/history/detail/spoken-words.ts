import type { Word } from '@interview-prep/contracts/recordings';

/** A piece of a transcript as it is shown, with its place in the recording where that is known (milliseconds). */
export interface SpokenWord {
  text: string;
  startMs: number | null;
  endMs: number | null;
}

const essence = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** How far ahead a word is looked for when text and times have drifted apart. */
const reach = 8;

/**
 * Lays the recogniser's timed words over the transcript's text. The text is what is shown (it has the punctuation);
 * a piece of it that no timed word matches has no place.
 */
export function spokenWords(text: string, words: readonly Word[]): SpokenWord[] {
  let next = 0;
  return text
    .split(/\s+/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      const wanted = essence(piece);
      const found = words.slice(next, next + reach).findIndex((word) => essence(word.word) === wanted);
      const word = wanted === '' || found < 0 ? undefined : words[next + found];
      if (word) next += found + 1;
      return { text: piece, startMs: word?.startMs ?? null, endMs: word?.endMs ?? null };
    });
}

/** The index of the word that is being said at a moment: the last one that has begun; -1 before the first. */
export function wordIndexAt(words: readonly SpokenWord[], atMs: number): number {
  let current = -1;
  for (const [index, { startMs }] of words.entries()) {
    if (startMs === null) continue;
    if (startMs > atMs) break;
    current = index;
  }
  return current;
}

/** The nearest word with a place in a direction from an index; the index itself where there is none. */
export function timedNeighbour(words: readonly SpokenWord[], from: number, step: 1 | -1): number {
  for (let index = from + step; index >= 0 && index < words.length; index += step) {
    if (words[index]?.startMs !== null) return index;
  }
  return from;
}
