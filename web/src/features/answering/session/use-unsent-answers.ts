import { useCallback, useEffect, useState } from 'react';
import { deleteDraft, unsentAnswers } from '../../../lib/drafts/answer-drafts.ts';
import type { UnsentAnswer } from '../../../lib/drafts/draft.ts';
import { markRunning, runningSessions } from './running-sessions.ts';

/**
 * The answers to this set that an earlier visit could not send; null while loading.
 * Leaves out what the server already saved (only its response was lost) and what another tab is recording right now.
 */
export function useUnsentAnswers(
  userId: string,
  setId: string,
  sessionId: string,
  isAnswered: (questionId: number) => boolean,
) {
  const [unsent, setUnsent] = useState<readonly UnsentAnswer[] | null>(null);

  useEffect(() => markRunning(sessionId), [sessionId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with what was saved at that time
  useEffect(() => {
    let left = false;
    const isSaved = (draft: UnsentAnswer) => draft.sessionId === sessionId && isAnswered(draft.questionId);
    void Promise.all([unsentAnswers(userId, setId), runningSessions()]).then(([drafts, running]) => {
      for (const draft of drafts.filter(isSaved)) deleteDraft(draft.id).catch(console.warn);
      const isElsewhere = (draft: UnsentAnswer) => draft.sessionId !== sessionId && running.has(draft.sessionId);
      if (!left) setUnsent(drafts.filter((draft) => !isSaved(draft) && !isElsewhere(draft)));
    });
    return () => {
      left = true;
    };
  }, [userId, setId, sessionId]);

  const forget = useCallback((id: string) => {
    setUnsent((drafts) => drafts?.filter((draft) => draft.id !== id) ?? null);
  }, []);

  return { unsent, forget };
}
