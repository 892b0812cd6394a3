/** What a point's credit is worked out from, each 0–1; see PointFit. */
export const features = ['recall', 'exact', 'topic', 'specific', 'order', 'conflict'] as const;
export type Feature = (typeof features)[number];
export type FeatureValues = Readonly<Record<Feature, number>>;

/**
 * One curve for each feature, as a list of steps: one for each part between two knots, within which it rises evenly. Steps
 * are never negative, those of `conflict` never positive. `base` is the sum before any step. All in log-odds.
 */
export interface Curves {
  base: number;
  steps: Readonly<Record<Feature, readonly number[]>>;
}

/**
 * How a point's credit follows from its features. Any talk in the field shares a little with each point of a long expert
 * answer, so there are curves for short and for long expert answers; those between get a mixture.
 */
export interface CreditModel {
  /** Where the parts of each curve begin and end: one more than there are steps. */
  knots: readonly number[];
  short: Curves;
  long: Curves;
}

/** Up to so many points an expert answer is wholly short, and from so many on wholly long. */
const length = { short: 2, long: 5 };
/** A likelihood this near to 0 or 1 counts as such: nobody says a point in all the expert's words. */
const margin = 0.1;

/** How far a value is through a part, 0–1. */
export function progress(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** 0 for a short expert answer, 1 for a long one. */
export function longness(points: number): number {
  return progress(points, length.short, length.long);
}

/** The credit by its log-odds, 0–1. */
export function creditOfLogOdds(logOdds: number): number {
  return progress(1 / (1 + Math.exp(-logOdds)), margin, 1 - margin);
}

function sumOfCurves({ base, steps }: Curves, knots: readonly number[], values: FeatureValues): number {
  let sum = base;
  for (const feature of features)
    for (const [part, step] of steps[feature].entries())
      sum += step * progress(values[feature], knots[part]!, knots[part + 1]!);
  return sum;
}

/** A point's credit, 0–1. @param points how many points the expert answer has */
export function creditOf(model: CreditModel, values: FeatureValues, points: number): number {
  const long = longness(points);
  const { knots } = model;
  return creditOfLogOdds(
    (1 - long) * sumOfCurves(model.short, knots, values) + long * sumOfCurves(model.long, knots, values),
  );
}
