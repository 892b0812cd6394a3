import { randomUuid } from '../../../lib/random-uuid.ts';
import type { SavedAnswer } from './answer-events.ts';

/** How far a session is, kept in the tab so that a reload goes on where it was. */
export interface SessionProgress {
  /** UUID. */
  sessionId: string;
  /** The set's questions as they were when the session began; the server keeps to them. */
  questions: readonly string[];
  index: number;
  saved: readonly SavedAnswer[];
}

/** Where a session begins. `setChanged`: this tab was in the midst of one, but the set has other questions by now. */
export interface SessionBeginning extends SessionProgress {
  setChanged: boolean;
}

const keyOf = (userId: string, setId: string) => `interview:${userId}:${setId}`;

function isProgress(value: unknown): value is SessionProgress {
  if (typeof value !== 'object' || value === null) return false;
  const { sessionId, questions, index, saved } = value as Partial<SessionProgress>;
  return typeof sessionId === 'string' && Array.isArray(questions) && Number.isInteger(index) && Array.isArray(saved);
}

function readProgress(userId: string, setId: string): SessionProgress | null {
  const text = sessionStorage.getItem(keyOf(userId, setId));
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isProgress(value) ? value : null;
  } catch {
    return null;
  }
}

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text, index) => text === others[index]);

/** The session that this tab was in with the set as it is now; a new one with a random UUID where there is none. */
export function resumeOrBegin(userId: string, setId: string, questions: readonly string[]): SessionBeginning {
  const kept = readProgress(userId, setId);
  if (kept && isSame(kept.questions, questions)) return { ...kept, setChanged: false };
  const setChanged = kept !== null && (kept.index > 0 || kept.saved.length > 0);
  return { sessionId: randomUuid(), questions, index: 0, saved: [], setChanged };
}

export function keepProgress(userId: string, setId: string, progress: SessionProgress): void {
  try {
    sessionStorage.setItem(keyOf(userId, setId), JSON.stringify(progress));
  } catch (error) {
    // A full storage costs a reload its place, not the session that is running.
    console.warn('The browser does not keep how far this session is', error);
  }
}

/** The session is over: the next one with this set is a new one. */
export function forgetProgress(userId: string, setId: string): void {
  sessionStorage.removeItem(keyOf(userId, setId));
}
