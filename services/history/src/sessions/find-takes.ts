import { withoutQuestionPrefix } from '@interview-prep/contracts/question-text';
import { trusted } from 'mongoose';
import type { HistoryModels, RecordingEntry, SessionEntry } from '../projection/model.ts';

/** The most takes that are given. */
const takesMax = 20;

/** A take with the session that it belongs to. */
export interface FoundTake {
  recording: RecordingEntry;
  session: Pick<SessionEntry, '_id' | 'title'>;
}

const comparable = (question: string) => withoutQuestionPrefix(question).trim().toLowerCase();

/**
 * A person's takes of a question in all their interviews, oldest first; of very many the newest. Questions are the same
 * where their texts are, without a number before them.
 */
export async function findTakes(
  { userId, questions }: Pick<SessionEntry, 'userId' | 'questions'>,
  questionId: number,
  models: HistoryModels,
): Promise<FoundTake[]> {
  const wanted = comparable(questions[questionId] ?? '');
  const sessions = await models.sessions.find({ userId, kind: 'interview' }).select('questions title').lean();
  const places = sessions.flatMap((session) => {
    const place = session.questions.findIndex((question) => comparable(question) === wanted);
    return place < 0 ? [] : [{ session, entryId: session._id, questionId: place }];
  });
  if (places.length === 0) return [];
  const recordings = await models.recordings
    .find({
      $or: places.map(({ entryId, questionId: place }) => ({ entryId, questionId: place })),
      deleted: trusted({ $ne: true }),
    })
    .lean();
  return recordings
    .flatMap((recording) => {
      const session = places.find(({ entryId }) => entryId.equals(recording.entryId))?.session;
      return session ? [{ recording, session }] : [];
    })
    .sort((a, b) => a.recording.snapshot.createdAt.localeCompare(b.recording.snapshot.createdAt))
    .slice(-takesMax);
}
