import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { pointShares } from '@interview-prep/contracts/recording/point-states';
import type { CreditRange, Point, PointState, Word } from '@interview-prep/contracts/recording/recordings';

/** The score of an answer, in whole percentage points that add up. */
export interface PointsSum {
  /** 0–100. */
  percentage: number;
  /** The weight of each point; those of required points add up to 100. */
  weights: number[];
  /** The credit for each point; they add up to the percentage. */
  credits: number[];
}

/** Whether a point is optional; if all points are, they all count as required. */
export function isOptional({ optional }: ExpertPoint, points: readonly ExpertPoint[]): boolean {
  return optional && !points.every((one) => one.optional);
}

/** Rounds to whole numbers that add up to the given total (largest remainder method). */
function roundTo(total: number, values: readonly number[]): number[] {
  const rounded = values.map(Math.floor);
  const order = values.map((value, index) => ({ index, rest: value - Math.floor(value) }));
  order.sort((a, b) => b.rest - a.rest || a.index - b.index);
  const missing = total - rounded.reduce((sum, value) => sum + value, 0);
  for (const { index } of order.slice(0, Math.max(0, missing))) rounded[index]! += 1;
  return rounded;
}

/**
 * Adds up the credits of points. Required points share 100 by their weights; optional ones add to that, up to 100.
 * @param shares how much of each point is made, 0–1
 */
export function addUpPoints(points: readonly ExpertPoint[], shares: readonly number[]): PointsSum {
  const required = points.flatMap((point, index) => (isOptional(point, points) ? [] : [index]));
  const total = required.reduce((sum, index) => sum + points[index]!.weight, 0);
  const exact = points.map(({ weight }) => (100 * weight) / total);
  const weights = exact.map(Math.round);
  const ofRequired = roundTo(
    100,
    required.map((index) => exact[index]!),
  );
  for (const [at, index] of required.entries()) weights[index] = ofRequired[at]!;
  const earned = weights.map((weight, index) => weight * shares[index]!);
  const sum = earned.reduce((one, other) => one + other, 0);
  const percentage = Math.min(100, Math.round(sum));
  const scale = sum > 100 ? 100 / sum : 1;
  const credits = roundTo(
    percentage,
    earned.map((one) => one * scale),
  );
  return { percentage, weights, credits };
}

/** The possible range of a verdict, 0–100, if the judge is unsure of a point; undefined if it is sure of all. */
export function rangeOf(points: readonly Pick<Point, 'credit' | 'creditRange'>[]): CreditRange | undefined {
  if (!points.some(({ creditRange }) => creditRange)) return undefined;
  const sum = (bound: keyof CreditRange) =>
    Math.min(
      100,
      points.reduce((total, { credit, creditRange }) => total + (creditRange?.[bound] ?? credit ?? 0), 0),
    );
  return { from: sum('from'), to: sum('to') };
}

/** A range of an answer's words: the indexes of the first and the last one. */
export interface Place {
  firstWord: number;
  lastWord: number;
}

/** Quotes a range of words, with its times if they are known. */
export function quoteOf({ firstWord, lastWord }: Place, words: readonly string[], times: readonly Word[]) {
  const [first, last] = [times[firstWord], times[lastWord]];
  return {
    text: words.slice(firstWord, lastWord + 1).join(' '),
    ...(first && last ? { startMs: first.startMs, endMs: last.endMs } : {}),
  };
}

/** A judged point of the expert answer, with the place of its evidence. */
export interface StatedPoint {
  point: ExpertPoint;
  state: PointState;
  place: Place | null;
}

/** Points with whole credits, which add up to the percentage. */
export interface JudgedPoints {
  percentage: number;
  points: (Point & { weight: number; credit: number })[];
}

/** Adds up the credits of points by their states. @param words the answer's words, as they were heard */
export function pointsOf(
  judged: readonly StatedPoint[],
  words: readonly string[],
  times: readonly Word[],
): JudgedPoints {
  const expertPoints = judged.map(({ point }) => point);
  const { percentage, weights, credits } = addUpPoints(
    expertPoints,
    judged.map(({ state }) => pointShares[state]),
  );
  const points = judged.map(({ point, state, place }, index) => {
    const { text: evidence, ...playable } = place ? quoteOf(place, words, times) : { text: '' };
    return {
      text: point.text,
      covered: state === 'covered',
      evidence,
      state,
      weight: weights[index]!,
      credit: credits[index]!,
      ...(isOptional(point, expertPoints) ? { optional: true } : {}),
      ...(place ? { firstWord: place.firstWord, lastWord: place.lastWord, ...playable } : {}),
    };
  });
  return { percentage, points };
}
