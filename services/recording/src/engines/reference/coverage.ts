import type { Answer } from './answer.ts';
import { negations } from './english-words.ts';
import { soundMatches } from './sound-match.ts';
import { bestStretch, type Hit, type Stretch } from './stretch.ts';
import { fieldWeight, type Token } from './tokens.ts';
import { joinedMatches, wordCredit } from './word-match.ts';

/** A point is said in one stretch of at most so many tokens: more for a longer point. */
const reach = { least: 12, perToken: 2, most: 60 };
/** A word that the answer negates and the point does not, or the other way round, earns this much of what it would have. */
const reversedShare = 0.25;
/** A negation reaches this many tokens forward. */
const negationReach = 3;

/** A word that recurs in n points is worth 1/n to this power in each: it tells the subject rather than the point. */
const recurrencePower = 0.7;

/** How far an answer says a point, and where. */
export interface PointCoverage {
  /** The point's own weight: the sum over its words. */
  weight: number;
  /** How many words the point has that weigh anything. */
  words: number;
  /** How much of that weight the answer says, 0–1. */
  share: number;
  /** Where it says it; null where it does not. */
  stretch: Stretch | null;
}

const isNegatedAt = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(Math.max(0, at - negationReach), at).some(({ text }) => negations.has(text));

const hitsOf = (wanted: Token, negated: boolean, answer: Answer): Hit[] => {
  const hits: Hit[] = [];
  const offer = ({ from, to, credit }: Hit) => {
    if (credit === 0) return;
    hits.push({ from, to, credit: isNegatedAt(answer.tokens, from) === negated ? credit : credit * reversedShare });
  };
  for (const [at, given] of answer.tokens.entries())
    if (given.weight > 0) offer({ from: at, to: at, credit: wordCredit(wanted, given) });
  for (const { from, to } of joinedMatches(wanted, answer.tokens)) offer({ from, to, credit: 1 });
  if (answer.stream && wanted.weight >= fieldWeight)
    for (const hit of soundMatches(wanted, answer.stream))
      if (!answer.clear[hit.from] || !answer.clear[hit.to]) offer(hit);
  return hits;
};

/** A point's words that carry meaning, each once. */
const contentWordsOf = (point: readonly Token[]): Map<string, { token: Token; negated: boolean }> => {
  const words = new Map<string, { token: Token; negated: boolean }>();
  for (const [at, token] of point.entries())
    if (token.weight > 0 && !words.has(token.stem)) words.set(token.stem, { token, negated: isNegatedAt(point, at) });
  return words;
};

/**
 * How far the answer covers each point. What tells one point from others counts: a word counts once per point, the
 * question's words earn nothing, and a word that recurs in several points is worth a part in each.
 * @param points the tokens of each point
 */
export const coverPoints = (
  points: readonly (readonly Token[])[],
  question: readonly Token[],
  answer: Answer,
): PointCoverage[] => {
  const asked = new Set(question.map(({ stem }) => stem));
  const wordsOfPoints = points.map(contentWordsOf);
  const pointsWith = new Map<string, number>();
  for (const stem of wordsOfPoints.flatMap((words) => [...words.keys()]))
    pointsWith.set(stem, (pointsWith.get(stem) ?? 0) + 1);
  const saysOnlyTheQuestion = [...pointsWith.keys()].every((stem) => asked.has(stem));
  const saidBefore = [0];
  for (const { weight } of answer.tokens) saidBefore.push(saidBefore.at(-1)! + weight);
  const known = new Map<string, Hit[]>();
  return wordsOfPoints.map((words, index) => {
    const wanted = [...words.values()]
      .filter(({ token }) => saysOnlyTheQuestion || !asked.has(token.stem))
      .map(({ token, negated }) => {
        const key = `${token.stem} ${negated}`;
        const hits = known.get(key) ?? hitsOf(token, negated, answer);
        known.set(key, hits);
        return { weight: token.weight / pointsWith.get(token.stem)! ** recurrencePower, hits };
      });
    const weight = wanted.reduce((sum, word) => sum + word.weight, 0);
    const span = Math.min(reach.most, reach.least + reach.perToken * points[index]!.length);
    const stretch = bestStretch(wanted, span, saidBefore);
    return { weight, words: wanted.length, share: stretch ? Math.min(1, stretch.earned / weight) : 0, stretch };
  });
};
