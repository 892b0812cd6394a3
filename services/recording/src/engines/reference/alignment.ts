import type { Answer, AnswerStretch } from './answer.ts';
import { boundSubjects } from './bindings.ts';
import type { FeatureValues } from './credit-model.ts';
import type { ExpertWords } from './expert-words.ts';
import { askedShare, meaningOf, specificLikeness } from './meaning.ts';
import { soundPairs } from './sound-pairs.ts';
import type { Token } from './tokens.ts';
import { joinedMatches, matchWords } from './word-match.ts';
import { dot } from './word-vectors.ts';

/** From this credit on two words say the same thing, so that a negation of one of them matters. */
const strongCredit = 0.84;
/** What the opposite of a word is worth where it is negated ("not mutable" for "immutable"). */
const negatedOppositeCredit = 0.8;
/** A word that is said elsewhere in the answer counts this much of what it would in the stretch. */
const elsewhereShare = 0.5;
/** Two words of a point are said together where so few others come between. */
const nearby = 8;
const alignedFrom = 0.5;

/** What a word of a point finds in a word of the answer. */
interface Pair {
  credit: number;
  /** Says the same by root or spelling. */
  same: boolean;
  /** Says the opposite, or says it of something else. */
  conflict: boolean;
  bySound: boolean;
}

/** How a stretch of an answer fits a point. */
export interface PointFit extends FeatureValues {
  /** How much of the point's weight is said, by meaning. */
  recall: number;
  /** How much is said in the same words. */
  exact: number;
  /** Cosine of the two meanings. */
  topic: number;
  /** The same without what all talk about software shares. */
  specific: number;
  /** How many neighbouring words of the point are said in its order, close together. */
  order: number;
  /** How much of what is said contradicts the point. */
  conflict: number;
  stretch: AnswerStretch;
  /** Indexes of the answer's tokens that the point's words were found in. */
  found: readonly number[];
  /** Whether a word of it was recognised by its sound. */
  bySound: boolean;
}

const nothing: Pair = { credit: 0, same: false, conflict: false, bySound: false };
const contradiction: Pair = { ...nothing, conflict: true };

function pairOf(wanted: Token, given: Token): Pair {
  const { credit, opposite } = matchWords(wanted, given);
  const turned = wanted.negated !== given.negated;
  if (opposite) return turned ? { ...nothing, credit: negatedOppositeCredit } : contradiction;
  const same = credit >= strongCredit;
  return same && turned ? contradiction : { ...nothing, credit, same };
}

interface WantedWord {
  token: Token;
  weight: number;
  pairs: readonly Pair[];
  best: number;
}

/** A point's words that carry meaning, each once, with what they find in each token of the answer. */
function wantedWords(point: readonly Token[], answer: Answer, expert: ExpertWords): WantedWord[] {
  const subjects = boundSubjects(answer.tokens, expert.subjects);
  const isOfAnother = ({ stem }: Token, at: number): boolean => {
    const subject = subjects[at];
    const known = expert.bindings.get(stem);
    return subject != null && known !== undefined && !known.has(null) && !known.has(subject);
  };
  const words = new Map<string, WantedWord>();
  for (const token of point) {
    if (token.weight === 0 || words.has(token.stem)) continue;
    const known = new Map<string, Pair>();
    const pairs = answer.tokens.map((given, at) => {
      if (given.weight === 0) return nothing;
      const key = `${given.stem} ${given.negated}`;
      const pair = known.get(key) ?? pairOf(token, given);
      known.set(key, pair);
      return pair.credit >= alignedFrom && isOfAnother(token, at) ? contradiction : pair;
    });
    for (const { from, to } of joinedMatches(token, answer.tokens))
      for (let at = from; at <= to; at++) pairs[at] = { ...nothing, credit: 1, same: true };
    for (const { from, to, credit } of soundPairs(token, answer, expert.stems))
      for (let at = from; at <= to; at++)
        if (pairs[at]!.credit < credit) pairs[at] = { ...nothing, credit, same: credit > strongCredit, bySound: true };
    const weight = token.weight * (expert.asked.has(token.stem) ? askedShare : 1);
    words.set(token.stem, { token, weight, pairs, best: Math.max(0, ...pairs.map(({ credit }) => credit)) });
  }
  return [...words.values()];
}

function fitOf(wanted: readonly WantedWord[], meaning: Float32Array, stretch: AnswerStretch): PointFit {
  let [total, recall, exact, conflict, said] = [0, 0, 0, 0, 0];
  let bySound = false;
  const places: number[] = [];
  for (const { weight, pairs, best } of wanted) {
    let here = nothing;
    let place = -1;
    let against = false;
    for (const at of stretch.tokens) {
      const pair = pairs[at]!;
      if (pair.conflict) against = true;
      if (pair.credit <= here.credit) continue;
      here = pair;
      place = at;
    }
    const isContradicted = against && !here.same;
    total += weight;
    recall += weight * (isContradicted ? 0 : Math.max(here.credit, elsewhereShare * best));
    exact += here.same ? weight : 0;
    conflict += isContradicted ? weight : 0;
    said += isContradicted ? weight : weight * here.credit;
    if (here.bySound) bySound = true;
    if (here.credit >= alignedFrom) places.push(place);
  }
  const inOrder = places.filter((place, index) => {
    const step = place - (places[index - 1] ?? place);
    return step > 0 && step <= nearby;
  }).length;
  return {
    recall: total > 0 ? recall / total : 0,
    exact: total > 0 ? exact / total : 0,
    topic: Math.max(0, dot(meaning, stretch.meaning)),
    specific: specificLikeness(meaning, stretch.meaning),
    order: wanted.length > 1 ? inOrder / (wanted.length - 1) : recall,
    conflict: said > 0 ? conflict / said : 0,
    stretch,
    found: places,
    bySound,
  };
}

/** How each stretch of an answer fits a point. */
export function fitsOf(point: readonly Token[], answer: Answer, expert: ExpertWords): PointFit[] {
  const wanted = wantedWords(point, answer, expert);
  const meaning = meaningOf(
    wanted.map(({ token }) => token),
    expert.asked,
  );
  return answer.stretches.map((stretch) => fitOf(wanted, meaning, stretch));
}
