import type { SessionKind } from '@interview-prep/contracts/recordings';
import { Types, trusted } from 'mongoose';
import type { HistoryModels, SessionEntry } from './model.ts';
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

  const session = await sessions.findOne({ _id, totalled: false }).select('listedAs userId technology user').lean();
  if (!session) return;
  if (session.listedAs) await recount(session, session.listedAs, models);
  await sessions.updateOne({ _id }, { $set: { totalled: true } });
}

/** Counts the sessions of one user in one technology anew: exact however often an event comes. */
async function recount(
  session: Pick<SessionEntry, 'userId' | 'technology' | 'user'>,
  listedAs: SessionKind,
  { sessions, totals }: HistoryModels,
): Promise<void> {
  const { userId, technology } = session;
  const filter = { listedAs, userId, technology };
  const [count, latest] = await Promise.all([
    sessions.countDocuments(filter),
    sessions.findOne(filter).sort({ createdAt: -1, _id: -1 }).select('createdAt').lean(),
  ]);
  if (!latest) return;
  await totals.updateOne(
    { _id: `${listedAs} ${userId} ${technology}` },
    { $set: { ...filter, email: session.user.email, count, latest: latest.createdAt } },
    { upsert: true },
  );
}
