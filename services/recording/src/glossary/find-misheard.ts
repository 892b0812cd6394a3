import type { Word } from '@interview-prep/contracts/recording/recordings';
import { doubleMetaphone } from 'double-metaphone';
import { plainWord, wordRarity } from './words.ts';

/** Where a term was probably said: the inclusive range of indexes of the words heard instead. */
interface Misheard {
  term: string;
  firstWord: number;
  lastWord: number;
}

/** Words at least this rare may be terms. */
const termFrom = 0.72;
/** Recognizers know words less rare than this: only exact sound matches count, since every answer has something similar. */
const unknownFrom = 0.9;
const leastLetters = 4;
/** The most words that a term may have been heard as. */
const wordsMax = 4;
/** Words with at least this confidence were not misheard. */
const clearFrom = 0.8;
/** The largest sound distance by the term's number of sounds; short terms must match exactly. */
const tolerances = [0, 0, 0, 0.5, 1, 1.5, 2, 2.5];
/** The spelling must be somewhat similar as well: consonants alone match too easily. */
const leastLikeness = 0.4;
/** Sounds that are easily confused: substituting one for the other costs half. */
const alike = ['PTK', 'FSXJ0', 'T0', 'MN', 'LR', 'PF'];

/** The phonetic consonants of a text. */
const soundsOf = (letters: string) => doubleMetaphone(letters)[0].replaceAll(/[AH]/g, '');
const soundCost = (a: string, b: string) => (alike.some((group) => group.includes(a) && group.includes(b)) ? 0.5 : 1);

/** The weighted edit distance between `a` and `b`. */
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

/** Words without spaces, and how they sound. */
interface Sounding {
  letters: string;
  sounds: string;
}

/** Consecutive words of an answer that may be a misheard term. */
interface Candidate extends Sounding, Pick<Misheard, 'firstWord' | 'lastWord'> {
  words: readonly string[];
}

const sounding = (letters: string): Sounding => ({ letters, sounds: soundsOf(letters) });

/** The similarity of a term and the words heard, 0–1; 0 if they sound too different. */
function likenessOf(term: Sounding, heard: Sounding): number {
  const isKnown = wordRarity(term.letters) < unknownFrom;
  const tolerance = isKnown ? 0 : tolerances[Math.min(term.sounds.length, tolerances.length - 1)]!;
  if (Math.abs(term.sounds.length - heard.sounds.length) > tolerance) return 0;
  if (distance(term.sounds, heard.sounds, soundCost) > tolerance) return 0;
  const likeness =
    1 - distance(term.letters, heard.letters, () => 1) / Math.max(term.letters.length, heard.letters.length);
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

/** The parts of an answer that may be misheard terms of a text. */
function candidatesOf(text: string, words: readonly string[], times: readonly Word[]): Candidate[] {
  const heard = words.map(plainWord);
  const own = new Set(text.split(/\s+/).map(plainWord));
  const mayBeWrong = heard.map((word, at) => word !== '' && (times[at]?.confidence ?? 0) <= clearFrom);
  const found: Candidate[] = [];
  for (let from = 0; from < words.length; from++) {
    for (let to = from; to < Math.min(words.length, from + wordsMax); to++) {
      // A candidate ends with its sentence, and contains none of the text's own rare words.
      if (to > from && /[.!?]$/.test(words[to - 1]!)) break;
      if (own.has(heard[to]!) && wordRarity(heard[to]!) >= termFrom) break;
      if (!mayBeWrong[from] || !mayBeWrong[to]) continue;
      const span = heard.slice(from, to + 1);
      found.push({ ...sounding(span.join('')), words: span, firstWord: from, lastWord: to });
    }
  }
  return found;
}

/**
 * Finds terms of a text that the answer lacks but has similar-sounding words for. Never matches words that were heard
 * clearly, or that occur in the text.
 * @param times the words' times and confidence if known, else empty
 */
export function findMisheard(text: string, words: readonly string[], times: readonly Word[]): Misheard[] {
  const heard = new Set(words.map(plainWord));
  const terms = termsOf(text).filter((term) => {
    const letters = plainWord(term);
    return letters.length >= leastLetters && wordRarity(letters) >= termFrom && !heard.has(letters);
  });
  const candidates = terms.length > 0 ? candidatesOf(text, words, times) : [];
  return terms.flatMap((term) => {
    const wanted = sounding(plainWord(term));
    let [best, bestLikeness]: [Candidate | undefined, number] = [undefined, 0];
    for (const candidate of candidates) {
      if (candidate.words.some((word) => isOpposite(wanted.letters, word))) continue;
      const likeness = likenessOf(wanted, candidate);
      if (likeness > bestLikeness) [best, bestLikeness] = [candidate, likeness];
    }
    return best ? [{ term, firstWord: best.firstWord, lastWord: best.lastWord }] : [];
  });
}

/** The words of an answer with misheard spans replaced by their terms. Leftover words of a span become ''. */
export function withTerms(words: readonly string[], misheard: readonly Misheard[]): string[] {
  const corrected = [...words];
  for (const { term, firstWord, lastWord } of misheard) {
    const mark = /(?<![.!?,;:])[.!?,;:]*$/.exec(words[lastWord]!)![0];
    corrected.fill('', firstWord, lastWord + 1);
    corrected[firstWord] = term + mark;
  }
  return corrected;
}
