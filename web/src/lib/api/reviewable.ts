import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { ReviewQuestion } from '@interview-prep/contracts/history/progress';
import {
  mixedQuestionsMax,
  reviewMinutesPerQuestion,
  reviewSizeMax,
} from '@interview-prep/contracts/recording/mixed-sessions';
import { questionKey } from '@interview-prep/contracts/text/question-text';
import { countOf } from '../formats.ts';
import type { RouteResult } from './route-request.ts';

/** A question of a review, with its place in a set as it is now. */
export interface ReviewedQuestion {
  question: string;
  set: InterviewSet;
  /** Zero-based. */
  questionId: number;
  dueAt: string;
}

/** How many questions to review before any is due. */
const earlySize = Math.min(5, mixedQuestionsMax);

/** Where a question is now: in the set in which it was answered last, else in any; null where it was removed. */
function placeOf({ question, interviewSetId }: ReviewQuestion, sets: readonly InterviewSet[]) {
  const key = questionKey(question);
  const own = sets.filter(({ _id }) => _id === interviewSetId);
  for (const set of [...own, ...sets]) {
    const questionId = set.questions.findIndex((each) => questionKey(each) === key);
    if (questionId >= 0) return { set, questionId };
  }
  return null;
}

/** What can be reviewed. `next` is asked by the next review: what is due, or else what comes back first. */
export interface ReviewQueue {
  due: ReviewedQuestion[];
  coming: ReviewedQuestion[];
  next: ReviewedQuestion[];
}

/** The review queue without the questions that no set has any more. */
export function reviewQueue(
  reviews: Pick<RouteResult<'reviews'>, 'questions'>,
  sets: readonly InterviewSet[],
  now: number,
): ReviewQueue {
  const placed = reviews.questions.flatMap((each) => {
    const place = placeOf(each, sets);
    return place ? [{ ...place, question: place.set.questions[place.questionId] ?? '', dueAt: each.dueAt }] : [];
  });
  const due = placed.filter(({ dueAt }) => Date.parse(dueAt) <= now);
  const coming = placed.slice(due.length);
  return { due, coming, next: due.length > 0 ? due.slice(0, reviewSizeMax) : coming.slice(0, earlySize) };
}

/** '5 questions due, 10 minutes' */
export function dueText(count: number): string {
  return `${countOf(count, 'question')} due, ${count * reviewMinutesPerQuestion} minutes`;
}
