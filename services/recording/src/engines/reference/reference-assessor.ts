import { derivePoints } from '@interview-prep/contracts/derive-points';
import { type AssessmentRequest, type AssessmentResult, type Assessor, correctFrom } from '../assessor.ts';
import { askByTemplate } from '../follow-ups/ask-by-template.ts';
import { analyseAnswer } from './analysis.ts';
import { creditsOf } from './credits.ts';
import { isTooShort, tooShort, whyNoAnswer } from './no-answer.ts';
import { type ScoreModel, scoreModel } from './score-model.ts';
import { verdictOf } from './verdict.ts';

const name = 'reference';

/** Judges an answer by an expert's points, offline; see `createReferenceAssessor`. */
function assessByReference(request: AssessmentRequest, model: ScoreModel): AssessmentResult {
  const { question, transcript, words, expertAnswer = '' } = request;
  const points = request.points?.length ? request.points : derivePoints(expertAnswer);
  if (points.length === 0)
    return {
      status: 'unscored',
      isCorrect: null,
      correctnessPercentage: null,
      expertAnswer: '',
      points: [],
      engine: name,
      reason: 'There is no expert answer to judge this question by.',
    };
  const analysed = analyseAnswer(question, points, transcript, words);
  const { answer } = analysed;
  // What was typed was meant, however short; a few words that were heard may be no words at all.
  const isNoise = words.length > 0 && isTooShort(answer.tokens, points.map(({ text }) => text).join(' '));
  const reason = whyNoAnswer(question, transcript) ?? (isNoise ? tooShort : null);
  const credits = creditsOf(model, analysed);
  const earned = reason === null ? credits : credits.map(() => ({ credit: 0, best: null }));
  const verdict = verdictOf(analysed.points, earned, answer, words);
  return {
    status: 'completed',
    expertAnswer: expertAnswer || points.map(({ text }) => text).join('\n'),
    engine: name,
    isCorrect: verdict.percentage >= correctFrom,
    correctnessPercentage: verdict.percentage,
    points: verdict.points,
    ...(reason === null ? {} : { reason }),
  };
}

/**
 * Sets each point of an expert answer beside the stretch of the candidate's that fits it best, by the meaning of its words,
 * and adds up what the points earn. It knows words, not facts: a fluent falsehood in the expert's words may score high.
 * Works without a network. @param model what a point earns by how well it fits; the shipped one where it is left out
 */
export function createReferenceAssessor(model: ScoreModel = scoreModel): Assessor {
  return {
    name,
    async assess(request) {
      request.signal.throwIfAborted();
      return assessByReference(request, model);
    },
    async askFollowUp(request) {
      const text = askByTemplate(request);
      return text === null ? null : { text };
    },
  };
}
