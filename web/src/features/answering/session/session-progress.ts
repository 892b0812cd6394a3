import { randomUuid } from '../../../lib/random-uuid.ts';
import type { SavedAnswer } from './answer-events.ts';

/** The progress of a session, kept in the tab so that a reload continues there. */
export interface SessionProgress {
  /** UUID. */
  sessionId: string;
  /** The set's questions when the session began; the server keeps a copy too. */
  questions: readonly string[];
  index: number;
  saved: readonly SavedAnswer[];
}

/** How a session begins. `setChanged`: this tab had a session in progress, but the set has other questions now. */
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

/** Resumes this tab's session with the set, or begins a new one with a random UUID. */
export function resumeOrBegin(userId: string, setId: string, questions: readonly string[]): SessionBeginning {
  const kept = readProgress(userId, setId);
  if (kept && isSame(kept.questions, questions)) return { ...kept, setChanged: false };
  const setChanged = kept !== null && (kept.index > 0 || kept.saved.length > 0);
  return { sessionId: randomUuid(), questions, index: 0, saved: [], setChanged };
}

/** Stores the progress in this tab. Does nothing where the browser refuses. */
export function keepProgress(userId: string, setId: string, progress: SessionProgress): void {
  try {
    sessionStorage.setItem(keyOf(userId, setId), JSON.stringify(progress));
  } catch (error) {
    // The session continues; only a reload would lose its place.
    console.warn('The browser does not keep how far this session is', error);
  }
}

/** Ends the session: the next one with this set is new. */
export function forgetProgress(userId: string, setId: string): void {
  sessionStorage.removeItem(keyOf(userId, setId));
}
