import type { FollowUp, OpenFollowUps } from '@interview-prep/contracts/recording/follow-ups';
import type { NamedQuestion } from '@interview-prep/contracts/recording/question-sources';
import { randomUuid } from '../../../lib/random-uuid.ts';
import type { SavedAnswer } from './answer-events.ts';

/** A follow-up question asked by the recorder. */
export type AskedFollowUp = OpenFollowUps['followUps'][number];

/** The progress of a session, stored in the tab so that a reload resumes it. */
export interface SessionProgress {
  /** UUID. */
  sessionId: string;
  /** The set's questions at the start of the session; the server keeps a copy too. */
  questions: readonly string[];
  /** The zero-based numbers of the questions asked, in order. */
  asked: readonly number[];
  /** The index among the questions asked. */
  index: number;
  saved: readonly SavedAnswer[];
  /** The questions' sets, in a session with several. */
  sources?: readonly NamedQuestion[];
  /** The assignment that the session is for. */
  assignmentId?: string;
  /** The follow-up questions asked so far, after the others. */
  followUps?: readonly AskedFollowUp[];
}

/** The questions of a session. */
export interface SessionPlan extends Pick<SessionProgress, 'questions' | 'asked' | 'sources' | 'assignmentId'> {
  /** A session begun earlier, perhaps in another browser, with the answers that the server has. */
  begun?: Pick<SessionProgress, 'sessionId' | 'saved'>;
}

/** How a session starts. `setChanged`: this tab had a session in progress, but the set's questions have changed. */
export interface SessionBeginning extends SessionProgress {
  setChanged: boolean;
}

const prefixOf = (userId: string) => `interview:${userId}:`;
const keyOf = (userId: string, setId: string) => `${prefixOf(userId)}${setId}`;

/**
 * The follow-up questions that have been answered, whose text is no longer needed. An open one is fetched again.
 * @param first the index of the first follow-up among all questions asked
 */
function answeredOf(followUps: readonly FollowUp[], first: number, saved: readonly SavedAnswer[]): AskedFollowUp[] {
  const answered = followUps.filter((_, index) => saved.some(({ askedIndex }) => askedIndex === first + index));
  return answered.map(({ questionId, parentQuestionId }) => ({ questionId, parentQuestionId, question: '' }));
}

/** Reads stored progress. Progress from older releases covers all questions. */
function progressOf(value: unknown): SessionProgress | null {
  if (typeof value !== 'object' || value === null) return null;
  const { sessionId, questions, asked, index, saved, sources, assignmentId, followUps } =
    value as Partial<SessionProgress>;
  const isWhole =
    typeof sessionId === 'string' && Array.isArray(questions) && Number.isInteger(index) && Array.isArray(saved);
  if (!isWhole) return null;
  const askedOfSet = Array.isArray(asked) ? asked : [...questions.keys()];
  // Earlier releases stored the index as `questionId`.
  const savedByIndex = saved.map((answer: SavedAnswer & { questionId?: number }) => ({
    ...answer,
    askedIndex: answer.askedIndex ?? answer.questionId,
  }));
  return {
    sessionId,
    questions,
    asked: askedOfSet,
    index: index ?? 0,
    saved: savedByIndex,
    ...(Array.isArray(sources) && { sources }),
    ...(typeof assignmentId === 'string' && { assignmentId }),
    ...(Array.isArray(followUps) && { followUps: answeredOf(followUps, askedOfSet.length, savedByIndex) }),
  };
}

function readProgress(userId: string, setId: string): SessionProgress | null {
  const text = sessionStorage.getItem(keyOf(userId, setId));
  if (text === null) return null;
  try {
    return progressOf(JSON.parse(text));
  } catch {
    return null;
  }
}

const isSame = <Item>(some: readonly Item[], others: readonly Item[]): boolean =>
  some.length === others.length && some.every((item, index) => item === others[index]);

/** The first open question from `from` on, else the first of all; null if none is open. */
export function firstOpen(
  questionCount: number,
  done: readonly Pick<SavedAnswer, 'askedIndex'>[],
  from = 0,
): number | null {
  const answered = new Set(done.map(({ askedIndex }) => askedIndex));
  const open = Array.from({ length: questionCount }, (_, index) => index).filter((index) => !answered.has(index));
  return open.find((index) => index >= from) ?? open[0] ?? null;
}

/** Resumes this tab's session with the set, continues an earlier one, or starts a new one with a random UUID. */
export function resumeOrBegin(userId: string, setId: string, plan: SessionPlan): SessionBeginning {
  const { questions, asked, begun, sources, assignmentId } = plan;
  const kept = readProgress(userId, setId);
  // The first answer changed what is due, so a review started here keeps its own questions.
  if (sources && !begun && kept?.sources) return { ...kept, setChanged: false };
  const isKept = kept !== null && isSame(kept.questions, questions) && isSame(kept.asked, asked);
  if (begun) {
    const isOwn = isKept && kept.sessionId === begun.sessionId;
    const saved = isOwn ? [...begun.saved, ...kept.saved.filter((one) => !isSavedIn(begun.saved, one))] : begun.saved;
    const index = firstOpen(asked.length, saved, isOwn ? kept.index : 0) ?? 0;
    const followUps = isOwn && kept.followUps ? { followUps: kept.followUps } : {};
    const head = { sessionId: begun.sessionId, questions, asked, ...(sources && { sources }), ...followUps };
    return { ...head, index, saved, setChanged: false };
  }
  const isSameWork = kept?.assignmentId === assignmentId;
  if (isKept && isSameWork) return { ...kept, setChanged: false };
  const setChanged =
    kept !== null && isSameWork && !isSame(kept.questions, questions) && (kept.index > 0 || kept.saved.length > 0);
  const head = { ...(sources && { sources }), ...(assignmentId && { assignmentId }) };
  return { sessionId: randomUuid(), questions, asked, index: 0, saved: [], setChanged, ...head };
}

const isSavedIn = (saved: readonly SavedAnswer[], { askedIndex }: SavedAnswer) =>
  saved.some((one) => one.askedIndex === askedIndex);

/**
 * Stores the progress in this tab, without the text of follow-up questions, which reveal what an answer missed. Does nothing
 * if the browser refuses.
 */
export function keepProgress(userId: string, setId: string, { followUps, ...progress }: SessionProgress): void {
  const asked = followUps?.map(({ questionId, parentQuestionId }) => ({ questionId, parentQuestionId }));
  try {
    sessionStorage.setItem(keyOf(userId, setId), JSON.stringify({ ...progress, ...(asked && { followUps: asked }) }));
  } catch (error) {
    // The session continues; only a reload would lose its place.
    console.warn('The browser does not keep how far this session is', error);
  }
}

/** Deletes a user's session progress. The server has the answers. */
export function forgetAllProgress(userId: string): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefixOf(userId))) sessionStorage.removeItem(key);
}

/** Ends the session, so that the next one with this set starts fresh. */
export function forgetProgress(userId: string, setId: string): void {
  sessionStorage.removeItem(keyOf(userId, setId));
}
