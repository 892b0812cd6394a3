import type { PointCoverage } from './coverage.ts';
import type { Token } from './tokens.ts';

/** The chance that one more content word in an answer happens to match a given word of the expert's. */
const chancePerWord = 0.005;
const chanceWordsMax = 60;
/** An expert answer of few words leaves doubt: an attempt may be right in other words. Weighs as much as one word. */
const doubt = 0.3;

/** From how many weighted words on an expert answer counts as long, fully so at the second number. */
const longAnswer = { from: 6, fully: 14 };
/** Nobody says everything that a very long expert answer holds: its coverage counts up to half as much again. */
const veryLongAnswer = { from: 14, fully: 36, gain: 0.5 };

/** Percentage by coverage for long expert answers: below the second knot lies what any talk in the field would share. */
const curve: readonly (readonly [number, number])[] = [
  [0, 0],
  [0.03, 15],
  [0.22, 30],
  [0.34, 61],
  [0.5, 78],
  [0.7, 95],
  [0.9, 100],
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

/** Grammar holds speech together: a heap of keywords has hardly any. 1 for speech, down to 0.2 for a mere heap. */
const fluency = (answer: readonly Token[], expert: readonly Token[]): number => {
  const grammarShare = (tokens: readonly Token[]) =>
    tokens.filter(({ weight }) => weight <= 0.2).length / tokens.length;
  if (answer.length < 12) return 1;
  const expected = Math.min(0.2, grammarShare(expert) / 2);
  return expected === 0 ? 1 : Math.max(0.2, Math.min(1, grammarShare(answer) / expected));
};

/** How much of a long expert answer a complete answer is expected to say: 1–1.5. */
export const lengthGain = (weight: number): number =>
  1 + veryLongAnswer.gain * ramp(weight, veryLongAnswer.from, veryLongAnswer.fully);

/**
 * The percentage, 0–100 and whole, of an answer.
 * @param ownWords the answer's content words that are not the question's
 */
export const percentageOf = (
  coverages: readonly PointCoverage[],
  ownWords: readonly Token[],
  answer: readonly Token[],
  expert: readonly Token[],
): number => {
  const weight = coverages.reduce((sum, point) => sum + point.weight, 0);
  if (weight === 0) return 0;
  const share = coverages.reduce((sum, point) => sum + point.weight * point.share, 0) / weight;
  const distinct = new Set(ownWords.map(({ stem }) => stem)).size;
  const byChance = 1 - (1 - chancePerWord) ** Math.min(distinct, chanceWordsMax);
  const beyondChance = Math.max(0, (share - byChance) / (1 - byChance));
  const attempt = ownWords.length / (ownWords.length + 2);
  const coverage = (beyondChance * weight + doubt * attempt) / (weight + 1);
  const long = ramp(weight, longAnswer.from, longAnswer.fully);
  const percentage = (1 - long) * 100 * Math.sqrt(coverage) + long * alongCurve(coverage * lengthGain(weight));
  return Math.round(Math.min(100, percentage * fluency(answer, expert)));
};
