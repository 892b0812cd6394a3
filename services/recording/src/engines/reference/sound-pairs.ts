import type { Answer } from './answer.ts';
import { soundMatches } from './sound-match.ts';
import type { Token } from './token.ts';
import { isWholeWord } from './word-vectors.ts';
import { fieldWeight } from './word-weight.ts';

/**
 * Where an answer's words may be a point's word, misheard: token ranges, ends included, with what each is worth. Only a
 * rare word is taken for misheard, or what no dictionary knows, or what the recogniser was not sure of; never a word that
 * the expert answer or the question uses itself.
 */
export function soundPairs(
  wanted: Token,
  { tokens, clear, stream }: Answer,
  stems: ReadonlySet<string>,
): { from: number; to: number; credit: number }[] {
  if (wanted.kind !== 'word' || wanted.weight < fieldWeight) return [];
  const isRare = !isWholeWord(wanted.text);
  return soundMatches(wanted, stream).filter(({ from, to }) => {
    const heard = tokens.slice(from, to + 1);
    if (heard.some(({ stem, weight }) => weight > 0 && stems.has(stem))) return false;
    if (clear[from] && clear[to]) return false;
    return isRare || heard.some(({ text }) => !isWholeWord(text));
  });
}
