import type { InterviewSet } from '@interview-prep/contracts/sets';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { messages } from '../../app/messages.ts';
import { paths } from '../../app/paths.ts';
import { toast } from '../../app/toasts.ts';
import { LeaveGuard } from '../../components/leave-guard.tsx';
import { forgetProgress, keepProgress, resumeOrBegin } from '../../media/session-progress.ts';
import type { Subject } from '../../media/take.ts';
import { recorderToast } from '../../media/toast-id.ts';
import { useAnswerUpload } from '../../media/use-answer-upload.ts';
import { useTake } from '../../media/use-take.ts';
import { useUnsentAnswers } from '../../media/use-unsent-answers.ts';
import { InterviewStage } from './interview-stage.tsx';
import { initialRecorderState, missingAnswer, recorderReducer } from './recorder-machine.ts';
import { useMicrophone } from './use-microphone.ts';

interface InterviewProps {
  set: InterviewSet;
  userId: string;
}

/** An interview with a set: wires the state machine to the microphone, the recorder, the upload and the tab's memory. */
export function Interview({ set, userId }: InterviewProps) {
  const setId = set._id;
  const [resumed] = useState(() => resumeOrBegin(userId, setId));
  const { sessionId } = resumed;
  const [state, dispatch] = useReducer(recorderReducer, null, () =>
    initialRecorderState(set.questions.length, resumed),
  );
  const { index, saved, phase } = state;
  const navigate = useNavigate();

  const { title, technology } = set;
  const subjectOf = useCallback(
    (questionId: number): Subject => ({ userId, setId, sessionId, questionId, setTitle: title, technology }),
    [userId, setId, sessionId, title, technology],
  );

  const input = useMicrophone();
  const take = useTake(state, dispatch, input.microphone, subjectOf);
  useAnswerUpload('interview', state, dispatch, subjectOf);
  const { unsent, forget } = useUnsentAnswers(userId, setId, sessionId, saved);

  const completed = phase.name === 'completed';
  useEffect(() => {
    if (!completed) keepProgress(userId, setId, { sessionId, index, saved });
  }, [completed, userId, setId, sessionId, index, saved]);

  const left = useRef(false);
  useEffect(() => {
    if (!completed || left.current) return;
    const missing = missingAnswer({ questionCount: set.questions.length, saved });
    if (missing !== null) {
      toast.error(messages.recorder.completeFailed, { id: recorderToast });
      dispatch({ type: 'answer-missing', index: missing });
      return;
    }
    left.current = true;
    forgetProgress(userId, setId);
    toast.success(messages.recorder.completed, { id: recorderToast });
    void navigate(paths.interviews);
  }, [completed, saved, set.questions.length, userId, setId, navigate]);

  const idle = completed || (phase.name === 'check' && saved.length === 0);
  return (
    <>
      <LeaveGuard
        when={!idle}
        title="Leave this interview?"
        message={`${saved.length} of ${set.questions.length} answers are saved. What you have just recorded stays on this device: come back to this set to send it and go on.`}
        confirmLabel="Leave the interview"
        cancelLabel="Go on"
        onLeave={() => toast.dismiss(recorderToast)}
      />
      <InterviewStage
        set={set}
        state={state}
        dispatch={dispatch}
        input={input}
        take={take}
        unsent={unsent}
        sessionId={sessionId}
        onUnsentDone={forget}
      />
    </>
  );
}
