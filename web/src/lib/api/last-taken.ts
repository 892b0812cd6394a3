import type { InterviewItem } from '@interview-prep/contracts/history';

/** A user's latest session with a set. `average` is 0–100, null until something has been judged. */
export interface LastTaken extends Pick<InterviewItem, 'answeredCount' | 'questionCount'> {
  interviewId: string;
  at: string;
  average: number | null;
}

/** The latest session of each set that the user took, by set id. An admin's history holds others' sessions too. */
export function lastTakenBySet(items: readonly InterviewItem[], userId: string): Record<string, LastTaken> {
  const latest: Record<string, LastTaken> = {};
  for (const item of items) {
    if (item.userId !== userId) continue;
    const known = latest[item.interviewSetId];
    if (known && known.at >= item.createdAt) continue;
    const { _id: interviewId, createdAt: at, averageCorrectness: average, answeredCount, questionCount } = item;
    latest[item.interviewSetId] = { interviewId, at, average, answeredCount, questionCount };
  }
  return latest;
}
