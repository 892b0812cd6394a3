import type { PointCoverage } from './coverage.ts';
import { relationWeight, type Token } from './tokens.ts';

/**
 * By the share of its words that is said, a point counts nothing up to `nothing`, half at `half`, wholly from `whole`
 * on (nobody says a point in all the expert's words). Any talk in the field shares a few words with a long expert
 * answer, not with a short one.
 */
const sharesOfShort = { nothing: 0, half: 0.35, whole: 0.6 };
const sharesOfLong = { nothing: 0.25, half: 0.42, whole: 0.58 };
/** From how many weighted words on an expert answer counts as long, fully so at the second number. */
const longAnswer = { from: 6, fully: 14 };
/** A point of several words that is met by one word is at best hinted at. */
const hintAtMost = 0.4;
const severalWords = 3;
/** From here on a point is covered: it earns at least half of its weight. */
const coveredFrom = 0.5;

/** An expert answer of few words leaves doubt: an attempt may be right in other words. Weighs as much as so many words. */
const doubtWeight = 0.7;

const ramp = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)));

/** Grammar holds speech together: about half of its words; a heap of keywords has hardly any. */
const leastGrammarShare = 0.3;
const heapMinWords = 8;
const heapShare = 0.2;

/** 1 for speech, down to 0.2 for a mere heap of words. An expert answer that is a list may be answered with a list. */
const fluency = (answer: readonly Token[], expert: readonly Token[]): number => {
  const grammarShare = (tokens: readonly Token[]) =>
    tokens.filter(({ weight }) => weight <= relationWeight).length / tokens.length;
  const expected = Math.min(leastGrammarShare, grammarShare(expert) * 0.6);
  if (answer.length < heapMinWords || expected === 0) return 1;
  return Math.max(heapShare, Math.min(1, (grammarShare(answer) / expected) ** 2));
};

/** What is left of a complete answer where every word was misheard: by sound, by chance words, by what needs no word. */
const heardAtLeast = 0.6;

/** How much is to be added for words that were misheard, by how sure the recogniser was of them (mean, 0–1): 1–1.67. */
const hearingGain = (confidence: number): number => 1 / (heardAtLeast + (1 - heardAtLeast) * confidence);

const creditOf = (share: number, long: number): number => {
  const between = (key: keyof typeof sharesOfShort) =>
    sharesOfShort[key] + long * (sharesOfLong[key] - sharesOfShort[key]);
  return (
    coveredFrom * ramp(share, between('nothing'), between('half')) +
    (1 - coveredFrom) * ramp(share, between('half'), between('whole'))
  );
};

/** What an answer's score is worked out from. */
export interface Evidence {
  coverages: readonly PointCoverage[];
  answer: readonly Token[];
  expert: readonly Token[];
  /** The answer's content words that are not the question's. */
  ownWords: readonly Token[];
  /** How sure the recogniser was of the words it heard: the mean, 0–1; 1 where that is not known. */
  confidence: number;
}

/** A score: the percentage, whole, 0–100, and which points are covered. */
export interface Score {
  percentage: number;
  covered: boolean[];
}

/**
 * The percentage is what the points earn, each weighed by the square root of its own words' weight: a point that is
 * covered earns half of its weight to all of it, one that is missed less than half.
 */
export const scoreOf = ({ coverages, answer, expert, ownWords, confidence }: Evidence): Score => {
  const weight = coverages.reduce((sum, point) => sum + point.weight, 0);
  if (weight === 0) return { percentage: 0, covered: coverages.map(() => false) };
  const long = ramp(weight, longAnswer.from, longAnswer.fully);
  const fluent = fluency(answer, expert);
  const credits = coverages.map(({ share, words, stretch }) => {
    const credit = creditOf(share * fluent * hearingGain(confidence), long);
    return words >= severalWords && stretch?.words === 1 ? Math.min(credit, hintAtMost) : credit;
  });
  const weights = coverages.map((point) => Math.sqrt(point.weight));
  const said =
    credits.reduce((sum, credit, index) => sum + credit * weights[index]!, 0) /
    weights.reduce((sum, one) => sum + one, 0);
  const attempt = fluent * (ownWords.length / (ownWords.length + 2));
  const doubt = (doubtWeight * attempt) / (weight + 1);
  return {
    percentage: Math.round(100 * (said + (1 - said) * doubt)),
    covered: credits.map((credit) => credit >= coveredFrom),
  };
};
