import type { PointFit } from './alignment.ts';
import type { Answer } from './answer.ts';

/** The candidate's own words for a point. */
export interface Evidence {
  text: string;
  /** Indexes among the answer's words, ends included. */
  firstWord: number;
  lastWord: number;
}

/** A quotation includes this many words on each side, and more where it would be too short to be understood. */
const marginWords = 2;
const leastWords = 8;

/** Quotes what a point was found in; the whole stretch where no single word of it stands out. */
export function evidenceOf({ tokens, words }: Answer, { found, stretch }: PointFit): Evidence {
  const places = found.length > 0 ? found : stretch.tokens;
  const first = tokens[Math.min(...places)]!.source;
  const last = tokens[Math.max(...places)]!.lastSource;
  const margin = Math.max(marginWords, Math.ceil((leastWords - (last + 1 - first)) / 2));
  const firstWord = Math.max(0, first - margin);
  const lastWord = Math.min(words.length - 1, last + margin);
  return { text: words.slice(firstWord, lastWord + 1).join(' '), firstWord, lastWord };
}
