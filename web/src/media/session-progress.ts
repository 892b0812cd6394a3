import type { SavedAnswer } from './answer-events.ts';

/** How far a session is, kept in the tab so that a reload goes on where it was. */
export interface SessionProgress {
  /** UUID. */
  sessionId: string;
  index: number;
  saved: readonly SavedAnswer[];
}

const keyOf = (userId: string, setId: string) => `interview:${userId}:${setId}`;

function isProgress(value: unknown): value is SessionProgress {
  if (typeof value !== 'object' || value === null) return false;
  const { sessionId, index, saved } = value as Partial<SessionProgress>;
  return typeof sessionId === 'string' && Number.isInteger(index) && Array.isArray(saved);
}

/** The session that this tab was in with the set; a new one with a random UUID where there is none. */
export function resumeOrBegin(userId: string, setId: string): SessionProgress {
  const text = sessionStorage.getItem(keyOf(userId, setId));
  const fresh = { sessionId: crypto.randomUUID(), index: 0, saved: [] };
  if (text === null) return fresh;
  try {
    const value: unknown = JSON.parse(text);
    return isProgress(value) ? value : fresh;
  } catch {
    return fresh;
  }
}

export function keepProgress(userId: string, setId: string, progress: SessionProgress): void {
  sessionStorage.setItem(keyOf(userId, setId), JSON.stringify(progress));
}

/** The session is over: the next one with this set is a new one. */
export function forgetProgress(userId: string, setId: string): void {
  sessionStorage.removeItem(keyOf(userId, setId));
}
