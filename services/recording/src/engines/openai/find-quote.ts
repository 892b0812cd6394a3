import type { Place } from '../add-up-points.ts';

const plain = (word: string): string =>
  word
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}+#]/gu, '');

/** Finds a quote among spoken words, without regard to case and punctuation. Null where it was not said. */
export function findQuote(quote: string, words: readonly string[]): Place | null {
  const wanted = quote.split(/\s+/).map(plain).filter(Boolean);
  const said = words.flatMap((word, index) => (plain(word) === '' ? [] : [{ text: plain(word), index }]));
  if (wanted.length === 0) return null;
  for (let at = 0; at + wanted.length <= said.length; at++) {
    if (!wanted.every((word, offset) => said[at + offset]?.text === word)) continue;
    return { firstWord: said[at]!.index, lastWord: said[at + wanted.length - 1]!.index };
  }
  return null;
}
