import { parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';
import { trusted } from 'mongoose';
import { questionHashOf } from '../projection/count-question.ts';
import type { HistoryModels, RecordingEntry, SessionEntry } from '../projection/model.ts';

/** The maximum number of takes returned. */
const takesMax = 20;

/** A take with its session. */
interface FoundTake {
  recording: RecordingEntry;
  session: Pick<SessionEntry, '_id' | 'setId' | 'title' | 'technology' | 'sources' | 'assignment' | 'userId'>;
}

/**
 * A user's newest takes of a question in all their interviews, oldest first. Questions are the same if their texts match,
 * ignoring a leading number. A follow-up question belongs only to its own interview.
 */
export async function findTakes(
  { _id, userId, questions, followUps }: Pick<SessionEntry, '_id' | 'userId' | 'questions' | 'followUps'>,
  questionId: number,
  { sessions, recordings }: HistoryModels,
): Promise<FoundTake[]> {
  const isFollowUp = parentQuestionOf({ followUps }, questionId) !== undefined;
  const wanted = isFollowUp
    ? { entryId: _id, questionId }
    : { userId, questionHash: questionHashOf(questions[questionId] ?? '') };
  const takes = await recordings
    .find({ ...wanted, deleted: trusted({ $ne: true }) })
    .sort(isFollowUp ? { take: -1 } : { answeredAt: -1 })
    .limit(takesMax)
    .lean();
  const ids = trusted({ $in: takes.map(({ entryId }) => entryId) });
  const found = await sessions.find({ _id: ids }).select('userId setId title technology sources assignment').lean();
  return takes.reverse().flatMap((recording) => {
    const session = found.find(({ _id }) => _id.equals(recording.entryId));
    return session ? [{ recording, session }] : [];
  });
}
