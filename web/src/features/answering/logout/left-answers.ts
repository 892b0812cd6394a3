import { allUnsentAnswers, deleteDrafts } from '../../../lib/drafts/answer-drafts.ts';
import type { DraftHead, LockedDraft, UnsentAnswer } from '../../../lib/drafts/draft.ts';
import { runningSessions } from '../session/running-sessions.ts';
import { forgetAllProgress } from '../session/session-progress.ts';

/** A user's data in this browser that isn't on the server. */
export interface LeftAnswers {
  /** The answers that can be sent now, oldest first. */
  answers: readonly UnsentAnswer[];
  /** Answers that can't be decrypted now, or ever. */
  locked: readonly LockedDraft[];
  /** Whether another tab is recording right now. */
  recordingElsewhere: boolean;
}

/** Finds the unsent answers that a logout would leave in this browser. */
export async function findLeftAnswers(userId: string): Promise<LeftAnswers> {
  const [found, running] = await Promise.all([allUnsentAnswers(userId), runningSessions()]);
  const isElsewhere = ({ sessionId }: DraftHead) => running.has(sessionId);
  return {
    answers: found.answers.filter((draft) => !isElsewhere(draft)),
    locked: found.locked.filter((draft) => !isElsewhere(draft)),
    recordingElsewhere: [...found.answers, ...found.locked].some(isElsewhere),
  };
}

/** Deletes a user's recordings and session progress from this browser. */
export async function clearAnswers(userId: string): Promise<void> {
  forgetAllProgress(userId);
  await deleteDrafts((draft) => draft.userId === userId);
}
