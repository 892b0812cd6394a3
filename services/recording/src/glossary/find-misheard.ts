import type { Word } from '@interview-prep/contracts/recording/recordings';
import { doubleMetaphone } from 'double-metaphone';
import { plainWord, wordRarity } from './words.ts';

/** Where a term was probably said: indexes of the words that were heard instead, the last one included. */
interface Misheard {
  term: string;
  firstWord: number;
  lastWord: number;
}

/** Rarer words than this may be terms. */
const termFrom = 0.72;
/** A recognizer knows less rare ones: they must sound the same, since something in every answer sounds like them. */
const unknownFrom = 0.9;
const leastLetters = 4;
/** A term may have been heard as this many words. */
const wordsMax = 4;
/** A word that was heard this clearly was not misheard. */
const clearFrom = 0.8;
/** How far from the term the words may sound, by the number of the term's sounds; with fewer they must sound the same. */
const tolerances = [0, 0, 0, 0.5, 1, 1.5, 2, 2.5];
/** The words must look somewhat like the term as well: consonants alone match too easily. */
const leastLikeness = 0.4;
/** Sounds that are easily taken for one another: replacing one by the other costs half. */
const alike = ['PTK', 'FSXJ0', 'T0', 'MN', 'LR', 'PF'];

/** The consonants of a text as they sound. */
const soundsOf = (letters: string) => doubleMetaphone(letters)[0].replaceAll(/[AH]/g, '');
const soundCost = (a: string, b: string) => (alike.some((group) => group.includes(a) && group.includes(b)) ? 0.5 : 1);

/** The cost of the insertions, deletions and replacements that turn `a` into `b`. */
function distance(a: string, b: string, costOf: (a: string, b: string) => number): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, one] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (one === other ? 0 : costOf(one, other))));
    row = next;
  }
  return row[b.length]!;
}

/** How alike a term and the words that were heard are, 0–1; 0 where they sound too different. */
function likenessOf(term: string, heard: string): number {
  const [wanted, said] = [soundsOf(term), soundsOf(heard)];
  const isKnown = wordRarity(term) < unknownFrom;
  const tolerance = isKnown ? 0 : tolerances[Math.min(wanted.length, tolerances.length - 1)]!;
  if (Math.abs(wanted.length - said.length) > tolerance || distance(wanted, said, soundCost) > tolerance) return 0;
  const likeness = 1 - distance(term, heard, () => 1) / Math.max(term.length, heard.length);
  return likeness >= leastLikeness ? likeness : 0;
}

/** "Mutable" sounds like "immutable", and means its opposite. */
const opposites = /^(?:a|an|de|dis|il|im|in|ir|non|un)$/;
function isOpposite(term: string, heard: string): boolean {
  const [longer, shorter] = term.length > heard.length ? [term, heard] : [heard, term];
  return shorter !== '' && longer.endsWith(shorter) && opposites.test(longer.slice(0, -shorter.length));
}

const termsOf = (text: string): string[] => [
  ...new Set(text.split(/[\s/()`,;:]+/).map((word) => word.replace(/(?<![.!?'’"])[.!?'’"]+$|['’]s$/gu, ''))),
];

/**
 * The terms of a text that the answer lacks, and where it has words that sound like them. Never words that were heard
 * clearly, nor words that the text has itself.
 * @param times of the words with their confidence, where they are known; else empty
 */
export function findMisheard(text: string, words: readonly string[], times: readonly Word[]): Misheard[] {
  const heard = words.map(plainWord);
  const own = new Set(text.split(/\s+/).map(plainWord));
  const mayBeWrong = heard.map((word, at) => word !== '' && (times[at]?.confidence ?? 0) <= clearFrom);
  return termsOf(text).flatMap((term) => {
    const wanted = plainWord(term);
    if (wanted.length < leastLetters || wordRarity(wanted) < termFrom || heard.includes(wanted)) return [];
    let best: (Misheard & { likeness: number }) | undefined;
    for (let from = 0; from < words.length; from++) {
      for (let to = from; to < Math.min(words.length, from + wordsMax); to++) {
        // A stretch ends with its sentence, and holds none of the text's own rare words.
        if (to > from && /[.!?]$/.test(words[to - 1]!)) break;
        if (own.has(heard[to]!) && wordRarity(heard[to]!) >= termFrom) break;
        if (!mayBeWrong[from] || !mayBeWrong[to]) continue;
        if (heard.slice(from, to + 1).some((word) => isOpposite(wanted, word))) continue;
        const likeness = likenessOf(wanted, heard.slice(from, to + 1).join(''));
        if (likeness > (best?.likeness ?? 0)) best = { term, firstWord: from, lastWord: to, likeness };
      }
    }
    return best ? [best] : [];
  });
}

/** The words of an answer with the terms in place of what was heard; a word that a term takes the place of becomes ''. */
export function withTerms(words: readonly string[], misheard: readonly Misheard[]): string[] {
  const corrected = [...words];
  for (const { term, firstWord, lastWord } of misheard) {
    const mark = /(?<![.!?,;:])[.!?,;:]*$/.exec(words[lastWord]!)![0];
    corrected.fill('', firstWord, lastWord + 1);
    corrected[firstWord] = term + mark;
  }
  return corrected;
}
