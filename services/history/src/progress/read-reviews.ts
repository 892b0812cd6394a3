import type { ReviewQuestion } from '@interview-prep/contracts/history/progress';
import { trusted } from 'mongoose';
import type { AnsweredQuestion, HistoryModels } from '../projection/model.ts';

/** How many questions are given. */
const questionsMax = 100;

/** The questions that come back to a user, the soonest first, by the index on their due times. */
export async function readReviews(userId: string, now: Date, { answeredQuestions }: HistoryModels) {
  const [questions, dueCount, total] = await Promise.all([
    answeredQuestions.find({ userId }).sort({ 'card.due': 1, _id: 1 }).limit(questionsMax).lean(),
    answeredQuestions.countDocuments({ userId, 'card.due': trusted({ $lte: now }) }),
    answeredQuestions.countDocuments({ userId }),
  ]);
  return { questions: questions.map(presentReview), dueCount, total };
}

function presentReview(answered: AnsweredQuestion): ReviewQuestion {
  const { question, technology, setId, setQuestionId, setTitle, card, answeredAt, percentage, edited } = answered;
  return {
    question,
    technology,
    interviewSetId: setId,
    questionId: setQuestionId,
    title: setTitle,
    dueAt: card.due.toISOString(),
    answeredAt: answeredAt.toISOString(),
    correctnessPercentage: percentage,
    edited: edited === true,
  };
}
