import { isDeepStrictEqual } from 'node:util';
import { Types, trusted } from 'mongoose';
import type { HistoryModels, Total } from './model.ts';
import { newestTakes } from './newest-takes.ts';

/** Brings a session's counts, and the totals that it is part of, up to date. Idempotent. */
export async function countSession(entryId: string, models: HistoryModels): Promise<void> {
  const { sessions, recordings } = models;
  const _id = new Types.ObjectId(entryId);
  const takes = await recordings
    .find({ entryId: _id })
    .select(
      'questionId take revision snapshot.transcription.status snapshot.assessment.status snapshot.correctnessPercentage',
    )
    .lean();
  const countsRevision = takes.reduce((sum, { revision }) => sum + revision, 0);
  const answers = newestTakes(takes).map(({ snapshot }) => snapshot);
  const judged = answers.map((answer) => answer.correctnessPercentage).filter((percentage) => percentage !== null);

  await sessions.updateOne(
    { _id, countsRevision: trusted({ $lt: countsRevision }) },
    {
      $set: {
        answeredCount: answers.length,
        pendingCount: answers.filter((a) => a.transcription.status === 'pending' || a.assessment.status === 'pending')
          .length,
        averageCorrectness: judged.length === 0 ? null : judged.reduce((sum, value) => sum + value, 0) / judged.length,
        countsRevision,
      },
    },
  );

  const session = await sessions.findOne({ _id, totalled: false }).select('listedAs userId technology revision').lean();
  if (!session) return;
  const { listedAs, userId, technology, revision } = session;
  if (listedAs) await recount({ listedAs, userId, technology }, models);
  // One that has changed since it was read is counted by whoever changed it.
  await sessions.updateOne({ _id, revision }, { $set: { totalled: true } });
}

/**
 * Counts the sessions of one user in one technology anew, and again after it has written what it found, until that stands:
 * whoever counted before others came or a name was forgotten, and writes after them, sees it in the end.
 */
async function recount(key: CountKey, models: HistoryModels): Promise<void> {
  const _id = `${key.listedAs} ${key.userId} ${key.technology}`;
  for (let written: Counted | null = null; ; ) {
    const counted = await count(key, models);
    if (counted === null || isDeepStrictEqual(counted, written)) return;
    await models.totals.updateOne({ _id }, { $set: { ...key, ...counted } }, { upsert: true });
    written = counted;
  }
}

type CountKey = Pick<Total, 'listedAs' | 'userId' | 'technology'>;
type Counted = Pick<Total, 'count' | 'latest' | 'email'>;

/** How many there are, and the latest one's time and email; null where there are none. */
async function count(key: CountKey, { sessions }: HistoryModels): Promise<Counted | null> {
  const [number, latest] = await Promise.all([
    sessions.countDocuments(key),
    sessions.findOne(key).sort({ createdAt: -1, _id: -1 }).select('createdAt user').lean(),
  ]);
  return latest && { count: number, latest: latest.createdAt, email: latest.user.email ?? null };
}
