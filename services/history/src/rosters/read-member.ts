import { expertSentence } from '@interview-prep/contracts/catalog/expert-sentence';
import type { MemberAnswer, MemberSession } from '@interview-prep/contracts/history/rosters';
import { askedQuestionsOf } from '@interview-prep/contracts/recording/asked-questions';
import { stateOf } from '@interview-prep/contracts/recording/point-states';
import { withoutReviewers } from '@interview-prep/contracts/recording/recordings';
import { withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { type QueryFilter, trusted } from 'mongoose';
import { isPending } from '../projection/count-session.ts';
import { type HistoryModels, newestTakes, type RecordingEntry, type SessionEntry } from '../projection/model.ts';

/**
 * What one person did in these sessions, the oldest first.
 * @param seesAdmins whether the reader sees which admin gave a review, as they see which coach did
 */
export async function readMember(
  filter: QueryFilter<SessionEntry>,
  seesAdmins: boolean,
  { sessions, recordings }: HistoryModels,
): Promise<MemberSession[]> {
  const found = await sessions.find(filter).sort({ createdAt: 1, _id: 1 }).lean();
  const takes = await recordings
    .find({ entryId: trusted({ $in: found.map(({ _id }) => _id) }), deleted: trusted({ $ne: true }) })
    .select('entryId questionId take snapshot')
    .lean();
  const bySession = Map.groupBy(takes, ({ entryId }) => entryId.toHexString());
  return found.map((session) => ({
    sessionId: session._id.toHexString(),
    kind: session.kind,
    title: session.title,
    createdAt: session.createdAt.toISOString(),
    late: session.assignment?.late === true,
    score: rounded(session.averageCorrectness),
    questionCount: askedQuestionsOf(session, session.answeredQuestions ?? []).length,
    answers: newestTakes(bySession.get(session._id.toHexString()) ?? []).map((take) =>
      answerOf(take, session, seesAdmins),
    ),
  }));
}

const rounded = (score: number | null | undefined) => (typeof score === 'number' ? Math.round(score) : null);

function answerOf({ questionId, snapshot }: RecordingEntry, session: SessionEntry, seesAdmins: boolean): MemberAnswer {
  const { correctnessPercentage, durationMs, delivery, chatGPTResponse } = snapshot;
  const assessment = seesAdmins ? snapshot.assessment : withoutReviewers(snapshot.assessment);
  return {
    questionId,
    question: withoutQuestionPrefix(session.questions[questionId] ?? ''),
    score: rounded(correctnessPercentage),
    machineScore: rounded(assessment.machine?.correctnessPercentage),
    pending: isPending(snapshot),
    durationMs,
    points: (assessment.points ?? []).map((point) => {
      const { before, point: text, after } = expertSentence(point.text, chatGPTResponse);
      return { text, before, after, state: stateOf(point) };
    }),
    delivery: delivery
      ? {
          wordsPerMinute: delivery.wordsPerMinute,
          fillers: delivery.fillers.length,
          pauses: delivery.pauses.length,
        }
      : null,
    engine: assessment.engine ?? null,
    review: assessment.review ?? null,
  };
}
