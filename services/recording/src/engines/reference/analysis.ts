import type { ExpertPoint } from '@interview-prep/contracts/expert-points';
import type { Word } from '@interview-prep/contracts/recordings';
import { fitsOf, type PointFit } from './alignment.ts';
import { type Answer, answerOf } from './answer.ts';
import { progress } from './credit-model.ts';
import { expertWordsOf } from './expert-words.ts';
import { isGrammar, tokensOf, wordsOf } from './tokens.ts';

/** A point with how each stretch of the answer fits it. */
export interface AnalysedPoint {
  point: ExpertPoint;
  fits: readonly RatedFit[];
}

export interface RatedFit {
  fit: PointFit;
  /** What is left of its credit, 0–1: less for a heap of keywords, nothing for the question repeated. */
  share: number;
}

const pointTokensMax = 100;
/** Grammar holds speech together: about half of its words; a heap of keywords has hardly any. */
const leastGrammarShare = 0.3;
const heapMinWords = 6;
const heapShare = 0.15;

function shareOf({ stretch }: PointFit, answerShare: number, expected: number): number {
  if (!stretch.isNew) return 0;
  const given = stretch.tokens.length < heapMinWords ? answerShare : stretch.grammarShare;
  return expected === 0 ? 1 : heapShare + (1 - heapShare) * progress(given / expected, 0, 1) ** 2;
}

/** Sets an answer beside each point. */
export function analyseAnswer(
  question: string,
  points: readonly ExpertPoint[],
  transcript: string,
  words: readonly Word[],
): { answer: Answer; points: AnalysedPoint[] } {
  const expertAnswer = points.map(({ text }) => text).join('\n');
  const expert = expertWordsOf(question, expertAnswer);
  const answer = answerOf(transcript, words, expert.asked);
  const content = answer.tokens.filter(({ weight }) => weight > 0).length;
  const grammarShare = (tokens: Answer['tokens']) => tokens.filter(isGrammar).length / Math.max(1, tokens.length);
  // An expert answer that is a list may be answered with a list.
  const expected = Math.min(leastGrammarShare, grammarShare(tokensOf(wordsOf(expertAnswer), 1000)) * 0.6);
  const answerShare = content < heapMinWords ? 1 : grammarShare(answer.tokens);
  return {
    answer,
    points: points.map((point) => {
      const wordings = [point.text, ...point.acceptedWordings];
      const fits = wordings.flatMap((text) => fitsOf(tokensOf(wordsOf(text), pointTokensMax), answer, expert));
      return { point, fits: fits.map((fit) => ({ fit, share: shareOf(fit, answerShare, expected) })) };
    }),
  };
}
