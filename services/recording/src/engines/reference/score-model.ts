import { readFileSync } from 'node:fs';
import { type AnswerFeatures, progress } from './answer-features.ts';

export type Feature = keyof AnswerFeatures;

/**
 * Where the parts of each feature's curve end; the first begins at 0. The curve rises evenly within a part, except that of
 * `contradicted`, which falls.
 */
export const knots: Readonly<Record<Feature, readonly number[]>> = {
  coverage: [0.15, 0.3, 0.5, 0.75],
  wording: [0.1, 0.3, 0.6, 1],
  focus: [0.2, 0.35, 0.5, 0.8],
  completeness: [0.3, 0.5, 0.7, 0.9, 1],
  nearness: [0.2, 0.4, 0.6, 0.8],
  likeness: [0.15, 0.3, 0.5, 0.8],
  contrast: [0.25, 0.5, 0.75, 1],
  made: [0.25, 0.5, 0.75, 1],
  order: [0.3, 1],
  contradicted: [0.2, 0.5, 0.9],
};

/** A curve for each feature, as one step for each part of it, and the sum before any step; in log-odds. */
export interface Curves {
  base: number;
  steps: Readonly<Partial<Record<Feature, readonly number[]>>>;
}

/**
 * How a score follows from an answer's features. Any talk in the field shares a little with a long expert answer, so there
 * are curves for short and for long expert answers; those between get a mixture.
 */
export interface ScoreModel {
  short: Curves;
  long: Curves;
}

/** The features of each kind of curves. More of them for short expert answers follow the graders' questions too closely. */
export const curveFeatures = {
  short: ['coverage', 'wording', 'nearness', 'likeness', 'order', 'contradicted'],
  long: Object.keys(knots) as Feature[],
} as const satisfies Record<keyof ScoreModel, readonly Feature[]>;

/** An expert answer with at most `short` different content words is wholly short; with `long` or more it is wholly long. */
const length = { short: 7, long: 25 };
/**
 * A likelihood this near to 1 counts as such: nobody says a point in all the expert's words. One this near to 0 earns little.
 * With short expert answers, a wide margin gives the same score to answers that people grade differently.
 */
const margin = { short: 0.06, long: 0.15 };
/** What a likelihood at the lower margin earns: of two answers that hardly say anything, the better one is still ahead. */
const lowerMarginScore = 0.012;

/** 0 for a short expert answer, 1 for a long one. @param words how many different words of content it has */
export function longness(words: number): number {
  return progress(words, length.short, length.long);
}

/** How far each part of a feature's curve is gone through, 0–1. */
export function partsOf(feature: Feature, value: number): number[] {
  return knots[feature].map((to, part) => progress(value, knots[feature][part - 1] ?? 0, to));
}

function sumOf({ base, steps }: Curves, features: AnswerFeatures): number {
  let sum = base;
  for (const [feature, ofFeature] of Object.entries(steps) as [Feature, readonly number[]][]) {
    const parts = partsOf(feature, features[feature]);
    sum += ofFeature.reduce((total, step, part) => total + step * parts[part]!, 0);
  }
  return sum;
}

/** A likelihood without its margins, 0–1; it rises throughout the lower one. @param long how long the expert answer is, 0–1 */
export function withoutMargin(likelihood: number, long: number): number {
  const cut = (1 - long) * margin.short + long * margin.long;
  const between = progress(likelihood, cut, 1 - cut);
  return lowerMarginScore * Math.sqrt(progress(likelihood, 0, cut)) + (1 - lowerMarginScore) * between;
}

/** What an answer earns, 0–1. @param long how long the expert answer is, 0–1 */
export function scoreOf({ short, long: paragraph }: ScoreModel, features: AnswerFeatures, long: number): number {
  const logOdds = (1 - long) * sumOf(short, features) + long * sumOf(paragraph, features);
  return withoutMargin(1 / (1 + Math.exp(-logOdds)), long);
}

/** The curves that fit-reference has written. */
export const scoreModel: ScoreModel = JSON.parse(readFileSync(new URL('score-model.json', import.meta.url), 'utf8'));
