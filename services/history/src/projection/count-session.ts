import { isDeepStrictEqual } from 'node:util';
import { editStateOf } from '@interview-prep/contracts/edited-words';
import { upsertById } from '@interview-prep/kit/mongo';
import { Types, trusted } from 'mongoose';
import {
  type CountKey,
  type HistoryModels,
  newestTakes,
  type RecordingEntry,
  type SessionEntry,
  type TechnologyResult,
  type Total,
} from './model.ts';
import { sourceOf } from './source-of.ts';

/** The fields of a recording that `editStateOf` reads, beside its percentage. */
export const editFields = [
  'snapshot.transcription.correctedAt',
  'snapshot.transcription.proposed.createdAt',
  'snapshot.assessment.review.createdAt',
] as const;

/** The fields of a recording that counting reads. */
const countedFields = [
  'questionId',
  'take',
  'revision',
  'deleted',
  'projectionVersion',
  'snapshot.transcription.status',
  'snapshot.assessment.status',
  'snapshot.correctnessPercentage',
  ...editFields,
  'snapshot.durationMs',
];

/** Counts a session's answers again, and the totals that it is part of. Doing it twice is harmless. */
export async function countSession(entryId: string, models: HistoryModels): Promise<void> {
  const { sessions, recordings } = models;
  const _id = new Types.ObjectId(entryId);
  const takes = await recordings.find({ entryId: _id }).select(countedFields).lean();
  // Both numbers only grow, so their sum is larger after each change.
  const countsRevision = takes.reduce((sum, take) => sum + take.revision + (take.projectionVersion ?? 0), 0);
  const kept = takes.filter(({ deleted }) => !deleted);
  const newest = newestTakes(kept);
  const answers = newest.map(({ snapshot }) => snapshot);
  const counted = await sessions.findById(_id).select('setId title technology sources followUps').lean();
  if (!counted) return;

  await sessions.updateOne(
    { _id, countsRevision: trusted({ $lt: countsRevision }) },
    {
      $set: {
        answeredCount: answers.length,
        ...(counted.followUps ? { answeredQuestions: newest.map(({ questionId }) => questionId) } : {}),
        pendingCount: answers.filter(isPending).length,
        averageCorrectness: average(percentagesOf(answers)),
        editedCount: answers.filter(editStateOf).length,
        newestTakes: newest.map((take) => take._id),
        results: resultsOf(counted, kept),
        countsRevision,
      },
    },
  );

  const session = await sessions.findOne({ _id, inTotals: false }).select('listKind userId technology revision').lean();
  if (!session) return;
  const { listKind, userId, technology, revision } = session;
  if (listKind) await countTotal({ listKind, userId, technology }, models);
  // Does nothing if the session has changed since it was read: the event of that change counts it.
  await sessions.updateOne({ _id, revision }, { $set: { inTotals: true } });
}

/** Whether an answer is still being transcribed or judged. */
export function isPending(answer: { transcription?: { status: string }; assessment?: { status: string } }): boolean {
  return answer.transcription?.status === 'pending' || answer.assessment?.status === 'pending';
}

const average = (numbers: readonly number[]) =>
  numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

const percentagesOf = (answers: readonly { correctnessPercentage?: number | null }[]) =>
  answers.map(({ correctnessPercentage }) => correctnessPercentage ?? null).filter((each) => each !== null);

/** How the answers of a session went in each technology of its questions. */
function resultsOf(
  session: Pick<SessionEntry, 'setId' | 'title' | 'technology' | 'sources'>,
  takes: readonly RecordingEntry[],
): TechnologyResult[] {
  const byTechnology = Map.groupBy(takes, ({ questionId }) => sourceOf(session, questionId).technology);
  return [...byTechnology].map(([technology, its]) => {
    const answers = newestTakes(its).map(({ snapshot }) => snapshot);
    const percentages = percentagesOf(answers);
    return {
      technology,
      judgedCount: percentages.length,
      average: average(percentages),
      editedCount: answers.filter(editStateOf).length,
      spokenMs: its.reduce((sum, { snapshot }) => sum + (snapshot.durationMs ?? 0), 0),
    };
  });
}

/**
 * Counts the sessions of one user in one technology and writes the result, until a count equals what was written. Several
 * processes may do so at once: one that counted too early and writes last then sees the difference.
 */
export async function countTotal(key: CountKey, models: HistoryModels): Promise<void> {
  const _id = `${key.listKind} ${key.userId} ${key.technology}`;
  for (let written: Counts | null | undefined; ; ) {
    const counts = await readCounts(key, models);
    if (isDeepStrictEqual(counts, written)) return;
    if (counts === null) await models.totals.deleteOne({ _id });
    else await upsertById(() => models.totals.updateOne({ _id }, { $set: { ...key, ...counts } }, { upsert: true }));
    written = counts;
  }
}

type Counts = Pick<Total, 'count' | 'latest' | 'email'>;

/** The number of sessions, and the start and email of the newest; null where there are none. */
async function readCounts(key: CountKey, { sessions }: HistoryModels): Promise<Counts | null> {
  const [count, newest] = await Promise.all([
    sessions.countDocuments(key),
    sessions.findOne(key).sort({ createdAt: -1, _id: -1 }).select('createdAt user').lean(),
  ]);
  return newest && { count, latest: newest.createdAt, email: newest.user?.email ?? null };
}
