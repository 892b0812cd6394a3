import type { Point, PointState, Word } from '@interview-prep/contracts/recordings';
import { type AnalysedPoint, isOptional } from './analysis.ts';
import type { Answer } from './answer.ts';
import type { PointCredit } from './credits.ts';
import { type Evidence, evidenceOf } from './evidence.ts';

/** From these shares of its weight on, a point is covered, or partly. */
const coveredFrom = 0.6;
const partialFrom = 0.3;
/** From this share of the same words on, a point is said in the expert's words. */
const sameWordsFrom = 0.6;

/** Whole numbers as near as can be to the given ones, which add up to the given whole number (largest remainder). */
export function roundTo(total: number, values: readonly number[]): number[] {
  const rounded = values.map((value) => Math.floor(value));
  const order = values.map((value, index) => ({ index, rest: value - Math.floor(value) }));
  order.sort((a, b) => b.rest - a.rest || a.index - b.index);
  const missing = total - rounded.reduce((sum, value) => sum + value, 0);
  for (const { index } of order.slice(0, Math.max(0, missing))) rounded[index]! += 1;
  return rounded;
}

const stateOf = (credit: number): PointState =>
  credit >= coveredFrom ? 'covered' : credit >= partialFrom ? 'partial' : 'missing';

const reasonOf = (state: PointState, how: Point['how'], isContradicted: boolean): string => {
  if (state !== 'covered' && isContradicted) return 'The answer says something that contradicts this.';
  if (state === 'missing') return 'Nothing in the answer says this.';
  if (state === 'partial') return 'The answer says a part of this.';
  if (how === 'sound') return 'Said, with a term that was misheard and recognised by its sound.';
  return how === 'words' ? "Said in the expert's words." : 'Said in other words.';
};

const howOf = ({ best }: PointCredit): NonNullable<Point['how']> => {
  if (best?.fit.bySound) return 'sound';
  return best && best.fit.exact >= sameWordsFrom ? 'words' : 'meaning';
};

const timesOf = ({ firstWord, lastWord }: Evidence, heard: readonly Word[]): Partial<Point> => {
  const [first, last] = [heard[firstWord], heard[lastWord]];
  return first && last ? { startMs: first.startMs, endMs: last.endMs } : {};
};

/** A verdict on an answer: its points, whose credits add up to the percentage. */
export interface Verdict {
  /** A whole number, 0–100. */
  percentage: number;
  points: Point[];
}

/**
 * Turns credits into whole percentage points that add up. Required points share 100 by their weights; optional ones add to
 * what is earned, up to 100.
 */
export function verdictOf(
  analysed: readonly AnalysedPoint[],
  credits: readonly PointCredit[],
  answer: Answer,
  heard: readonly Word[],
): Verdict {
  const all = analysed.map(({ point }) => point);
  const total = analysed.reduce((sum, one) => sum + (isOptional(one.point, all) ? 0 : one.point.weight), 0);
  const shares = analysed.map(({ point }) => (100 * point.weight) / total);
  const required = analysed.flatMap((one, index) => (isOptional(one.point, all) ? [] : [index]));
  const weights = shares.map(Math.round);
  for (const [at, weight] of roundTo(
    100,
    required.map((index) => shares[index]!),
  ).entries())
    weights[required[at]!] = weight;
  const earned = shares.map((share, index) => share * credits[index]!.credit);
  const sum = earned.reduce((one, other) => one + other, 0);
  const percentage = Math.min(100, Math.round(sum));
  const scale = sum > 100 ? 100 / sum : 1;
  const whole = roundTo(
    percentage,
    earned.map((one) => one * scale),
  );
  return {
    percentage,
    points: analysed.map((one, index): Point => {
      const made = credits[index]!;
      const state = stateOf(made.credit);
      const evidence = state === 'missing' || !made.best ? null : evidenceOf(answer, made.best.fit);
      const how = howOf(made);
      return {
        text: one.point.text,
        covered: state === 'covered',
        evidence: evidence?.text ?? '',
        state,
        weight: weights[index]!,
        credit: whole[index]!,
        ...(isOptional(one.point, all) ? { optional: true } : {}),
        ...(evidence ? { firstWord: evidence.firstWord, lastWord: evidence.lastWord, how } : {}),
        ...(evidence ? timesOf(evidence, heard) : {}),
        reason: reasonOf(state, how, one.isContradicted),
      };
    }),
  };
}
