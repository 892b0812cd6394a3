import { derivePoints } from '@interview-prep/contracts/derive-points';
import { type AssessmentRequest, type AssessmentResult, type Assessor, correctFrom } from '../assessor.ts';
import { answerOf, quote } from './answer.ts';
import { coverPoints } from './coverage.ts';
import { isTooShort, ownWordsOf, tooShort, whyNoAnswer } from './no-answer.ts';
import { scoreOf } from './score.ts';
import { tokensOf, wordsOf } from './tokens.ts';

const name = 'reference';
const questionTokensMax = 200;
const pointTokensMax = 100;
const expertTokensMax = 600;

/** Judges an answer by an expert's, offline. Exported for the command that measures it; see ReferenceAssessor. */
const assessByReference = (request: AssessmentRequest): AssessmentResult => {
  const { question, transcript, words, expertAnswer, points: given } = request;
  const pointTexts = (given ?? derivePoints(expertAnswer ?? '')).map(({ text }) => text);
  if (!expertAnswer || pointTexts.length === 0)
    return {
      status: 'unscored',
      isCorrect: null,
      correctnessPercentage: null,
      expertAnswer: '',
      points: [],
      engine: name,
      reason: 'There is no expert answer to judge this question by.',
    };
  const verdict = { status: 'completed', expertAnswer, engine: name } as const;
  const noAnswer = (reason: string): AssessmentResult => ({
    ...verdict,
    isCorrect: false,
    correctnessPercentage: 0,
    points: pointTexts.map((text) => ({ text, covered: false, evidence: '' })),
    reason,
  });
  const reason = whyNoAnswer(question, transcript);
  if (reason !== null) return noAnswer(reason);
  const answer = answerOf(transcript, words);
  const asked = tokensOf(wordsOf(question), questionTokensMax);
  let room = expertTokensMax;
  const pointTokens = pointTexts.map((text) => {
    const tokens = tokensOf(wordsOf(text), Math.min(pointTokensMax, room));
    room -= tokens.length;
    return tokens;
  });
  const coverages = coverPoints(pointTokens, asked, answer);
  // What was typed was meant, however short; a few words that were heard may be no words at all.
  const mayBeShort = words.length === 0 && coverages.some(({ stretch }) => stretch !== null);
  if (!mayBeShort && isTooShort(answer.tokens, expertAnswer)) return noAnswer(tooShort);
  const { percentage: correctnessPercentage, covered } = scoreOf({
    coverages,
    answer: answer.tokens,
    expert: pointTokens.flat(),
    ownWords: ownWordsOf(answer.tokens, asked),
    confidence: answer.confidence,
  });
  const points = coverages.flatMap(({ weight, stretch }, index) => {
    // What only repeats the question can neither be said nor missed.
    if (weight === 0) return [];
    const evidence = covered[index] && stretch ? quote(answer, stretch.from, stretch.to) : '';
    return { text: pointTexts[index]!, covered: evidence !== '', evidence };
  });
  return { ...verdict, isCorrect: correctnessPercentage >= correctFrom, correctnessPercentage, points };
};

/**
 * Weighs which points of the expert answer a transcript covers, tolerant of inflection and of mishearing. It compares
 * words and does not reason: a fluent answer in wholly other words scores low, a plausible falsehood in the expert's
 * words scores high. Works without a network; well under 20 ms for an answer.
 */
export const createReferenceAssessor = (): Assessor => ({
  name,
  async assess(request) {
    request.signal.throwIfAborted();
    return assessByReference(request);
  },
});
