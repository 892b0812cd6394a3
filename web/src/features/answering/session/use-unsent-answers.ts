import type { AnswerUpload } from '@interview-prep/contracts/recording/uploads';
import { useCallback, useEffect, useState } from 'react';
import { useLazyListUploadsQuery } from '../../../lib/api/uploads-api.ts';
import { deleteDraft, unsentAnswers } from '../../../lib/drafts/answer-drafts.ts';
import type { DraftHead, LockedDraft, UnsentAnswer } from '../../../lib/drafts/draft.ts';
import { messages } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import { markRunning, runningSessions } from './running-sessions.ts';
import { recorderToast } from './upload-outcome.ts';

/** `AnswerUpload`: an answer that was cut off, and that only the server has. */
export type Unsent = UnsentAnswer | LockedDraft | AnswerUpload;

/**
 * The unsent answers to this set from an earlier visit, including those that were cut off or can't be read;
 * null while loading.
 * Skips answers that the server already has (only the response was lost), that another tab is recording right now, and that
 * can't be decrypted until their key arrives: a toast says so, since waiting must not block the candidate.
 */
export function useUnsentAnswers(
  userId: string,
  setId: string,
  sessionId: string,
  isAnswered: (questionId: number) => boolean,
) {
  const [unsent, setUnsent] = useState<readonly Unsent[] | null>(null);
  const [listUploads] = useLazyListUploadsQuery();

  useEffect(() => markRunning(sessionId), [sessionId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with what was saved at that time
  useEffect(() => {
    let left = false;
    const isSaved = (draft: Pick<DraftHead, 'sessionId' | 'questionId'>) =>
      draft.sessionId === sessionId && isAnswered(draft.questionId);
    // Without the server, the answers in this browser are enough to go on.
    const listed = listUploads()
      .unwrap()
      .catch(() => []);
    const loaded = Promise.all([unsentAnswers(userId, setId), runningSessions(), listed]);
    void loaded.then(([{ answers, locked }, running, uploads]) => {
      const found = [...answers, ...locked];
      for (const draft of found.filter(isSaved)) deleteDraft(draft.id).catch(console.warn);
      const isElsewhere = (draft: DraftHead) => draft.sessionId !== sessionId && running.has(draft.sessionId);
      if (left) return;
      const open = found.filter((draft) => !isSaved(draft) && !isElsewhere(draft));
      const isWaiting = (draft: UnsentAnswer | LockedDraft) => 'locked' in draft && draft.locked === 'no-key';
      if (open.some(isWaiting)) toast.info(messages.recorder.draftKeyMissing, { id: recorderToast });
      const cutOff = uploads.filter(
        (upload) =>
          upload.state === 'cut_off' &&
          upload.nextPart > 0 &&
          upload.setId === setId &&
          !isSaved(upload) &&
          found.every(({ id }) => id !== upload.id),
      );
      setUnsent([...open.filter((draft) => !isWaiting(draft)), ...cutOff]);
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
