import type { AnalysedAnswer } from './analysis.ts';
import { type Curves, curveFeatures, type Feature, knots, partsOf, type ScoreModel } from './score-model.ts';

/** An answer to learn from. */
export interface Example {
  analysed: Pick<AnalysedAnswer, 'features' | 'long'>;
  /** What it should earn, 0–1. */
  target: number;
  /** By people who grade in school: an attempt earns something even where it is wrong. */
  isGraded: boolean;
  /** How much it counts. */
  weight: number;
}

/** The least and the most of graders' marks, 0–1. */
const grading = { least: 0.45, most: 1 };
const rounds = 1500;
const rate = 0.03;
/** The least slope of each part of the curve for contradictions: there are too few graded answers to fit it. */
const leastFall = [1.3, 1.7, 2];
/** These always earn something, so that of two answers alike in all else the one with more right words wins. */
const leastRise: Readonly<Partial<Record<Feature, number>>> = { coverage: 0.1, focus: 0.1 };
/** How much steps are held small. */
const restraint = 3e-3;

interface Step {
  kind: keyof ScoreModel;
  feature: Feature;
  part: number;
}

const kinds = ['short', 'long'] as const;
const steps: readonly Step[] = kinds.flatMap((kind) =>
  curveFeatures[kind].flatMap((feature) => knots[feature].map((_, part) => ({ kind, feature, part }))),
);

/** What each step of each curve counts for an answer, then what the two bases count. */
function countsOf({ features, long }: Example['analysed']): Float64Array {
  const share = { short: 1 - long, long };
  const ofSteps = steps.map(({ kind, feature, part }) => share[kind] * partsOf(feature, features[feature])[part]!);
  return Float64Array.from([...ofSteps, share.short, share.long]);
}

function withinLimits(at: number, value: number): number {
  const step = steps[at];
  if (!step) return value;
  return step.feature === 'contradicted'
    ? Math.min(-leastFall[step.part]!, value)
    : Math.max(leastRise[step.feature] ?? 0, value);
}

function curvesOf(kind: keyof ScoreModel, weights: Float64Array): Curves {
  const rounded = (at: number) => Number(weights[at]!.toFixed(3));
  const ofFeature = (feature: Feature) =>
    steps.flatMap((step, at) => (step.kind === kind && step.feature === feature ? [rounded(at)] : []));
  return {
    base: rounded(steps.length + kinds.indexOf(kind)),
    steps: Object.fromEntries(curveFeatures[kind].map((feature) => [feature, ofFeature(feature)])),
  };
}

/**
 * Fits the curves to examples by gradient descent (Adam), with steps held at zero or above (`contradicted`: below). The
 * result depends on the examples alone: the start is fixed.
 */
export function fitScore(examples: readonly Example[]): ScoreModel {
  const counts = examples.map(({ analysed }) => countsOf(analysed));
  const weights = new Float64Array(steps.length + kinds.length).map((_, at) => withinLimits(at, steps[at] ? 0.5 : -3));
  const mean = new Float64Array(weights.length);
  const square = new Float64Array(weights.length);
  for (let round = 1; round <= rounds; round++) {
    const gradient = weights.map((weight, at) => (steps[at] ? 2 * restraint * weight : 0));
    for (const [index, { isGraded, target, weight }] of examples.entries()) {
      const given = counts[index]!;
      const logOdds = given.reduce((sum, count, at) => sum + count * weights[at]!, 0);
      const chance = 1 / (1 + Math.exp(-logOdds));
      const [least, scale] = isGraded ? [grading.least, grading.most - grading.least] : [0, 1];
      const step = 2 * weight * scale * (least + scale * chance - target) * chance * (1 - chance);
      for (let at = 0; at < given.length; at++) gradient[at]! += step * given[at]!;
    }
    for (let at = 0; at < weights.length; at++) {
      mean[at] = 0.9 * mean[at]! + 0.1 * gradient[at]!;
      square[at] = 0.99 * square[at]! + 0.01 * gradient[at]! ** 2;
      const step = mean[at]! / (1 - 0.9 ** round) / (Math.sqrt(square[at]! / (1 - 0.99 ** round)) + 1e-9);
      weights[at] = withinLimits(at, weights[at]! - rate * step);
    }
  }
  return { short: curvesOf('short', weights), long: curvesOf('long', weights) };
}
