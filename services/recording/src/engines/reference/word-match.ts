import { formulaOf } from './complexities.ts';
import { editDistance } from './edit-distance.ts';
import { areOpposites } from './opposites.ts';
import { synonymGroups } from './synonyms.ts';
import type { AnalysedWord, Token } from './token.ts';
import { dot, isWholeWord } from './word-vectors.ts';

/** What a match of each kind is worth. */
const credit = { same: 1, misspelt: 0.9, sameRoot: 0.85, synonym: 0.7 } as const;
/** By the cosine of their vectors words are unrelated up to `none`, and as good as synonyms from `most` on. */
const likeness = { none: 0.1, most: 0.8, credit: 0.9 } as const;

const editsAllowed = (length: number): number => (length >= 8 ? 2 : length >= 5 ? 1 : 0);

function haveSameRoot(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= 5 && long.startsWith(short) && short.length / long.length >= 0.6;
}

function areSynonyms(a: string, b: string): boolean {
  const groups = synonymGroups(a);
  return groups.length > 0 && synonymGroups(b).some((group) => groups.includes(group));
}

/** From this credit on two words say the same thing. */
export const sameFrom = 0.84;

/** How well one word matches another, 0–1, and whether it says the opposite instead. */
export interface WordMatch {
  /** 0 for an opposite. */
  credit: number;
  opposite: boolean;
}

const none: WordMatch = { credit: 0, opposite: false };

/** Compares a cost with an adjective that may be one: "constant" with "O(1)". */
function matchCosts(a: AnalysedWord, b: AnalysedWord): WordMatch {
  const [cost, word] = a.kind === 'complexity' ? [a, b] : [b, a];
  const formula = cost.kind === 'complexity' && word.kind === 'word' ? formulaOf(word.text) : undefined;
  if (formula === undefined) return none;
  return formula === cost.text ? { credit: credit.same, opposite: false } : { credit: 0, opposite: true };
}

/**
 * Compares two words by root, spelling and meaning. A word of the dictionary is not taken for a misspelling. Words whose first letters differ are never taken for misspellings, so
 * that "mutable" does not pass for "immutable".
 */
export function matchWords(wanted: AnalysedWord, given: AnalysedWord): WordMatch {
  if (wanted.kind !== given.kind) return matchCosts(wanted, given);
  if (wanted.stem === given.stem) return { credit: credit.same, opposite: false };
  if (wanted.kind !== 'word') return { credit: 0, opposite: true };
  if (areOpposites(wanted.stem, given.stem)) return { credit: 0, opposite: true };
  if (wanted.text[0] === given.text[0]) {
    const limit = editsAllowed(Math.min(wanted.text.length, given.text.length));
    if (limit > 0 && !isWholeWord(given.text) && editDistance(wanted.text, given.text, limit) <= limit)
      return { credit: credit.misspelt, opposite: false };
    if (haveSameRoot(wanted.stem, given.stem)) return { credit: credit.sameRoot, opposite: false };
  }
  const cosine = wanted.vector && given.vector ? dot(wanted.vector, given.vector) : 0;
  const ramp = Math.max(0, Math.min(1, (cosine - likeness.none) / (likeness.most - likeness.none)));
  const byMeaning = Math.max(likeness.credit * ramp, areSynonyms(wanted.stem, given.stem) ? credit.synonym : 0);
  return byMeaning > 0 ? { credit: byMeaning, opposite: false } : none;
}

/** Where neighbouring words of the answer, written together, are the wanted word ("java script"), ends included. */
export function joinedMatches(wanted: Token, answer: readonly Token[]): { from: number; to: number }[] {
  const matches: { from: number; to: number }[] = [];
  if (wanted.text.length < 4) return matches;
  for (const [from, first] of answer.entries()) {
    if (!wanted.text.startsWith(first.text)) continue;
    let { text } = first;
    for (let to = from + 1; to < answer.length && text.length < wanted.text.length; to++) {
      if (answer[to]!.text === 'dot') continue;
      if (!wanted.text.startsWith(text)) break;
      text += answer[to]!.text;
      if (text === wanted.text) matches.push({ from, to });
    }
  }
  return matches;
}
