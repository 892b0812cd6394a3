import { type LatestInterview, progressRoutes, type ReviewQuestion } from '@interview-prep/contracts/history/progress';
import { askedQuestionsOf, ownQuestionCount } from '@interview-prep/contracts/recording/asked-questions';
import { isFeedbackShown } from '@interview-prep/contracts/recording/assignments';
import { newestTakes } from '@interview-prep/contracts/recording/newest-takes';
import { shownVerdict } from '@interview-prep/contracts/recording/shown-verdict';
import { editStateOf } from '@interview-prep/contracts/recording/transcription-text';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { trusted } from 'mongoose';
import { countShown } from '../projection/count-question.ts';
import { editFields, isPending } from '../projection/count-session.ts';
import type { AnsweredQuestion, HistoryModels, RecordingEntry } from '../projection/model.ts';
import { readProgress } from './read-progress.ts';

/** The most questions returned. */
const questionsMax = 100;

const judgedFields = [
  'questionId',
  'take',
  'snapshot.isCorrect',
  'snapshot.correctnessPercentage',
  'snapshot.transcription.status',
  'snapshot.assessment.status',
  ...editFields,
];

/** Routes for a user's progress and due reviews. Users, including admins, can only read their own. */
export function serveProgress(routes: RouteServer, { models }: { models: HistoryModels }): void {
  routes.serve(progressRoutes.progress, async ({ query: { timeZone }, user }) => {
    await countShown(user.sub, models);
    const [progress, latest] = await Promise.all([
      readProgress({ userId: user.sub, timeZone, now: new Date() }, models),
      readLatestInterview(user.sub, models),
    ]);
    return { ...progress, latest };
  });
  routes.serve(progressRoutes.reviews, async ({ user }) => {
    await countShown(user.sub, models);
    return readReviews(user.sub, new Date(), models);
  });
}

/**
 * A user's newest listed interview, question by question, without transcripts; null before the first. It is used to suggest the
 * next step, so it omits follow-up questions, which can't be answered again.
 */
async function readLatestInterview(userId: string, models: HistoryModels): Promise<LatestInterview | null> {
  const session = await models.sessions
    .findOne({ listKind: 'interview', userId })
    .sort({ createdAt: -1, _id: -1 })
    .select({ expertAnswers: 0 })
    .lean();
  if (!session) return null;
  const takes = await models.recordings
    .find({ entryId: session._id, deleted: trusted({ $ne: true }) })
    .select(judgedFields)
    .lean();
  const answers = new Map(newestTakes(takes).map((take) => [take.questionId, take]));
  return {
    _id: session._id.toHexString(),
    interviewSetId: session.setId,
    title: session.title,
    technology: session.technology,
    createdAt: session.createdAt.toISOString(),
    questions: session.questions.slice(0, ownQuestionCount(session)).map(withoutQuestionPrefix),
    outcomes: askedQuestionsOf(session, []).map((questionId) => ({
      questionId,
      ...outcomeOf(answers.get(questionId), isFeedbackShown(session.assignment)),
    })),
  };
}

function outcomeOf(
  take: RecordingEntry | undefined,
  isShown: boolean,
): Omit<LatestInterview['outcomes'][number], 'questionId'> {
  if (!take) return { state: 'unanswered', percentage: null, edited: false };
  const { snapshot } = take;
  if (!isShown) return { state: 'unjudged', percentage: null, edited: false };
  if (isPending(snapshot)) return { state: 'pending', percentage: null, edited: false };
  return {
    state: shownVerdict(snapshot) ?? 'unjudged',
    percentage: snapshot.correctnessPercentage ?? null,
    edited: editStateOf(snapshot) !== null,
  };
}

/** A user's scheduled questions, soonest first. */
async function readReviews(userId: string, now: Date, { answeredQuestions }: HistoryModels) {
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
