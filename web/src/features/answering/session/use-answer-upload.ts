import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { type Dispatch, type RefObject, useEffect } from 'react';
import { useStore } from 'react-redux';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { endSignIn } from '../../../lib/api/base-api.ts';
import { deleteDraft } from '../../../lib/drafts/answer-drafts.ts';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { messages } from '../../../lib/messages.ts';
import { selectToken } from '../../../lib/state/sign-in-slice.ts';
import type { RootState } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import type { UploadEvent } from './answer-events.ts';
import { type AnswerUpload, openAnswerUpload, UploadError } from './answer-upload.ts';
import { recorderToast } from './recorder-toast.ts';
import { forgetProgress } from './session-progress.ts';
import type { AnswerTarget } from './take.ts';
import { awaitResults, uploadFailureToast } from './upload-outcome.ts';

/** Whether the server refused the question: the set was edited after the page showed it, and has no such question now. */
const isQuestionGone = ({ status, details }: ApiError): boolean =>
  status === 400 && details?.some(({ path }) => path === 'questionId') === true;

/** The pause before an answer is sent again, where the server names none. */
const defaultRetryS = 60;

/** The message beside a held answer. */
function failureMessage(failure: unknown): string {
  if (!(failure instanceof UploadError)) return messages.recorder.saveFailed;
  return isQuestionGone(failure.error) ? messages.recorder.questionGone : failure.message;
}

/** When to send an answer again that the server refused because its limits were reached. */
function retryTime(failure: unknown): { retryAtMs?: number } {
  if (!(failure instanceof UploadError) || failure.error.status !== 429) return {};
  return { retryAtMs: Date.now() + (failure.error.retryAfterS ?? defaultRetryS) * 1000 };
}

/** Completes the upload of the answer in the phase 'uploading' and dispatches the outcome. Leaving the screen aborts it. */
export function useAnswerUpload(
  kind: SessionKind,
  { phase, index }: { phase: { name: string; answer?: RecordedAnswer }; index: number },
  dispatch: Dispatch<UploadEvent>,
  targetOf: (askedIndex: number) => AnswerTarget,
  uploads: RefObject<Map<string, AnswerUpload>>,
): void {
  const store = useStore<RootState>();
  const answer = (phase.name === 'uploading' && phase.answer) || null;

  useEffect(() => {
    if (!answer) return;
    const target = targetOf(index);
    if (target.userId === '' || target.setId === '') {
      toast.error(messages.recorder.missingData, { id: recorderToast });
      dispatch({ type: 'upload-failed', message: messages.recorder.missingData });
      return;
    }
    const controller = new AbortController();
    const getToken = () => selectToken(store.getState());
    const token = getToken();
    toast.info(messages.recorder.uploading, { id: recorderToast });
    let upload = uploads.current.get(answer.draftId);
    if (!upload) {
      upload = openAnswerUpload({ uploadId: answer.draftId, target, kind, getToken });
      uploads.current.set(answer.draftId, upload);
      upload.add(answer.blob);
    }
    upload.complete(controller.signal).then(
      (recording) => {
        if (answer.silent) toast.info(messages.recorder.savedSilent, { id: recorderToast });
        else toast.success(messages.recorder.saved, { id: recorderToast });
        uploads.current.delete(answer.draftId);
        deleteDraft(answer.draftId).catch(console.warn);
        store.dispatch(awaitResults(kind, target, recording));
        const interview = 'interviewId' in recording ? { interviewId: recording.interviewId } : {};
        dispatch({ type: 'uploaded', recording: { _id: recording._id, askedIndex: index, ...interview } });
      },
      (failure: unknown) => {
        if (controller.signal.aborted) return toast.dismiss(recorderToast);
        console.error(failure);
        toast.error(uploadFailureToast[kind](failure), { id: recorderToast });
        dispatch({ type: 'upload-failed', message: failureMessage(failure), ...retryTime(failure) });
        if (!(failure instanceof UploadError)) return;
        // This session cannot be completed: the next visit starts a new one.
        if (isQuestionGone(failure.error)) forgetProgress(target.userId, target.setId);
        if (failure.error.status === 401) endSignIn(token, store);
      },
    );
    return () => controller.abort();
  }, [kind, answer, index, dispatch, targetOf, uploads, store]);
}
