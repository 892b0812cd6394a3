import { limits } from '@interview-prep/contracts/limits';
import { type Dispatch, useCallback, useEffect, useRef, useState } from 'react';
import { deleteDraft } from '../../../lib/drafts/answer-drafts.ts';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { messages } from '../../../lib/messages.ts';
import { toast } from '../../../lib/toasts.ts';
import type { HeldReason, Input, TakeEvent } from './answer-events.ts';
import { recorderToast } from './recorder-toast.ts';
import { beginTake, type Subject, type Take, type TakeEnding } from './take.ts';

/** What an ending means where nobody had asked for it. */
const unasked: Readonly<Record<TakeEnding, { reason: HeldReason; message: string }>> = {
  stopped: { reason: 'microphone-lost', message: messages.recorder.microphoneLost },
  full: { reason: 'size-limit', message: messages.recorder.sizeLimit },
  failed: { reason: 'recorder-failed', message: messages.recorder.recorderFailed },
};

/**
 * Runs the browser's recorder as a state machine says by its phases: begins a take in 'starting', ends it in 'stopping', or when
 * the sound is gone, begins again from 'micUnavailable' once there is a sound. `index` is the question.
 * A new take forgets the one before, or the answer that was adopted in its place; leaving the screen ends the take but keeps its draft.
 */
export function useTake(
  { phase, index }: { phase: { name: string; answer?: RecordedAnswer }; index: number },
  dispatch: Dispatch<TakeEvent>,
  input: Input,
  subjectOf: (questionId: number) => Subject,
) {
  const take = useRef<Take | null>(null);
  const [draftId, setDraftId] = useState<string | null>(null);
  const [sizeBytes, setSizeBytes] = useState(0);

  const end = useCallback((how: 'leave' | 'discard') => {
    take.current?.[how]();
    take.current = null;
  }, []);
  const discard = useCallback(() => end('discard'), [end]);

  useEffect(() => () => end('leave'), [end]);

  const answerId = phase.answer?.draftId;
  useEffect(() => {
    if (answerId) setDraftId(answerId);
  }, [answerId]);

  useEffect(() => {
    if (phase.name === 'micUnavailable' && input.status === 'open') dispatch({ type: 'record-again' });
    // A picture may go on without its sound, and the recorder with it.
    const soundGone = phase.name === 'recording' && input.status === 'failed';
    if (phase.name === 'stopping' || soundGone) take.current?.stop();
    if (phase.name !== 'starting') return;
    if (input.status === 'failed') {
      discard();
      dispatch({ type: 'microphone-failed', problem: input.problem });
    }
    if (take.current || input.status !== 'open') return;

    if (draftId) deleteDraft(draftId).catch(console.warn);
    setSizeBytes(0);
    const fail = (message: string) => {
      toast.error(message, { id: recorderToast });
      dispatch({ type: 'recording-failed', message });
    };
    try {
      take.current = beginTake(input.stream, subjectOf(index), {
        started: (atMs) => dispatch({ type: 'started', atMs }),
        grown: setSizeBytes,
        finished: (answer, ending) => {
          take.current = null;
          const nothing = answer.blob.size < limits.recordingMinBytes;
          if (ending === 'failed' && nothing) fail(messages.recorder.saveFailed);
          else dispatch({ type: 'finished', answer, unasked: unasked[ending] });
        },
      });
      setDraftId(take.current.draftId);
    } catch (error) {
      console.error(error);
      fail(messages.recorder.startFailed);
    }
  }, [phase.name, index, input, draftId, dispatch, subjectOf, discard]);

  return {
    sizeBytes,
    /** Of the answer at hand; null before the first. */
    draftId,
    discard,
  };
}
