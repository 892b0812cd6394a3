import { limits } from '@interview-prep/contracts/api/limits';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { type Dispatch, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'react-redux';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { messages } from '../../../lib/messages.ts';
import { isSilent, newSoundLog, type SoundLog } from '../../../lib/recording/sound-level.ts';
import { selectToken } from '../../../lib/state/sign-in-slice.ts';
import type { RootState } from '../../../lib/state/state-hooks.ts';
import { toast } from '../../../lib/toasts.ts';
import type { HeldReason, Input, TakeEvent } from './answer-events.ts';
import { type AnswerUpload, discardAnswer, openAnswerUpload } from './answer-upload.ts';
import { type AnswerTarget, beginTake, type Take, type TakeEnding } from './take.ts';
import { recorderToast } from './upload-outcome.ts';

/**
 * Why an answer whose recording ended unexpectedly is held. A recorder that stopped without being asked has lost its input.
 * The machine ignores this if it requested the stop.
 */
const unexpectedEnds: Readonly<Record<TakeEnding, { reason: HeldReason; message: string }>> = {
  stopped: { reason: 'microphone-lost', message: messages.recorder.microphoneLost },
  'time-up': { reason: 'time-limit', message: messages.recorder.timeUp },
  full: { reason: 'size-limit', message: messages.recorder.sizeLimit },
  failed: { reason: 'recorder-failed', message: messages.recorder.recorderFailed },
};

/**
 * Drives the browser's recorder from the machine's phases: starts a take in 'starting', ends it in 'stopping' or when the
 * input fails, and starts again from 'micUnavailable' once there is input.
 * A new take deletes the previous draft; leaving the screen ends the take but keeps its draft.
 * Each take is uploaded while it is being spoken.
 * @param state the machine's phase, and the question's index
 * @param soundLog the level meter's log; reset for each take
 * @param targetOf returns a question's metadata before the recording: session, set and question
 * @returns `uploads`: the open uploads of this visit, by draft
 */
export function useTake(
  kind: SessionKind,
  { phase, index }: { phase: { name: string; answer?: RecordedAnswer }; index: number },
  dispatch: Dispatch<TakeEvent>,
  input: Input,
  soundLog: RefObject<SoundLog>,
  targetOf: (askedIndex: number) => AnswerTarget,
) {
  const store = useStore<RootState>();
  const take = useRef<Take | null>(null);
  const uploads = useRef(new Map<string, AnswerUpload>());
  const [draftId, setDraftId] = useState<string | null>(null);
  const [sizeBytes, setSizeBytes] = useState(0);

  const discard = useCallback(() => {
    take.current?.discard();
    take.current = null;
    if (draftId === null) return;
    uploads.current.get(draftId)?.stop();
    uploads.current.delete(draftId);
    discardAnswer(draftId, selectToken(store.getState()));
    setDraftId(null);
  }, [draftId, store]);
  const stopAtTimeLimit = useCallback(() => take.current?.stopAtTimeLimit(), []);

  // A new question has no draft yet; the previous one may still be waiting to be sent.
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each question
  useEffect(() => setDraftId(null), [index]);
  useEffect(() => {
    const { current: opened } = uploads;
    return () => {
      take.current?.leave();
      for (const upload of opened.values()) upload.stop();
    };
  }, []);

  const answerId = phase.answer?.draftId;
  useEffect(() => {
    if (answerId) setDraftId(answerId);
  }, [answerId]);

  useEffect(() => {
    if (phase.name === 'micUnavailable' && input.status === 'open') dispatch({ type: 'record-again' });
    // A stream may lose its audio track while video, and so the recorder, continues.
    const soundLost = phase.name === 'recording' && input.status === 'failed';
    if (phase.name === 'stopping' || soundLost) take.current?.stop();
    if (phase.name !== 'starting') return;
    if (input.status === 'failed') {
      discard();
      dispatch({ type: 'microphone-failed', problem: input.problem });
    }
    if (take.current || input.status !== 'open') return;

    setSizeBytes(0);
    const fail = (message: string) => {
      toast.error(message, { id: recorderToast });
      dispatch({ type: 'recording-failed', message });
    };
    try {
      const target = targetOf(index);
      const begun = beginTake(input.stream, target, {
        started: (atMs) => {
          soundLog.current = newSoundLog();
          dispatch({ type: 'started', atMs });
        },
        grown: (piece, bytes) => {
          setSizeBytes(bytes);
          upload.add(piece);
        },
        finished: (recorded, ending) => {
          take.current = null;
          const answer = isSilent(soundLog.current) ? { ...recorded, silent: true } : recorded;
          const isEmpty = answer.blob.size < limits.recordingMinBytes;
          if (ending === 'failed' && isEmpty) fail(messages.recorder.saveFailed);
          else dispatch({ type: 'finished', answer, unexpectedEnd: unexpectedEnds[ending] });
        },
      });
      const getToken = () => selectToken(store.getState());
      const upload = openAnswerUpload({ uploadId: begun.draftId, target, kind, getToken });
      uploads.current.set(begun.draftId, upload);
      take.current = begun;
      setDraftId(begun.draftId);
    } catch (error) {
      console.error(error);
      fail(messages.recorder.startFailed);
    }
  }, [kind, phase.name, index, input, dispatch, targetOf, discard, soundLog, store]);

  return {
    sizeBytes,
    /** The current answer's draft; null before the first. */
    draftId,
    uploads,
    discard,
    /** Ends the recording because its time is up. The answer is then held, not sent. */
    stopAtTimeLimit,
  };
}
