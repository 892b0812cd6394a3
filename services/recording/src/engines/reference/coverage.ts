import type { Answer } from './answer.ts';
import { negations } from './english-words.ts';
import { soundMatches } from './sound-match.ts';
import type { Token } from './tokens.ts';
import { joinedMatches, wordCredit } from './word-match.ts';

/** What belongs together is said together: a point's words count where they fall within this many blocks of tokens. */
const blockTokens = 8;
const windowBlocks = 4;
/** What repeating a word of the question still earns. */
const questionWordShare = 0.15;
/** A word that the answer negates and the point does not, or the other way round, earns this much of what it would have. */
const reversedShare = 0.25;
/** A negation reaches this many tokens forward. */
const negationReach = 3;

interface Hit {
  from: number;
  to: number;
  credit: number;
}

/** How far an answer says a point, and where. */
export interface PointCoverage {
  /** The point's own weight: the sum over its distinct words. */
  weight: number;
  /** 0–1. */
  share: number;
  /** Token indices of the stretch that says it, ends included; null where nothing does. */
  span: { from: number; to: number } | null;
}

const isNegatedAt = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(Math.max(0, at - negationReach), at).some(({ text }) => negations.has(text));

/** The best hit of a wanted word in each block of the answer. */
const hitsByBlock = (wanted: Token, negated: boolean, answer: Answer): (Hit | undefined)[] => {
  const best: (Hit | undefined)[] = new Array(Math.ceil(answer.tokens.length / blockTokens)).fill(undefined);
  const offer = ({ from, to, credit }: Hit) => {
    if (credit === 0) return;
    const hit = { from, to, credit: isNegatedAt(answer.tokens, from) === negated ? credit : credit * reversedShare };
    const block = Math.floor(hit.from / blockTokens);
    if (hit.credit > (best[block]?.credit ?? 0)) best[block] = hit;
  };
  for (const [at, given] of answer.tokens.entries())
    if (given.weight > 0) offer({ from: at, to: at, credit: wordCredit(wanted, given) });
  for (const { from, to } of joinedMatches(wanted, answer.tokens)) offer({ from, to, credit: 1 });
  if (answer.stream && wanted.weight === 1)
    for (const hit of soundMatches(wanted, answer.stream))
      if (!answer.clear[hit.from] || !answer.clear[hit.to]) offer(hit);
  return best;
};

const bestOf = (hits: readonly (Hit | undefined)[], block: number): Hit | undefined => {
  let best: Hit | undefined;
  for (let at = block; at < Math.min(hits.length, block + windowBlocks); at++)
    if ((hits[at]?.credit ?? 0) > (best?.credit ?? 0)) best = hits[at];
  return best;
};

/** A point's words that carry meaning, each once. */
const contentWordsOf = (point: readonly Token[]): { token: Token; negated: boolean }[] => {
  const words = new Map<string, { token: Token; negated: boolean }>();
  for (const [at, token] of point.entries())
    if (token.weight > 0 && !words.has(token.stem)) words.set(token.stem, { token, negated: isNegatedAt(point, at) });
  return [...words.values()];
};

/**
 * How far the answer covers each point. A word counts once per point; words of the question earn little.
 * @param points the tokens of each point
 */
export const coverPoints = (
  points: readonly (readonly Token[])[],
  question: readonly Token[],
  answer: Answer,
): PointCoverage[] => {
  const asked = new Set(question.map(({ stem }) => stem));
  const known = new Map<string, (Hit | undefined)[]>();
  const blocks = Math.ceil(answer.tokens.length / blockTokens);
  return points.map((point) => {
    const wanted = contentWordsOf(point).map(({ token, negated }) => {
      const key = `${token.stem} ${negated}`;
      const hits = known.get(key) ?? hitsByBlock(token, negated, answer);
      known.set(key, hits);
      return { weight: token.weight * (asked.has(token.stem) ? questionWordShare : 1), hits };
    });
    const weight = wanted.reduce((sum, word) => sum + word.weight, 0);
    let earned = 0;
    let span: PointCoverage['span'] = null;
    for (let block = 0; block < Math.max(1, blocks - windowBlocks + 1); block++) {
      const hits = wanted.map((word) => ({ weight: word.weight, hit: bestOf(word.hits, block) }));
      const sum = hits.reduce((total, { weight: worth, hit }) => total + worth * (hit?.credit ?? 0), 0);
      if (sum <= earned) continue;
      earned = sum;
      const found = hits.flatMap(({ hit }) => hit ?? []);
      span = { from: Math.min(...found.map(({ from }) => from)), to: Math.max(...found.map(({ to }) => to)) };
    }
    return { weight, share: weight === 0 ? 0 : earned / weight, span };
  });
};
