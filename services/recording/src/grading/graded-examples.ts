import { derivePoints } from '@interview-prep/contracts/derive-points';
import { analyseAnswer } from '../engines/reference/analysis.ts';
import { type Example, fitScore } from '../engines/reference/fit-score.ts';
import type { ScoreModel } from '../engines/reference/score-model.ts';
import { caseExamples } from './case-examples.ts';
import { bestScore, type GradedAnswer } from './graded-answers.ts';
import { seedExamples } from './seed-examples.ts';

const seed = 8;

/** The same numbers, 0–1, for the same seed (mulberry32). */
function randomNumbers(from: number) {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How much all graded answers count together. */
const gradedWeight = 20;

/** Graded answers as examples. */
export function gradedExamples(answers: readonly GradedAnswer[]): Example[] {
  const best = bestScore(answers);
  return answers.map(({ question, reference_answer, student_answer, score }) => ({
    analysed: analyseAnswer(question, derivePoints(reference_answer), student_answer, []),
    target: score / best,
    isGraded: true,
    weight: gradedWeight / answers.length,
  }));
}

/** How much all stray answers count together. More of them lowers what answers to other questions earn, and right ones too. */
const strayWeight = 0.3;
/** How far away in the list the answer to another question is taken from. */
const strayStep = 397;

/** For each question that was graded, answers to other questions: worth nothing, which graded answers hardly show. */
export function strayExamples(answers: readonly GradedAnswer[]): Example[] {
  return answers.map(({ question, reference_answer }, index) => {
    const others = (at: number) => answers[(index + strayStep + at) % answers.length]!;
    const place = answers.findIndex((_answer, at) => others(at).question !== question);
    return {
      analysed: analyseAnswer(question, derivePoints(reference_answer), others(Math.max(0, place)).student_answer, []),
      target: 0,
      isGraded: false,
      weight: place < 0 ? 0 : strayWeight / answers.length,
    };
  });
}

/**
 * For each graded answer a model that has not seen its question: the questions are dealt into folds by a fixed seed, and
 * each fold is judged by what was fitted to the others and to the repository's own cases.
 */
export function foldModels(answers: readonly GradedAnswer[], folds: number): ScoreModel[] {
  const random = randomNumbers(seed);
  const questions = [...new Set(answers.map(({ question }) => question))]
    .map((question) => ({ question, place: random() }))
    .toSorted((a, b) => a.place - b.place);
  const foldOf = new Map(questions.map(({ question }, index) => [question, index % folds]));
  const [graded, stray] = [gradedExamples(answers), strayExamples(answers)];
  const cases = [...caseExamples(), ...seedExamples()];
  const models = Array.from({ length: folds }, (_, fold) => {
    const isSeen = (_example: Example, index: number) => foldOf.get(answers[index]!.question) !== fold;
    return fitScore([...cases, ...graded.filter(isSeen), ...stray.filter(isSeen)]);
  });
  return answers.map(({ question }) => models[foldOf.get(question)!]!);
}
