import { type Dispatch, useCallback, useEffect, useRef, useState } from 'react';
import { messages } from '../app/messages.ts';
import { toast } from '../app/toasts.ts';
import { deleteDraft } from './answer-drafts.ts';
import type { Input, TakeEvent } from './answer-events.ts';
import { beginTake, type Subject, type Take } from './take.ts';
import { recorderToast } from './toast-id.ts';

/**
 * Runs the browser's recorder as a state machine says by its phases: begins a take in 'starting', ends it in 'stopping', begins
 * again from 'unheard' once there is a sound. `index` is the question.
 * A new take forgets the one before; leaving the screen ends the take but keeps its draft.
 */
export function useTake(
  { phase, index }: { phase: { name: string }; index: number },
  dispatch: Dispatch<TakeEvent>,
  input: Input,
  subjectOf: (questionId: number) => Subject,
) {
  const take = useRef<Take | null>(null);
  const formerDraft = useRef<string | null>(null);
  const [sizeBytes, setSizeBytes] = useState(0);
  const [kept, setKept] = useState(true);

  const abandon = useCallback(() => {
    take.current?.abandon();
    take.current = null;
  }, []);

  useEffect(() => abandon, [abandon]);

  useEffect(() => {
    if (phase.name === 'unheard' && input.status === 'open') dispatch({ type: 'record-again' });
    if (phase.name === 'stopping') take.current?.stop();
    if (phase.name !== 'starting' || take.current) return;
    if (input.status === 'failed') dispatch({ type: 'microphone-failed', problem: input.problem });
    if (input.status !== 'open') return;

    if (formerDraft.current) deleteDraft(formerDraft.current).catch(console.warn);
    setSizeBytes(0);
    setKept(true);
    const fail = (message: string) => (error: unknown) => {
      console.error(error);
      take.current = null;
      toast.error(message, { id: recorderToast });
      dispatch({ type: 'recording-failed', message });
    };
    try {
      const begun = beginTake(input.stream, subjectOf(index), {
        started: (atMs) => dispatch({ type: 'started', atMs }),
        grown: setSizeBytes,
        finished: (answer, full) => {
          take.current = null;
          const { sizeLimit, microphoneLost } = messages.recorder;
          dispatch(
            full
              ? { type: 'finished', answer, unasked: { reason: 'size-limit', message: sizeLimit } }
              : { type: 'finished', answer, unasked: { reason: 'microphone-lost', message: microphoneLost } },
          );
        },
        failed: fail(messages.recorder.saveFailed),
        unkept: (error) => {
          console.warn('The browser keeps no copy of this answer', error);
          setKept(false);
        },
      });
      take.current = begun;
      formerDraft.current = begun.draftId;
    } catch (error) {
      fail(messages.recorder.startFailed)(error);
    }
  }, [phase.name, index, input, dispatch, subjectOf]);

  return { sizeBytes, kept, abandon };
}
