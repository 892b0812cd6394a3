import type { InterviewDetail } from '@interview-prep/contracts/history';
import type { SessionPlan } from '../session/session-progress.ts';

/**
 * The plan of an interview with a set: the questions that the address names, counted from 1 ('1,3'), or all.
 * Numbers that the set does not have are left out.
 */
export function planOfQuestions(questions: readonly string[], named: string | null): SessionPlan {
  const numbers = (named ?? '').split(',').filter((text) => /^\d{1,4}$/.test(text));
  const chosen = [...new Set(numbers.map((text) => Number(text) - 1))].filter((place) => place in questions);
  return { questions, asked: chosen.length > 0 ? chosen.sort((a, b) => a - b) : [...questions.keys()] };
}

/** The plan of an interview that was begun: what it asked, and what the server has of it. */
export function planOfBegun({ sessionId, questions, askedQuestions, recordings, _id }: InterviewDetail): SessionPlan {
  const saved = recordings.flatMap((recording) => {
    const place = askedQuestions.indexOf(recording.questionId);
    return place < 0 ? [] : [{ _id: recording._id, questionId: place, interviewId: _id }];
  });
  return { questions, asked: askedQuestions, begun: { sessionId, saved } };
}
