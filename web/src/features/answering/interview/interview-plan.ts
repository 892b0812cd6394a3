import type { InterviewDetail } from '@interview-prep/contracts/history/history';
import { ownQuestionCount } from '@interview-prep/contracts/recording/asked-questions';
import type { ReviewedQuestion } from '../../../lib/api/reviewable.ts';
import type { SessionPlan } from '../session/session-progress.ts';

/**
 * The plan of an interview with a set: the questions listed in the URL, numbered from 1 ('1,3'), or all of them.
 * Numbers outside the set are dropped.
 */
export function planOfQuestions(questions: readonly string[], named: string | null): SessionPlan {
  const numbers = (named ?? '').split(',').filter((text) => /^\d{1,4}$/.test(text));
  const chosen = [...new Set(numbers.map((text) => Number(text) - 1))].filter((place) => place in questions);
  return { questions, asked: chosen.length > 0 ? chosen.sort((a, b) => a - b) : [...questions.keys()] };
}

/** The plan of an interview in progress: its questions, and the answers that the server has. */
export function planOfBegun(begun: InterviewDetail): SessionPlan {
  const { sessionId, recordings, sources, _id } = begun;
  // Pending follow-up questions come at the end, from the server.
  const questions = begun.questions.slice(0, ownQuestionCount(begun));
  const askedQuestions = begun.askedQuestions.filter((questionId) => questionId < questions.length);
  const saved = recordings.flatMap((recording) => {
    const askedIndex = askedQuestions.indexOf(recording.questionId);
    return askedIndex < 0 ? [] : [{ _id: recording._id, askedIndex, interviewId: _id }];
  });
  return {
    questions,
    asked: askedQuestions,
    begun: { sessionId, saved },
    ...(sources && { sources: sources.map(({ setId, questionId }) => ({ setId, questionId })) }),
  };
}

/** The plan of a review: questions of several sets, each in its current form. */
export function planOfReview(reviewed: readonly ReviewedQuestion[]): SessionPlan {
  return {
    questions: reviewed.map(({ question }) => question),
    asked: [...reviewed.keys()],
    sources: reviewed.map(({ set, questionId }) => ({ setId: set._id, questionId, setUpdatedAt: set.updatedAt })),
  };
}
