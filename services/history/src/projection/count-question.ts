import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expertSentence } from '@interview-prep/contracts/catalog/expert-sentence';
import type { SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import { parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';
import { isFeedbackShown } from '@interview-prep/contracts/recording/assignments';
import { correctFromPercentage, partlyFromPercentage } from '@interview-prep/contracts/recording/shown-verdict';
import { editStateOf } from '@interview-prep/contracts/recording/transcription-text';
import { questionKey, withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { Types, trusted } from 'mongoose';
import { type Card, createEmptyCard, fsrs, type Grade, Rating } from 'ts-fsrs';
import { countedFields, isMissed, isReviewed } from './count-session.ts';
import {
  type AnsweredQuestion,
  type HistoryModels,
  type MissedPointCount,
  type QuestionRef,
  type RecordingEntry,
  sourceOf,
} from './model.ts';

/** Whole days only, so that a question doesn't come back within the hour. No randomness, so that a rebuild gives the same days. */
const scheduler = fsrs({ enable_short_term: false, enable_fuzz: false, maximum_interval: 180 });

/** The lowest percentage of an easy answer. */
const easyFromPercentage = 85;

/** The maximum number of newest takes of a question that are read. */
const takesMax = 200;

/** The maximum number of newest scores of a question that are kept. */
const scoresMax = 50;

/** Hashes a question's text, ignoring its number and formatting, so that it matches across sets. */
export function questionHashOf(question: string): string {
  return createHash('sha256').update(questionKey(question)).digest('hex').slice(0, 32);
}

/**
 * The question that a recording counts for. Null in practice sessions, which are not judged, and for follow-up questions, since
 * only their parents are scheduled. Null also for assigned work without released feedback: progress and due questions would reveal
 * how it went.
 */
export function questionRefOf(
  {
    kind,
    userId,
    questions,
    followUps,
    assignment,
  }: Pick<SessionSnapshot, 'kind' | 'userId' | 'questions' | 'followUps' | 'assignment'>,
  questionId: number,
): QuestionRef | null {
  const question = questions[questionId];
  const comesBack =
    kind === 'interview' && isFeedbackShown(assignment) && parentQuestionOf({ followUps }, questionId) === undefined;
  return comesBack && question ? { userId, questionHash: questionHashOf(question) } : null;
}

/** The fields needed to recount a question and a session. */
const takeFields = [...countedFields, 'answeredAt', 'questionHash', 'snapshot.chatGPTResponse'];

/** Reads the recordings of a session, and all of one user's answers to a question. */
export async function readTakes(
  ref: QuestionRef | null,
  { recordings }: HistoryModels,
  entryId: string,
): Promise<RecordingEntry[]> {
  const ofSession = { entryId: new Types.ObjectId(entryId) };
  return recordings
    .find(ref ? { $or: [ofSession, { ...ref }] } : ofSession)
    .select(takeFields)
    .lean();
}

/**
 * Recomputes the summary of one user's answers to one question from scratch, so events may be repeated and out of
 * order, and new verdicts and deletions count. Safe under concurrency: repeats until a recount equals what was written.
 * @param known the takes that the event has already read, and its session
 */
export async function countQuestion(
  ref: QuestionRef,
  models: HistoryModels,
  known?: { session: SessionSnapshot; takes: readonly RecordingEntry[] },
): Promise<void> {
  const _id = `${ref.userId} ${ref.questionHash}`;
  const isOfQuestion = (take: RecordingEntry): take is Take => take.questionHash === ref.questionHash && !take.deleted;
  let takes: readonly Take[] | undefined = known?.takes
    .filter(isOfQuestion)
    .sort((a, b) => b.answeredAt.getTime() - a.answeredAt.getTime())
    .slice(0, takesMax);
  for (let written: AnsweredQuestion | null | undefined; ; ) {
    takes ??= await models.recordings
      .find({ ...ref, deleted: trusted({ $ne: true }) })
      .sort({ answeredAt: -1 })
      .limit(takesMax)
      .select(takeFields)
      .lean<Take[]>();
    const counted = await summarize(_id, ref.userId, takes, models, known?.session);
    if (isDeepStrictEqual(counted, written)) return;
    if (counted === null) await models.answeredQuestions.deleteOne({ _id });
    else await upsertById(() => models.answeredQuestions.replaceOne({ _id }, counted, { upsert: true }));
    written = counted;
    takes = undefined;
  }
}

type Take = RecordingEntry & { answeredAt: Date };

/** The newest take of each session, oldest session first: an immediate retake does not count as a second review. */
function newestPerSession(takes: readonly Take[]): Take[] {
  const newest = new Map<string, Take>();
  for (const take of takes) {
    const known = newest.get(take.entryId.toHexString());
    if (!known || known.take < take.take) newest.set(take.entryId.toHexString(), take);
  }
  return [...newest.values()].sort((a, b) => a.answeredAt.getTime() - b.answeredAt.getTime());
}

/** Counts a user's answers to assigned work whose feedback became visible at the due date, for which there is no event. */
export async function countShown(userId: string, models: HistoryModels): Promise<void> {
  const { sessions, recordings } = models;
  const isDue = {
    'assignment.feedback': 'due' as const,
    'assignment.feedbackAt': trusted({ $lte: new Date().toISOString() }),
  };
  const shown = await sessions.find({ userId, kind: 'interview', ...isDue }).lean();
  if (shown.length === 0) return;
  const entryId = trusted({ $in: shown.map(({ _id }) => _id) });
  const uncounted = { entryId, questionHash: trusted({ $exists: false }), deleted: trusted({ $ne: true }) };
  for (const { _id, entryId, questionId, snapshot } of await recordings.find(uncounted).lean()) {
    const session = shown.find((one) => one._id.equals(entryId));
    const ref = session && questionRefOf(session, questionId);
    if (!ref) continue;
    await recordings.updateOne({ _id }, { $set: { ...ref, answeredAt: new Date(snapshot.createdAt) } });
    await countQuestion(ref, models);
  }
}

/** The summary of answers to one question; null before the first verdict. */
async function summarize(
  _id: string,
  userId: string,
  takes: readonly Take[],
  { sessions }: HistoryModels,
  knownSession?: SessionSnapshot,
): Promise<AnsweredQuestion | null> {
  const judged = newestPerSession(takes).filter(({ snapshot }) => typeof snapshot.correctnessPercentage === 'number');
  const newest = judged.at(-1);
  if (!newest) return null;
  const isKnown = knownSession && newest.entryId.equals(knownSession.entryId);
  const session = isKnown ? knownSession : await sessions.findById(newest.entryId).lean();
  if (!session) return null;
  const percentageOf = ({ snapshot }: Take) => snapshot.correctnessPercentage ?? 0;
  const scores = judged.map((take) => ({
    entryId: new Types.ObjectId(take.entryId),
    at: take.answeredAt,
    percentage: percentageOf(take),
  }));
  const card = scheduleReview(scores);
  if (!card) return null;
  const source = sourceOf(session, newest.questionId);
  return {
    _id,
    userId,
    question: withoutQuestionPrefix(session.questions[newest.questionId] ?? ''),
    technology: source.technology,
    setId: source.setId,
    setTitle: source.title,
    setQuestionId: source.questionId,
    entryId: new Types.ObjectId(newest.entryId),
    questionId: newest.questionId,
    answeredAt: newest.answeredAt,
    percentage: percentageOf(newest),
    edited: editStateOf(newest.snapshot) !== null,
    reviewed: isReviewed(newest.snapshot),
    scores: scores.slice(-scoresMax),
    missed: stillMissed(judged),
    card,
  };
}

/** The missed and partly covered points, each within the expert's sentence: a clause may make no sense by itself. */
function missedPoints({ snapshot: { assessment, chatGPTResponse = '' } }: Take): Omit<MissedPointCount, 'times'>[] {
  const missed = (assessment?.points ?? []).filter(isMissed);
  return missed.map((point) => {
    const { before, point: text, after } = expertSentence(point.text, chatGPTResponse);
    return { text, before, after };
  });
}

/** The points that the latest answer missed, with the number of answers that missed them. */
function stillMissed(answers: readonly Take[]): MissedPointCount[] {
  const inEach = answers.map(missedPoints);
  const times = (text: string) => inEach.filter((points) => points.some((point) => point.text === text)).length;
  const last = new Map((inEach.at(-1) ?? []).map((point) => [point.text, point]));
  return [...last.values()].map((point) => ({ ...point, times: times(point.text) }));
}

/** The FSRS grade for a score (0–100): follows the shown verdicts, with a higher threshold for easy. */
function gradeOf(percentage: number): Grade {
  if (percentage >= easyFromPercentage) return Rating.Easy;
  if (percentage >= correctFromPercentage) return Rating.Good;
  return percentage >= partlyFromPercentage ? Rating.Hard : Rating.Again;
}

/**
 * Schedules a question after these answers, oldest first. Returns ts-fsrs's state; null without answers.
 */
function scheduleReview(answers: readonly { at: Date; percentage: number }[]): Card | null {
  return answers.reduce<Card | null>(
    (card, { at, percentage }) => scheduler.next(card ?? createEmptyCard(at), at, gradeOf(percentage)).card,
    null,
  );
}
