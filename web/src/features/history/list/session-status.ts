import type { SessionItem } from '../session-types.ts';

/** The status of a session, in words. */
export interface SessionStatus {
  tone: 'pending' | 'partial' | 'complete';
  text: string;
}

/** '2 being transcribed' while answers are processed; else whether every question has one. */
export function sessionStatus({
  pendingCount,
  answeredCount,
  questionCount,
}: Pick<SessionItem, 'pendingCount' | 'answeredCount' | 'questionCount'>): SessionStatus {
  if (pendingCount > 0) return { tone: 'pending', text: `${pendingCount} being transcribed` };
  if (answeredCount === 0) return { tone: 'partial', text: 'Not answered' };
  if (answeredCount < questionCount) return { tone: 'partial', text: 'Incomplete' };
  return { tone: 'complete', text: 'Complete' };
}
