import type { SessionKind } from '@interview-prep/contracts/recordings';
import { type Dispatch, useEffect } from 'react';
import { useStore } from 'react-redux';
import { endSession } from '../app/base-api.ts';
import { messages } from '../app/messages.ts';
import { selectToken } from '../app/session-slice.ts';
import type { RootState } from '../app/store.ts';
import { toast } from '../app/toasts.ts';
import { UploadError } from '../app/upload-recording.ts';
import type { Answer } from './answer.ts';
import { deleteDraft } from './answer-drafts.ts';
import type { UploadEvent } from './answer-events.ts';
import type { Subject } from './take.ts';
import { recorderToast } from './toast-id.ts';
import { uploadAnswer } from './upload-answer.ts';
import { refreshHistory, uploadFailureToast } from './upload-outcome.ts';

/** Sends the answer while a state machine is in 'uploading', and tells it how that ended. Leaving the screen breaks it off. */
export function useAnswerUpload(
  kind: SessionKind,
  { phase, index }: { phase: { name: string; answer?: Answer }; index: number },
  dispatch: Dispatch<UploadEvent>,
  subjectOf: (questionId: number) => Subject,
): void {
  const store = useStore<RootState>();
  const answer = (phase.name === 'uploading' && phase.answer) || null;

  useEffect(() => {
    if (!answer) return;
    const subject = subjectOf(index);
    if (subject.userId === '' || subject.setId === '') {
      toast.error(messages.recorder.missingData, { id: recorderToast });
      dispatch({ type: 'upload-failed', message: messages.recorder.missingData });
      return;
    }
    const controller = new AbortController();
    const token = selectToken(store.getState());
    toast.info(messages.recorder.uploading, { id: recorderToast });
    uploadAnswer(kind, subject, answer.blob, token, controller.signal).then(
      (recording) => {
        toast.success(messages.recorder.saved, { id: recorderToast });
        deleteDraft(answer.draftId).catch(console.warn);
        refreshHistory(kind, store.dispatch);
        dispatch({ type: 'uploaded', recording: { _id: recording._id, questionId: index } });
      },
      (failure: unknown) => {
        if (controller.signal.aborted) return toast.dismiss(recorderToast);
        console.error(failure);
        toast.error(uploadFailureToast[kind](failure), { id: recorderToast });
        const message = failure instanceof UploadError ? failure.message : messages.recorder.saveFailed;
        dispatch({ type: 'upload-failed', message });
        if (failure instanceof UploadError && failure.error.status === 401) endSession(token, store);
      },
    );
    return () => controller.abort();
  }, [kind, answer, index, dispatch, subjectOf, store]);
}
