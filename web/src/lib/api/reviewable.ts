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

export interface ReviewedQuestion {
  question: string;
  set: InterviewSet;
  /** Zero-based. */
  questionId: number;
  dueAt: string;
}

/** The number of questions of an early review, with none due. */
const earlySize = Math.min(5, mixedQuestionsMax);

/** The current place of a question: in the set where it was last answered, else in any; null if it was removed. */
function placeOf({ question, interviewSetId }: ReviewQuestion, sets: readonly InterviewSet[]) {
  const key = questionKey(question);
  const own = sets.filter(({ _id }) => _id === interviewSetId);
  for (const set of [...own, ...sets]) {
    const questionId = set.questions.findIndex((each) => questionKey(each) === key);
    if (questionId >= 0) return { set, questionId };
  }
  return null;
}

/** The questions that can be reviewed. `next` are those of the next review: due ones, or else the soonest. */
export interface ReviewQueue {
  due: ReviewedQuestion[];
  coming: ReviewedQuestion[];
  next: ReviewedQuestion[];
}

/** The review queue, without questions that no set contains anymore. */
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
