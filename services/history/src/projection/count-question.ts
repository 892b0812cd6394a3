import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { expertSentence } from '@interview-prep/contracts/catalog/expert-sentence';
import type { SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import { parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';
import { editStateOf } from '@interview-prep/contracts/recording/edited-words';
import type { Point } from '@interview-prep/contracts/recording/recordings';
import { questionKey, withoutQuestionPrefix } from '@interview-prep/contracts/text/question-text';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { Types, trusted } from 'mongoose';
import { countedFields } from './count-session.ts';
import type { AnsweredQuestion, HistoryModels, MissedPointCount, QuestionRef, RecordingEntry } from './model.ts';
import { scheduleReview } from './schedule-review.ts';
import { sourceOf } from './source-of.ts';

/** How many takes of a question are read: the newest. */
const takesMax = 200;

/** The same for the same question, however it is numbered and written, in any set. */
export function questionHashOf(question: string): string {
  return createHash('sha256').update(questionKey(question)).digest('hex').slice(0, 32);
}

/**
 * The question that a recording answers, for counting it; none in practice, which is not judged, and none for a follow-up
 * question, which does not come back: its parent does.
 */
export function questionRefOf(
  { kind, userId, questions, followUps }: Pick<SessionSnapshot, 'kind' | 'userId' | 'questions' | 'followUps'>,
  questionId: number,
): QuestionRef | null {
  const question = questions[questionId];
  const comesBack = kind === 'interview' && parentQuestionOf({ followUps }, questionId) === undefined;
  return comesBack && question ? { userId, questionHash: questionHashOf(question) } : null;
}

/** The fields that recounting a question needs, and those that a session's counts need. */
const takeFields = [
  ...countedFields,
  'answeredAt',
  'questionHash',
  'snapshot.chatGPTResponse',
  'snapshot.assessment.points.text',
  'snapshot.assessment.points.covered',
  'snapshot.assessment.points.state',
  'snapshot.assessment.points.optional',
];

/** The recordings of a session, and all of one person's answers to a question. */
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
 * Recomputes the summary of one person's answers to one question from all of them, so that events may come twice and in
 * any order, and new verdicts and deletions count. Several processes may do so at once: it writes until it computes the same again.
 * @param known the takes that an event has read already, and its session
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

/** Of each session the newest take, oldest session first: an answer that was given again at once is no second review. */
function newestPerSession(takes: readonly Take[]): Take[] {
  const newest = new Map<string, Take>();
  for (const take of takes) {
    const known = newest.get(take.entryId.toHexString());
    if (!known || known.take < take.take) newest.set(take.entryId.toHexString(), take);
  }
  return [...newest.values()].sort((a, b) => a.answeredAt.getTime() - b.answeredAt.getTime());
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
  const card = scheduleReview(judged.map((take) => ({ at: take.answeredAt, percentage: percentageOf(take) })));
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
    missed: stillMissed(judged),
    card,
  };
}

const isMissed = ({ state, covered, optional }: Point) => !optional && (state ? state !== 'covered' : !covered);

/** The expert's sentences with a point that was missed or made by half: a point may be a clause, which nobody reads alone. */
function missedSentences({ snapshot: { assessment, chatGPTResponse = '' } }: Take): Set<string> {
  const missed = (assessment?.points ?? []).filter(isMissed);
  const sentences = missed.map(({ text }) => expertSentence(text, chatGPTResponse));
  return new Set(sentences.map(({ before, point, after }) => before + point + after));
}

/** What the last answer missed, and in how many of the answers. */
function stillMissed(answers: readonly Take[]): MissedPointCount[] {
  const inEach = answers.map(missedSentences);
  return [...(inEach.at(-1) ?? [])].map((text) => ({ text, times: inEach.filter((each) => each.has(text)).length }));
}
