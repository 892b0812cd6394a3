import { isDeepStrictEqual } from 'node:util';
import type { SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import { newestTakes } from '@interview-prep/contracts/recording/newest-takes';
import { stateOf } from '@interview-prep/contracts/recording/point-states';
import type { Point } from '@interview-prep/contracts/recording/recordings';
import { editStateOf } from '@interview-prep/contracts/recording/transcription-text';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { Types, trusted } from 'mongoose';
import {
  type AnswerFigures,
  type CountKey,
  type HistoryModels,
  type RecordingEntry,
  type SessionEntry,
  sourceOf,
  type TechnologyResult,
  type Total,
} from './model.ts';

/** The fields of a recording that `editStateOf` reads, besides its percentage. */
export const editFields = [
  'snapshot.transcription.correctedAt',
  'snapshot.transcription.proposed.createdAt',
  'snapshot.assessment.review.createdAt',
] as const;

/** The fields of a recording that `countsOf` reads. */
export const countedFields = [
  'entryId',
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
  'snapshot.assessment.engine',
  'snapshot.assessment.machine.correctnessPercentage',
  'snapshot.assessment.points.text',
  'snapshot.assessment.points.covered',
  'snapshot.assessment.points.state',
  'snapshot.assessment.points.optional',
  'snapshot.assessment.points.credit',
];

type CountedSession = Pick<
  SessionEntry,
  'setId' | 'title' | 'technology' | 'sources' | 'followUps' | 'assignment' | 'revision'
>;

/** The counts of a session's recordings. `takes` are all of them, including deleted ones. */
export function countsOf(session: CountedSession, takes: readonly RecordingEntry[]) {
  const kept = takes.filter(({ deleted }) => !deleted);
  const newest = newestTakes(kept);
  const answers = newest.map(({ snapshot }) => snapshot);
  return {
    answeredCount: answers.length,
    ...(session.followUps ? { answeredQuestions: newest.map(({ questionId }) => questionId) } : {}),
    pendingCount: answers.filter(isPending).length,
    averageCorrectness: averageOf(percentagesOf(answers)),
    editedCount: answers.filter(editStateOf).length,
    reviewedCount: answers.filter(isReviewed).length,
    newestTakes: newest.map((take) => take._id),
    results: resultsOf(session, kept),
    ...(session.assignment ? { answers: newest.map(figuresOf) } : {}),
    // Each of these only grows, so the sum increases with every change.
    countsRevision: takes.reduce((sum, take) => sum + take.revision + (take.projectionVersion ?? 0), session.revision),
  };
}

/** Recounts a session's answers. Idempotent. */
export async function countSession(entryId: string, { sessions, recordings }: HistoryModels): Promise<void> {
  const _id = new Types.ObjectId(entryId);
  const session = await sessions
    .findById(_id)
    .select('setId title technology sources followUps assignment revision')
    .lean();
  if (!session) return;
  const takes = await recordings.find({ entryId: _id }).select(countedFields).lean();
  const counts = countsOf(session, takes);
  await sessions.updateOne({ _id, countsRevision: trusted({ $lt: counts.countsRevision }) }, { $set: counts });
}

/** Whether an answer is still being transcribed or judged. */
export function isPending(answer: { transcription?: { status: string }; assessment?: { status: string } }): boolean {
  return answer.transcription?.status === 'pending' || answer.assessment?.status === 'pending';
}

/** The mean of some numbers; null for none. */
export function averageOf(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

const percentagesOf = (answers: readonly { correctnessPercentage?: number | null }[]) =>
  answers.map(({ correctnessPercentage }) => correctnessPercentage ?? null).filter((each) => each !== null);

/** Whether a reviewer gave an answer's score. */
export function isReviewed({ assessment }: { assessment?: { review?: unknown } }): boolean {
  return assessment?.review !== undefined;
}

/** Whether an answer missed or only partly covered a required point of the expert answer. */
export function isMissed(point: Point): boolean {
  return !point.optional && stateOf(point) !== 'covered';
}

function figuresOf({ questionId, snapshot }: RecordingEntry): AnswerFigures {
  const { correctnessPercentage = null, durationMs = null, assessment } = snapshot;
  const machine = assessment?.machine?.correctnessPercentage;
  const required = (assessment?.points ?? []).filter(({ optional }) => !optional);
  return {
    questionId,
    percentage: correctnessPercentage,
    pending: isPending(snapshot),
    reviewed: isReviewed(snapshot),
    ...(typeof machine === 'number' ? { machinePercentage: machine } : {}),
    ...(assessment?.engine ? { engine: assessment.engine } : {}),
    durationMs,
    made: required.filter((point) => !isMissed(point)).map(({ text }) => text),
    missed: required.filter(isMissed).map(({ text }) => text),
  };
}

/** A session's results by technology of its questions. */
function resultsOf(session: Omit<CountedSession, 'revision'>, takes: readonly RecordingEntry[]): TechnologyResult[] {
  const byTechnology = Map.groupBy(takes, ({ questionId }) => sourceOf(session, questionId).technology);
  return [...byTechnology].map(([technology, its]) => {
    const answers = newestTakes(its).map(({ snapshot }) => snapshot);
    const percentages = percentagesOf(answers);
    return {
      technology,
      judgedCount: percentages.length,
      average: averageOf(percentages),
      editedCount: answers.filter(editStateOf).length,
      reviewedCount: answers.filter(isReviewed).length,
      spokenMs: its.reduce((sum, { snapshot }) => sum + (isPending(snapshot) ? 0 : (snapshot.durationMs ?? 0)), 0),
    };
  });
}

/** How many of the newest counted sessions a total stores. */
const rememberedSessions = 20;

/** Adds a session that was just inserted. Idempotent. */
export async function addToTotal(
  { entryId, createdAt }: Pick<SessionSnapshot, 'entryId' | 'createdAt'>,
  key: CountKey,
  models: HistoryModels,
): Promise<void> {
  if (key.listKind === null) return;
  const counted = new Types.ObjectId(entryId);
  const latest = new Date(createdAt);
  const { matchedCount } = await models.totals.updateOne(
    { _id: totalId(key), latest: trusted({ $lte: latest }), counted: trusted({ $ne: counted }) },
    {
      $inc: { count: 1 },
      $set: { latest },
      $push: { counted: { $each: [counted], $slice: -rememberedSessions } },
    },
  );
  if (matchedCount === 0) await countTotal(key, models);
}

/**
 * Recounts the sessions of one user in one technology. Repeats until a recount equals what was written, since sessions may be
 * added and deleted concurrently.
 */
export async function countTotal(key: CountKey, { sessions, totals }: HistoryModels): Promise<void> {
  if (key.listKind === null) return;
  const _id = totalId(key);
  for (let written: unknown; ; ) {
    const count = await sessions.countDocuments(key);
    const newest = await sessions
      .find(key)
      .sort({ createdAt: -1, _id: -1 })
      .limit(rememberedSessions)
      .select('createdAt user')
      .lean();
    const [latest] = newest;
    const total = latest && {
      ...key,
      count,
      latest: latest.createdAt,
      email: latest.user?.email ?? null,
      counted: newest.map((session) => session._id).reverse(),
    };
    if (isDeepStrictEqual(total ?? null, written)) return;
    if (total) await upsertById(() => totals.updateOne({ _id }, { $set: total as Partial<Total> }, { upsert: true }));
    else await totals.deleteOne({ _id });
    written = total ?? null;
  }
}

const totalId = ({ listKind, userId, technology }: CountKey): string => `${listKind} ${userId} ${technology}`;
