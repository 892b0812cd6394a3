import type { LatestInterview } from '@interview-prep/contracts/history/progress';
import { askedQuestionsOf, ownQuestionCount } from '@interview-prep/contracts/recording/asked-questions';
import { isFeedbackShown } from '@interview-prep/contracts/recording/assignments';
import { shownVerdict } from '@interview-prep/contracts/recording/shown-verdict';
import { editStateOf } from '@interview-prep/contracts/recording/transcription-text';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { trusted } from 'mongoose';
import { editFields, isPending } from '../projection/count-session.ts';
import { type HistoryModels, newestTakes, type RecordingEntry } from '../projection/model.ts';

const judgedFields = [
  'questionId',
  'take',
  'snapshot.isCorrect',
  'snapshot.correctnessPercentage',
  'snapshot.transcription.status',
  'snapshot.assessment.status',
  ...editFields,
];

/**
 * A user's newest listed interview, question by question, without what was said; null before the first. It says what to do
 * next, so its follow-up questions, which nobody can answer again, are left out.
 */
export async function readLatestInterview(userId: string, models: HistoryModels): Promise<LatestInterview | null> {
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
