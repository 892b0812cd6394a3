import type { Answer, AnswerStretch } from './answer.ts';
import type { ExpertWords } from './expert-words.ts';
import { askedShare, meaningOf, specificLikeness } from './meaning.ts';
import { soundPairs } from './sound-pairs.ts';
import type { Token } from './token.ts';
import { joinedMatches, matchWords, sameFrom } from './word-match.ts';

/** A word that is said elsewhere in the answer counts this much of what it would in the stretch. */
const elsewhereShare = 0.5;
/** Two words of a point count as said together if at most this many others are between them. */
const nearby = 8;
const alignedFrom = 0.5;

/** What a word of a point finds in a word of the answer. */
interface Pair {
  /** How well it matches the word, 0–1. */
  credit: number;
  /** How far it speaks of the same thing, 0–1; its opposite and another number do. */
  relation: number;
  bySound: boolean;
}

/** A word of a point with what it finds in each token of an answer. */
export interface WantedWord {
  token: Token;
  weight: number;
  pairs: readonly Pair[];
  /** The most that any token of the answer is worth, 0–1. */
  best: number;
}

/** How a stretch of an answer fits a point, each 0–1. */
export interface PointFit {
  /** How much of the point's weight is said, by meaning. */
  recall: number;
  /** How much is said in the same words. */
  exact: number;
  /** Cosine of the two meanings, without what all talk about software shares. */
  specific: number;
  /** How many neighbouring words of the point are said in its order, close together. */
  order: number;
  stretch: AnswerStretch;
  /** Indexes of the answer's tokens that the point's words were found in. */
  found: readonly number[];
  /** Whether a word of it was recognised by its sound. */
  bySound: boolean;
}

/** What is left of a word that is negated on one side only. */
const negatedShare = 0.6;

function pairOf(wanted: Token, given: Token): Pair {
  const { credit, opposite } = matchWords(wanted, given);
  const isTurned = credit >= sameFrom && wanted.negated !== given.negated;
  return { credit: isTurned ? negatedShare * credit : credit, relation: opposite ? 1 : credit, bySound: false };
}

const nothing: Pair = { credit: 0, relation: 0, bySound: false };

/** A point's words that carry meaning, each once, with what they find in each token of the answer. */
export function wantedWords(point: readonly Token[], answer: Answer, expert: ExpertWords): WantedWord[] {
  const words = new Map<string, WantedWord>();
  for (const token of point) {
    if (token.weight === 0 || words.has(token.stem)) continue;
    const known = new Map<string, Pair>();
    const pairs = answer.tokens.map((given) => {
      if (given.weight === 0) return nothing;
      const key = `${given.stem} ${given.negated}`;
      const pair = known.get(key) ?? pairOf(token, given);
      known.set(key, pair);
      return pair;
    });
    for (const { from, to } of joinedMatches(token, answer.tokens))
      for (let at = from; at <= to; at++) pairs[at] = { credit: 1, relation: 1, bySound: false };
    for (const { from, to, credit } of soundPairs(token, answer, expert.stems))
      for (let at = from; at <= to; at++)
        if (pairs[at]!.credit < credit) pairs[at] = { credit, relation: credit, bySound: true };
    const weight = token.weight * (expert.asked.has(token.stem) ? askedShare : 1);
    words.set(token.stem, { token, weight, pairs, best: Math.max(0, ...pairs.map(({ credit }) => credit)) });
  }
  return [...words.values()];
}

function fitOf(
  wanted: readonly WantedWord[],
  meaning: Float32Array,
  stretch: AnswerStretch,
  { tokens }: Answer,
): PointFit {
  let [total, recall, exact] = [0, 0, 0];
  let bySound = false;
  const places: number[] = [];
  for (const { weight, pairs, best } of wanted) {
    let here = nothing;
    let place = -1;
    for (const at of stretch.tokens) {
      const pair = pairs[at]!;
      if (pair.credit <= here.credit) continue;
      here = pair;
      place = at;
    }
    total += weight;
    recall += weight * Math.max(here.credit, elsewhereShare * best);
    exact += here.credit >= sameFrom ? weight : 0;
    if (here.bySound) bySound = true;
    if (here.credit >= alignedFrom) places.push(place);
  }
  const inOrder = places.filter((place, index) => {
    const before = places[index - 1] ?? place;
    const step = place - before;
    // Words of two sentences have no order: the sentences may come in any.
    return step > 0 && step <= nearby && tokens[place]!.sentence === tokens[before]!.sentence;
  }).length;
  return {
    recall: total > 0 ? recall / total : 0,
    exact: total > 0 ? exact / total : 0,
    specific: specificLikeness(meaning, stretch.meaning),
    order: total === 0 ? 0 : wanted.length > 1 ? inOrder / (wanted.length - 1) : recall / total,
    stretch,
    found: places,
    bySound,
  };
}

/** How each stretch of an answer fits a point, given as its words. */
export function fitsOf(wanted: readonly WantedWord[], answer: Answer, { asked }: ExpertWords): PointFit[] {
  const meaning = meaningOf(
    wanted.map(({ token }) => token),
    asked,
  );
  return answer.stretches.map((stretch) => fitOf(wanted, meaning, stretch, answer));
}
