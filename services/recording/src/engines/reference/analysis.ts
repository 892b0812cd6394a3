import type { ExpertPoint } from '@interview-prep/contracts/expert-points';
import type { Word } from '@interview-prep/contracts/recordings';
import { isOptional } from '../add-up-points.ts';
import { fitsOf, type PointFit, wantedWords } from './alignment.ts';
import { type Answer, answerOf } from './answer.ts';
import { type AnswerFeatures, answerFeatures, progress } from './answer-features.ts';
import { fieldBackground } from './background.ts';
import { contradictionsIn } from './contradictions.ts';
import { expertWordsOf } from './expert-words.ts';
import { longness } from './score-model.ts';
import type { Token } from './token.ts';
import { isGrammar, tokensOf, wordsOf } from './tokens.ts';

/** How one stretch fits a point. */
export interface RatedFit {
  fit: PointFit;
  /** What is left of it, 0–1: less for a heap of keywords, nothing for the question repeated. */
  share: number;
}

/** A point with how each stretch of the answer fits it. */
export interface AnalysedPoint {
  point: ExpertPoint;
  fits: readonly RatedFit[];
  /** Whether the answer says something that turns it round. */
  isContradicted: boolean;
}

/** An answer set beside an expert's points. */
export interface AnalysedAnswer {
  answer: Answer;
  points: readonly AnalysedPoint[];
  features: AnswerFeatures;
  /** How long the expert answer is: 0 for a sentence, 1 for a paragraph. */
  long: number;
}

const expertTokensMax = 1000;
const pointTokensMax = 100;
/** Grammar holds speech together: about half of its words; a heap of keywords has hardly any. */
const leastGrammarShare = 0.2;
const heapMinWords = 6;
const heapWords = 10;
const heapShare = 0.15;

const grammarShareOf = (tokens: readonly Token[]): number =>
  tokens.filter(isGrammar).length / Math.max(1, tokens.length);

/** What is left of keywords without a sentence, 0–1. @param expected the least share of grammar that speech has */
const heapPenalty = (grammarShare: number, expected: number): number =>
  expected === 0 ? 1 : heapShare + (1 - heapShare) * progress(grammarShare / expected, 0, 1) ** 2;

/** Sets an answer beside each point. @param background meanings of expert answers to other questions */
export function analyseAnswer(
  question: string,
  points: readonly ExpertPoint[],
  transcript: string,
  words: readonly Word[],
  background: readonly Float32Array[] = fieldBackground,
): AnalysedAnswer {
  const expertAnswer = points.map(({ text }) => text).join('\n');
  const expert = expertWordsOf(question, expertAnswer);
  const long = longness(expert.length);
  const answer = answerOf(transcript, words, expert.asked);
  const content = answer.tokens.filter(({ weight }) => weight > 0).length;
  // An expert answer that is a list may be answered with a list.
  const expected = Math.min(leastGrammarShare, grammarShareOf(tokensOf(wordsOf(expertAnswer), expertTokensMax)) * 0.6);
  // A handful of keywords may be all there is to say; a long list of them is a heap.
  const isHeap = progress(content, heapMinWords, heapWords);
  const answerPenalty = 1 - isHeap * (1 - heapPenalty(grammarShareOf(answer.tokens), expected));
  const shareOf = ({ stretch }: PointFit): number => {
    if (!stretch.isNew) return 0;
    return stretch.tokens.length < heapMinWords ? answerPenalty : heapPenalty(stretch.grammarShare, expected);
  };
  const wordings = points.map(({ text, acceptedWordings }) =>
    [text, ...acceptedWordings].map((one) => tokensOf(wordsOf(one), pointTokensMax)),
  );
  const contradictions = contradictionsIn(answer.tokens, wordings, expert);
  const aligned = wordings.map((ofPoint) => ofPoint.map((tokens) => wantedWords(tokens, answer, expert)));
  const analysed = points.map((point, index): AnalysedPoint => {
    const fits = aligned[index]!.flatMap((wanted) => fitsOf(wanted, answer, expert));
    return {
      point,
      fits: fits.map((fit) => ({ fit, share: shareOf(fit) })),
      isContradicted: contradictions.points.has(index),
    };
  });
  const required = analysed.flatMap(({ point, fits }, index) =>
    isOptional(point, points) ? [] : [{ weight: point.weight, wordings: aligned[index]!, fits }],
  );
  const isNew = answer.stretches.some((stretch) => stretch.isNew);
  const features = answerFeatures(required, answer, expert, {
    share: isNew ? answerPenalty : 0,
    contradicted: contradictions.share,
    background,
  });
  return { answer, points: analysed, features, long };
}
