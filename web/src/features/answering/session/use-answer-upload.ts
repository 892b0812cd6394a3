import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { type Dispatch, type RefObject, useCallback, useEffect } from 'react';
import { useStore } from 'react-redux';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { endSignIn } from '../../../lib/api/base-api.ts';
import { deleteDraft } from '../../../lib/drafts/answer-drafts.ts';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { messages } from '../../../lib/messages.ts';
import { selectToken } from '../../../lib/state/sign-in-slice.ts';
import type { RootState } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import type { SavedAnswer, UploadEvent, WaitingAnswer } from './answer-events.ts';
import { type AnswerUpload, openAnswerUpload, UploadError } from './answer-upload.ts';
import { forgetProgress } from './session-progress.ts';
import type { AnswerTarget } from './take.ts';
import { awaitResults, recorderToast, uploadFailureToast } from './upload-outcome.ts';

/** Whether the server rejected the question because the set has since been edited and no longer has it. */
const isQuestionGone = ({ status, details }: ApiError): boolean =>
  status === 400 && details?.some(({ path }) => path === 'questionId') === true;

/** The delay before retrying an answer, if the server names none. */
const defaultRetryS = 60;
/** The retry interval of an answer waiting for the network, in addition to the browser's `online` event. */
const waitingRetryMs = 15_000;

/** The message next to a held answer. */
function failureMessage(failure: unknown): string {
  if (!(failure instanceof UploadError)) return messages.recorder.saveFailed;
  return isQuestionGone(failure.error) ? messages.recorder.questionGone : failure.message;
}

/** When to retry an answer that was rejected by a rate limit. */
function retryTime(failure: unknown): { retryAtMs?: number } {
  if (!(failure instanceof UploadError) || failure.error.status !== 429) return {};
  return { retryAtMs: Date.now() + (failure.error.retryAfterS ?? defaultRetryS) * 1000 };
}

interface UploadingState {
  phase: { name: string; answer?: RecordedAnswer };
  index: number;
  waiting: readonly WaitingAnswer[];
}

/**
 * Completes the upload of the answer in phase 'uploading', and of answers waiting for the network, and dispatches the
 * outcome. Leaving the screen aborts it.
 */
export function useAnswerUpload(
  kind: SessionKind,
  { phase, index, waiting }: UploadingState,
  dispatch: Dispatch<UploadEvent>,
  targetOf: (askedIndex: number) => AnswerTarget,
  uploads: RefObject<Map<string, AnswerUpload>>,
): void {
  const store = useStore<RootState>();
  const answer = (phase.name === 'uploading' && phase.answer) || null;

  const complete = useCallback(
    async ({ askedIndex, answer }: WaitingAnswer, signal: AbortSignal): Promise<SavedAnswer> => {
      const target = targetOf(askedIndex);
      let upload = uploads.current.get(answer.draftId);
      if (!upload) {
        const getToken = () => selectToken(store.getState());
        upload = openAnswerUpload({ uploadId: answer.draftId, target, kind, getToken });
        uploads.current.set(answer.draftId, upload);
        upload.add(answer.blob);
      }
      const recording = await upload.complete(signal);
      uploads.current.delete(answer.draftId);
      deleteDraft(answer.draftId).catch(console.warn);
      store.dispatch(awaitResults(kind, target, recording));
      const interview = 'interviewId' in recording ? { interviewId: recording.interviewId } : {};
      return { _id: recording._id, askedIndex, ...interview };
    },
    [kind, targetOf, uploads, store],
  );

  useEffect(() => {
    if (!answer) return;
    const target = targetOf(index);
    if (target.userId === '' || target.setId === '') {
      toast.error(messages.recorder.missingData, { id: recorderToast });
      dispatch({ type: 'upload-failed', message: messages.recorder.missingData });
      return;
    }
    const controller = new AbortController();
    const token = selectToken(store.getState());
    toast.info(messages.recorder.uploading, { id: recorderToast });
    complete({ askedIndex: index, answer }, controller.signal).then(
      (recording) => {
        if (answer.silent) toast.info(messages.recorder.savedSilent, { id: recorderToast });
        else toast.success(messages.recorder.saved, { id: recorderToast });
        dispatch({ type: 'uploaded', recording });
      },
      (failure: unknown) => {
        if (controller.signal.aborted) return toast.dismiss(recorderToast);
        console.error(failure);
        // When offline, the notice says that the answer will be sent; "try again" would contradict it.
        if (navigator.onLine) toast.error(uploadFailureToast[kind](failure), { id: recorderToast });
        else toast.dismiss(recorderToast);
        dispatch({ type: 'upload-failed', message: failureMessage(failure), ...retryTime(failure) });
        if (!(failure instanceof UploadError)) return;
        // This session can't be completed: the next visit starts a new one.
        if (isQuestionGone(failure.error)) forgetProgress(target.userId, target.setId);
        if (failure.error.status === 401) endSignIn(token, store);
      },
    );
    return () => controller.abort();
  }, [kind, answer, index, dispatch, targetOf, complete, store]);

  const [next] = waiting;
  useEffect(() => {
    if (!next) return;
    const controller = new AbortController();
    let isSending = false;
    const send = async () => {
      if (isSending) return;
      isSending = true;
      try {
        dispatch({ type: 'sent-later', recording: await complete(next, controller.signal) });
      } catch (failure) {
        if (!controller.signal.aborted) console.warn('An answer waits to be sent', failure);
      }
      isSending = false;
    };
    const timer = setInterval(send, waitingRetryMs);
    window.addEventListener('online', send);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', send);
      controller.abort();
    };
  }, [next, dispatch, complete]);
}
