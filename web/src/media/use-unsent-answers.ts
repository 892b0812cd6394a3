import { useCallback, useEffect, useState } from 'react';
import { deleteDraft, unsentAnswers } from './answer-drafts.ts';
import type { SavedAnswer } from './answer-events.ts';
import type { UnsentAnswer } from './draft.ts';

/**
 * The answers to this set that a former visit could not send; null while they are looked up.
 * What the session has saved meanwhile is not unsent: the answer of the server was lost, not the recording.
 */
export function useUnsentAnswers(userId: string, setId: string, sessionId: string, saved: readonly SavedAnswer[]) {
  const [unsent, setUnsent] = useState<readonly UnsentAnswer[] | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: looked up once, with what was saved when the page came
  useEffect(() => {
    let left = false;
    const isSaved = (draft: UnsentAnswer) =>
      draft.sessionId === sessionId && saved.some(({ questionId }) => questionId === draft.questionId);
    void unsentAnswers(userId, setId).then((drafts) => {
      for (const draft of drafts.filter(isSaved)) deleteDraft(draft.id).catch(console.warn);
      if (!left) setUnsent(drafts.filter((draft) => !isSaved(draft)));
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
