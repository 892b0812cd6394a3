import type { ReviewAgreement } from '@interview-prep/contracts/recording/reviews';
import { type ShownVerdict, shownVerdict } from '@interview-prep/contracts/recording/shown-verdict';
import { cohenKappa, pearson } from '../grading/agreement.ts';

/** An answer that a machine and a person judged, in percent. */
export interface TwiceJudged {
  title: string;
  question: string;
  machine: number;
  person: number;
}

const verdictOf = (percentage: number): ShownVerdict =>
  shownVerdict({ isCorrect: true, correctnessPercentage: percentage }) ?? 'incorrect';

const rounded = (value: number | null, digits: number) => (value === null ? null : Number(value.toFixed(digits)));

function figuresOf(answers: readonly TwiceJudged[]) {
  const [machines, people] = [answers.map(({ machine }) => machine), answers.map(({ person }) => person)];
  const total = answers.reduce((sum, { machine, person }) => sum + Math.abs(machine - person), 0);
  return {
    count: answers.length,
    pearson: rounded(answers.length < 2 ? null : pearson(machines, people), 3),
    kappa: rounded(cohenKappa(machines.map(verdictOf), people.map(verdictOf)), 3),
    difference: Number((total / answers.length).toFixed(1)),
  };
}

const byDifference = (a: { difference: number }, b: { difference: number }) => b.difference - a.difference;

/** How far machine and people agree: over all answers, by set and by question. */
export function measureAgreement(answers: readonly TwiceJudged[]): ReviewAgreement {
  const sets = Map.groupBy(answers, ({ title }) => title);
  const questions = Map.groupBy(answers, ({ title, question }) => `${title}\n${question}`);
  return {
    all: answers.length === 0 ? null : figuresOf(answers),
    sets: [...sets].map(([title, ofSet]) => ({ title, ...figuresOf(ofSet) })).toSorted(byDifference),
    questions: [...questions.values()]
      .map((ofQuestion) => ({
        title: ofQuestion[0]!.title,
        question: ofQuestion[0]!.question,
        ...figuresOf(ofQuestion),
      }))
      .toSorted(byDifference),
  };
}
