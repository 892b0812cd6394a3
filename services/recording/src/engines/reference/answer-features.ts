import type { PointFit, WantedWord } from './alignment.ts';
import type { Answer } from './answer.ts';
import { contrastOf } from './background.ts';
import type { ExpertWords } from './expert-words.ts';
import { askedShare, meaningOf, specificLikeness } from './meaning.ts';
import { sameFrom } from './word-match.ts';
import { dot } from './word-vectors.ts';

/** A share that rises evenly from 0 at `from` to 1 at `to`. */
export function progress(value: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (value - from) / (to - from)));
}

/** What a score is worked out from, each 0–1. */
export interface AnswerFeatures {
  /** How much of the points' words is said anywhere, by meaning. */
  coverage: number;
  /** How much of them is said in the same words. */
  wording: number;
  /** How much of the answer is about the points. */
  focus: number;
  /** Coverage, as a share of what an answer in such words can reach. */
  completeness: number;
  /** Cosine of the two meanings; of the stretch that comes nearest. */
  nearness: number;
  /** The same, without what all talk about software shares. */
  likeness: number;
  /** How much rather the answer is about these points than about other questions of the field. */
  contrast: number;
  /** How many of the points are said in nearly all their words. */
  made: number;
  /** How far the points' words are said in their order. */
  order: number;
  /** How much of the answer contradicts a point. */
  contradicted: number;
}

/** A required point: its weight, its words in each wording, and the fits of the stretches. */
export interface RequiredPoint {
  weight: number;
  wordings: readonly (readonly WantedWord[])[];
  fits: readonly { fit: PointFit; share: number }[];
}

/** Under this focus an answer speaks of something else, however it compares. */
const leastFocus = 0.15;
/** A point counts as made between these shares of its words. */
const madeFrom = 0.45;
const madeTo = 0.9;

/** An answer is about another question rather than this one below the first, and surely about this one from the second. */
const contrastRange = [-0.35, 0.15] as const;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const weightOf = (words: readonly WantedWord[]): number => sum(words.map(({ weight }) => weight));
const coverageOf = (words: readonly WantedWord[]): number =>
  sum(words.map(({ weight, best }) => weight * best)) / Math.max(Number.EPSILON, weightOf(words));

/** The wording of each point that the answer comes nearest to; a word that several points share is taken once. */
function nearestWords(points: readonly RequiredPoint[]): WantedWord[] {
  const seen = new Set<string>();
  return points.flatMap(({ weight, wordings }) => {
    const nearest = wordings.reduce((best, one) => (coverageOf(one) > coverageOf(best) ? one : best));
    return nearest.flatMap((word) => {
      if (seen.has(word.token.stem)) return [];
      seen.add(word.token.stem);
      return [{ ...word, weight: word.weight * weight }];
    });
  });
}

/** The share of an answer's words that find something in a point. */
function focusOf(
  points: readonly RequiredPoint[],
  { tokens }: Answer,
  asked: ReadonlySet<string>,
  by: 'credit' | 'relation',
): number {
  const words = points.flatMap(({ wordings }) => wordings.flat());
  const places = Map.groupBy(tokens.keys(), (at) => tokens[at]!.stem);
  let [total, about] = [0, 0];
  for (const [stem, said] of places) {
    // The place where a word finds most, so that the order of sentences does not matter.
    const { weight } = tokens[said[0]!]!;
    if (weight === 0) continue;
    const share = weight * (asked.has(stem) ? askedShare : 1);
    total += share;
    about +=
      share * words.reduce((most, { pairs }) => said.reduce((best, at) => Math.max(best, pairs[at]![by]), most), 0);
  }
  return total > 0 ? about / total : 0;
}

/**
 * Describes how an answer fits all required points.
 * @param share what is left of it where it is a heap of keywords, 0–1
 * @param contradicted the share of it that contradicts a point
 * @param background meanings of expert answers to other questions
 */
export function answerFeatures(
  points: readonly RequiredPoint[],
  answer: Answer,
  expert: ExpertWords,
  { share, contradicted, background }: { share: number; contradicted: number; background: readonly Float32Array[] },
): AnswerFeatures {
  const words = nearestWords(points);
  const same = weightOf(words.filter(({ best }) => best >= sameFrom));
  const coverage = coverageOf(words);
  // A wrong number or an opposite is still about the point, so it counts here.
  const reach = Math.max(leastFocus, focusOf(points, answer, expert.asked, 'relation'));
  const meaning = meaningOf(answer.tokens, expert.asked);
  const meanings = [meaning, ...answer.stretches.map(({ meaning }) => meaning)];
  const most = (of: (meaning: Float32Array) => number) => Math.max(0, ...meanings.map(of));
  const total = Math.max(Number.EPSILON, sum(points.map(({ weight }) => weight)));
  const ofPoints = (of: (fit: PointFit) => number) =>
    sum(points.map(({ weight, fits }) => weight * Math.max(0, ...fits.map((one) => one.share * of(one.fit))))) / total;
  return {
    coverage: share * coverage,
    wording: (share * same) / Math.max(Number.EPSILON, weightOf(words)),
    focus: share * focusOf(points, answer, expert.asked, 'credit'),
    completeness: share * Math.min(1, coverage / reach),
    nearness: share * most((meaning) => dot(expert.meaning, meaning)),
    likeness: share * most((meaning) => specificLikeness(expert.meaning, meaning)),
    contrast:
      share *
      (meaning.some((value) => value !== 0)
        ? progress(contrastOf(meaning, expert.meaning, background), ...contrastRange)
        : 0),
    made: ofPoints(({ recall }) => progress(recall, madeFrom, madeTo)),
    order: ofPoints(({ order }) => order),
    contradicted,
  };
}
