import type { AnalysedPoint } from './analysis.ts';
import { type CreditModel, type Curves, type Feature, features, longness, progress } from './credit-model.ts';

/** An answer to learn from. */
export interface Example {
  points: readonly AnalysedPoint[];
  /** What it should earn, 0–1. */
  target: number;
  /** By people who grade in school: an attempt earns something even where it is wrong. */
  isGraded: boolean;
  /** How much it counts. */
  weight: number;
}

/** Where the parts of each curve begin and end. */
const knots = [0, 0.2, 0.45, 1];
const parts = knots.length - 1;
const dimensions = 1 + features.length * parts;
/** Graders' marks, 0–1, by what an answer is worth here. */
const grading = { least: 0.5, most: 1 };
const rounds = 600;
const rate = 0.05;
/** What contradicts a point always costs at least so much in each part of the curve: few graded answers contradict, too few to learn it from. */
const leastConflictStep = 0.2;
/** How much steps are held small, and the slopes of neighbouring parts alike. */
const restraint = { size: 1e-5, bend: 1e-5 };
/** Only the stretches that fit a point best can be the best by any model. */
const fitsKept = 3;

interface Vectors {
  long: number;
  points: { weight: number; fits: { values: Float64Array; share: number }[] }[];
}

function valuesOf(fit: Readonly<Record<Feature, number>>): Float64Array {
  const values = new Float64Array(dimensions);
  values[0] = 1;
  for (const [index, feature] of features.entries())
    for (let part = 0; part < parts; part++)
      values[1 + index * parts + part] = progress(fit[feature], knots[part]!, knots[part + 1]!);
  return values;
}

const vectorsOf = ({ points }: Example): Vectors => ({
  long: longness(points.length),
  points: points.map(({ point, fits }) => ({
    weight: point.weight,
    fits: fits
      .toSorted((a, b) => b.fit.recall + b.fit.specific - a.fit.recall - a.fit.specific)
      .slice(0, fitsKept)
      .map(({ fit, share }) => ({ values: valuesOf(fit), share })),
  })),
});

/** The weights of the short curves, then those of the long ones. */
type Weights = Float64Array;

function logOdds(weights: Weights, values: Float64Array, long: number): number {
  let sum = 0;
  for (let at = 0; at < dimensions; at++)
    sum += values[at]! * ((1 - long) * weights[at]! + long * weights[dimensions + at]!);
  return sum;
}

const likelihood = (odds: number): number => 1 / (1 + Math.exp(-odds));

/** What an answer earns by the given weights, and adds what it asks of them to `gradient`. */
function learnFrom(example: Example, { points, long }: Vectors, weights: Weights, gradient: Weights): void {
  let [total, earned] = [0, 0];
  const chosen = points.map(({ weight, fits }) => {
    total += weight;
    let best = { credit: 0, slope: 0, values: null as Float64Array | null };
    for (const { values, share } of fits) {
      const chance = likelihood(logOdds(weights, values, long));
      if (chance * share > best.credit) best = { credit: chance * share, slope: chance * (1 - chance) * share, values };
    }
    earned += weight * best.credit;
    return { ...best, weight };
  });
  if (total === 0) return;
  const scale = example.isGraded ? grading.most - grading.least : 1;
  const expected = (example.isGraded ? grading.least : 0) + (scale * earned) / total;
  const error = example.weight * scale * (expected - example.target);
  for (const { weight, slope, values } of chosen) {
    if (!values) continue;
    const step = (error * weight * slope) / total;
    for (let at = 0; at < dimensions; at++) {
      gradient[at]! += step * (1 - long) * values[at]!;
      gradient[dimensions + at]! += step * long * values[at]!;
    }
  }
}

const isBase = (at: number): boolean => at % dimensions === 0;
const partOf = (at: number): number => ((at % dimensions) - 1) % parts;
const featureOf = (at: number): Feature => features[Math.floor(((at % dimensions) - 1) / parts)]!;

function addRestraint(weights: Weights, gradient: Weights): void {
  for (let at = 0; at < weights.length; at++) {
    if (isBase(at)) continue;
    gradient[at]! += restraint.size * weights[at]!;
    const part = partOf(at);
    if (part === 0) continue;
    const [width, before] = [knots[part + 1]! - knots[part]!, knots[part]! - knots[part - 1]!];
    const bend = weights[at]! / width - weights[at - 1]! / before;
    gradient[at]! += (restraint.bend * bend) / width;
    gradient[at - 1]! -= (restraint.bend * bend) / before;
  }
}

const curvesOf = (weights: Weights, from: number): Curves => ({
  base: Number(weights[from]!.toFixed(3)),
  steps: Object.fromEntries(
    features.map((feature, index) => {
      const start = from + 1 + index * parts;
      return [feature, [...weights.slice(start, start + parts)].map((step) => Number(step.toFixed(3)))];
    }),
  ) as Record<Feature, number[]>,
});

/**
 * Fits the curves to examples by gradient descent (Adam), with steps held at zero or above (`conflict`: below). The result
 * depends on the examples alone: the start is fixed.
 */
export function fitCredits(examples: readonly Example[]): CreditModel {
  const vectors = examples.map(vectorsOf);
  const weights = new Float64Array(2 * dimensions).map((_, at) =>
    isBase(at) ? -3 : featureOf(at) === 'conflict' ? -1 : 0.5,
  );
  const mean = new Float64Array(weights.length);
  const square = new Float64Array(weights.length);
  for (let round = 1; round <= rounds; round++) {
    const gradient = new Float64Array(weights.length);
    for (const [index, example] of examples.entries()) learnFrom(example, vectors[index]!, weights, gradient);
    addRestraint(weights, gradient);
    for (let at = 0; at < weights.length; at++) {
      mean[at] = 0.9 * mean[at]! + 0.1 * gradient[at]!;
      square[at] = 0.99 * square[at]! + 0.01 * gradient[at]! ** 2;
      const step = mean[at]! / (1 - 0.9 ** round) / (Math.sqrt(square[at]! / (1 - 0.99 ** round)) + 1e-9);
      const next = weights[at]! - rate * step;
      weights[at] = isBase(at)
        ? next
        : featureOf(at) === 'conflict'
          ? Math.min(-leastConflictStep, next)
          : Math.max(0, next);
    }
  }
  return { knots, short: curvesOf(weights, 0), long: curvesOf(weights, dimensions) };
}
