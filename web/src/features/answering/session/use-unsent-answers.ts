import { useCallback, useEffect, useState } from 'react';
import { deleteDraft, unsentAnswers } from '../../../lib/drafts/answer-drafts.ts';
import type { UnsentAnswer } from '../../../lib/drafts/draft.ts';
import type { SavedAnswer } from './answer-events.ts';
import { markRunning, runningSessions } from './running-sessions.ts';

/**
 * The answers to this set that a former visit could not send; null while they are looked up.
 * What the session has saved meanwhile is not unsent: the answer of the server was lost, not the recording. What another
 * tab is just recording is that tab's to send: half of it would take the place of the whole.
 */
export function useUnsentAnswers(userId: string, setId: string, sessionId: string, saved: readonly SavedAnswer[]) {
  const [unsent, setUnsent] = useState<readonly UnsentAnswer[] | null>(null);

  useEffect(() => markRunning(sessionId), [sessionId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: looked up once, with what was saved when the page came
  useEffect(() => {
    let left = false;
    const isSaved = (draft: UnsentAnswer) =>
      draft.sessionId === sessionId && saved.some(({ questionId }) => questionId === draft.questionId);
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
