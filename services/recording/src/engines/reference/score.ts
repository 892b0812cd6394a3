import type { PointCoverage } from './coverage.ts';
import { relationWeight, type Token } from './tokens.ts';

/** The chance that one more content word in an answer happens to match a given word of the expert's. */
const chancePerWord = 0.005;
const chanceWordsMax = 60;
/** Nobody says a point in all the expert's words: this share of them is the whole point. */
const wholePoint = 0.7;
/** An expert answer of few words leaves doubt: an attempt may be right in other words. Weighs as much as one word. */
const doubt = 0.3;

/** From how many weighted words on an expert answer counts as long, fully so at the second number. */
const longAnswer = { from: 6, fully: 14 };
/** Nobody says everything that a very long expert answer holds: its coverage counts up to half as much again. */
const veryLongAnswer = { from: 14, fully: 36, gain: 0.5 };

/** Percentage by coverage for long expert answers: below the second knot lies what any talk in the field would share. */
const curve: readonly (readonly [number, number])[] = [
  [0, 0],
  [0.045, 14],
  [0.36, 29],
  [0.5, 61],
  [0.7, 78],
  [0.9, 95],
  [1, 100],
];

const ramp = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)));

const alongCurve = (coverage: number): number => {
  for (const [index, [right, high]] of curve.entries()) {
    if (coverage > right) continue;
    const [left, low] = curve[index - 1] ?? [0, 0];
    return right === left ? high : low + ((high - low) * (coverage - left)) / (right - left);
  }
  return 100;
};

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

/** How much of a long expert answer a complete answer is expected to say: 1–1.5. */
export const lengthGain = (weight: number): number =>
  1 + veryLongAnswer.gain * ramp(weight, veryLongAnswer.from, veryLongAnswer.fully);

/** What is left of a complete answer where every word was misheard: by sound, by chance words, by what needs no word. */
const heardAtLeast = 0.7;

/** How much is to be added for words that were misheard, by how sure the recogniser was of them (mean, 0–1): 1–1.43. */
const hearingGain = (confidence: number): number => 1 / (heardAtLeast + (1 - heardAtLeast) * confidence);

/** What the percentage of an answer is worked out from. */
export interface Evidence {
  coverages: readonly PointCoverage[];
  answer: readonly Token[];
  expert: readonly Token[];
  /** The answer's content words that are not the question's. */
  ownWords: readonly Token[];
  /** How sure the recogniser was of the words it heard: the mean, 0–1; 1 where that is not known. */
  confidence: number;
}

/** The percentage, 0–100 and whole, of an answer. */
export const percentageOf = ({ coverages, answer, expert, ownWords, confidence }: Evidence): number => {
  const weight = coverages.reduce((sum, point) => sum + point.weight, 0);
  if (weight === 0) return 0;
  const said = coverages.map((point) => point.weight * Math.min(1, point.share / wholePoint));
  const share = said.reduce((sum, one) => sum + one, 0) / weight;
  const distinct = new Set(ownWords.map(({ stem }) => stem)).size;
  const byChance = (1 - (1 - chancePerWord) ** Math.min(distinct, chanceWordsMax)) / wholePoint;
  const beyondChance = Math.min(1, Math.max(0, (share - byChance) / (1 - byChance)) * hearingGain(confidence));
  const attempt = ownWords.length / (ownWords.length + 2);
  const coverage = beyondChance + ((1 - beyondChance) * doubt * attempt) / (weight + 1);
  const long = ramp(weight, longAnswer.from, longAnswer.fully);
  const percentage = (1 - long) * 100 * Math.sqrt(coverage) + long * alongCurve(coverage * lengthGain(weight));
  return Math.round(Math.min(100, percentage * fluency(answer, expert)));
};
