import { setTimeout as pause } from 'node:timers/promises';
import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { questionKey } from '@interview-prep/contracts/text/question-text';
import type { Model } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Session } from '../sessions/model.ts';
import type { SetContent, SetCopy } from './model.ts';
import { findSetRevision, graceMs } from './set-revision.ts';

interface ExpertAnswer {
  text: string;
  points: ExpertPoint[];
}

/**
 * The expert answer to a session's question: the session's own; else one added to its set since; else that of
 * a practice set with the same question. Undefined if there is none.
 */
export async function findExpertAnswer(
  session: Pick<Session, 'setId' | 'questions' | 'expertAnswers' | 'expertPoints'>,
  questionId: number,
  sets: Model<SetCopy>,
): Promise<ExpertAnswer | undefined> {
  const own = expertAnswerOf(session, questionId);
  if (own) return own;
  const key = questionKey(session.questions[questionId] ?? '');
  if (key === '') return undefined;
  const candidates = await sets
    .find({ questionKeys: key, $or: [{ _id: session.setId }, { kind: 'practice', deletedAt: null }] })
    // The session's own set first, then a stable order.
    .sort({ kind: 1, _id: 1 })
    .limit(20)
    .lean<SetCopy[]>();
  return candidates.map((set) => expertAnswerOf(set, set.questionKeys.indexOf(key))).find(Boolean);
}

function expertAnswerOf(
  { expertAnswers, expertPoints }: Pick<SetCopy, 'expertAnswers' | 'expertPoints'>,
  index: number,
): ExpertAnswer | undefined {
  const text = expertAnswers[index]?.trim();
  if (!text) return undefined;
  const points = expertPoints?.[index] ?? [];
  return { text, points: points.length > 0 ? points : derivePoints(text) };
}

const pauseMs = 100;

/**
 * The content for a new session of a set: the revision that the candidate was shown, else the newest. A set that
 * was just created or edited may not have arrived yet: waits up to `patienceMs` for it.
 * @param shown `setUpdatedAt`: the `updatedAt` of the set that the candidate was shown
 * @returns null if there is no such set, or it was deleted more than a day ago
 */
export async function findSet(
  { sets, setRevisions }: Pick<RecordingModels, 'sets' | 'setRevisions'>,
  { setId, kind, setUpdatedAt }: { setId: string; kind: SessionKind; setUpdatedAt?: string | undefined },
  patienceMs: number,
): Promise<SetContent | null> {
  const shownUpdatedAt = setUpdatedAt === undefined ? undefined : new Date(setUpdatedAt);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const set = await sets.findOne({ _id: setId }).lean<SetCopy>();
    if (set && (!isBehind(set, shownUpdatedAt) || Date.now() >= deadline)) {
      // A deleted set still works for candidates who have it on their screen.
      const isOpen = set.deletedAt === null || set.deletedAt.getTime() > Date.now() - graceMs;
      if (set.kind !== kind || !isOpen) return null;
      if (shownUpdatedAt === undefined || set.updatedAt?.getTime() === shownUpdatedAt.getTime()) return set;
      return (await findSetRevision(setId, shownUpdatedAt, setRevisions)) ?? set;
    }
    if (Date.now() >= deadline) return null;
    await pause(pauseMs);
  }
}

/** Whether the candidate was shown a newer revision than the copy. */
const isBehind = ({ updatedAt }: SetCopy, shownUpdatedAt: Date | undefined) =>
  shownUpdatedAt !== undefined && updatedAt !== undefined && updatedAt < shownUpdatedAt;
