import { limits } from '@interview-prep/contracts/limits';
import { type Dispatch, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { deleteDraft } from '../../../lib/drafts/answer-drafts.ts';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { messages } from '../../../lib/messages.ts';
import { isSilent, newSoundLog, type SoundLog } from '../../../lib/recording/sound-log.ts';
import { toast } from '../../../lib/toasts.ts';
import type { HeldReason, Input, TakeEvent } from './answer-events.ts';
import { recorderToast } from './recorder-toast.ts';
import { type AnswerTarget, beginTake, type Take, type TakeEnding } from './take.ts';

/**
 * Why an answer is held whose recording ended by itself. A recorder that stopped without being asked has lost its input.
 * The machine ignores this where it asked for the stop.
 */
const unexpectedEnds: Readonly<Record<TakeEnding, { reason: HeldReason; message: string }>> = {
  stopped: { reason: 'microphone-lost', message: messages.recorder.microphoneLost },
  'time-up': { reason: 'time-limit', message: messages.recorder.timeUp },
  full: { reason: 'size-limit', message: messages.recorder.sizeLimit },
  failed: { reason: 'recorder-failed', message: messages.recorder.recorderFailed },
};

/**
 * Runs the browser's recorder by the machine's phases: starts a take in 'starting', ends it in 'stopping' or when the
 * input fails, and starts again from 'micUnavailable' once there is input.
 * A new take deletes the previous draft; leaving the screen ends the take but keeps its draft.
 * @param state the machine's phase, and the question's index
 * @param soundLog what the level meter hears; begins again with each take
 * @param targetOf what is known of a question's answer before it is recorded: session, set and question
 */
export function useTake(
  { phase, index }: { phase: { name: string; answer?: RecordedAnswer }; index: number },
  dispatch: Dispatch<TakeEvent>,
  input: Input,
  soundLog: RefObject<SoundLog>,
  targetOf: (askedIndex: number) => AnswerTarget,
) {
  const take = useRef<Take | null>(null);
  const [draftId, setDraftId] = useState<string | null>(null);
  const [sizeBytes, setSizeBytes] = useState(0);

  const end = useCallback((how: 'leave' | 'discard') => {
    take.current?.[how]();
    take.current = null;
  }, []);
  const discard = useCallback(() => end('discard'), [end]);
  const stopAtTimeLimit = useCallback(() => take.current?.stopAtTimeLimit(), []);

  useEffect(() => () => end('leave'), [end]);

  const answerId = phase.answer?.draftId;
  useEffect(() => {
    if (answerId) setDraftId(answerId);
  }, [answerId]);

  useEffect(() => {
    if (phase.name === 'micUnavailable' && input.status === 'open') dispatch({ type: 'record-again' });
    // A stream may lose its sound while the picture, and so the recorder, continues.
    const soundLost = phase.name === 'recording' && input.status === 'failed';
    if (phase.name === 'stopping' || soundLost) take.current?.stop();
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
      take.current = beginTake(input.stream, targetOf(index), {
        started: (atMs) => {
          soundLog.current = newSoundLog();
          dispatch({ type: 'started', atMs });
        },
        grown: setSizeBytes,
        finished: (recorded, ending) => {
          take.current = null;
          const answer = isSilent(soundLog.current) ? { ...recorded, silent: true } : recorded;
          const isEmpty = answer.blob.size < limits.recordingMinBytes;
          if (ending === 'failed' && isEmpty) fail(messages.recorder.saveFailed);
          else dispatch({ type: 'finished', answer, unexpectedEnd: unexpectedEnds[ending] });
        },
      });
      setDraftId(take.current.draftId);
    } catch (error) {
      console.error(error);
      fail(messages.recorder.startFailed);
    }
  }, [phase.name, index, input, draftId, dispatch, targetOf, discard, soundLog]);

  return {
    sizeBytes,
    /** The current answer's draft; null before the first. */
    draftId,
    discard,
    /** Ends the recording because its time is up. The answer is then held, not sent. */
    stopAtTimeLimit,
  };
}
