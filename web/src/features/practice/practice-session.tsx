import type { PracticeSet } from '@interview-prep/contracts/sets';
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
import { initialPracticeState, practiceReducer } from './practice-machine.ts';
import { PracticeStage } from './practice-stage.tsx';
import { useCamera } from './use-camera.ts';

interface PracticeSessionProps {
  set: PracticeSet;
  userId: string;
}

/** A practice session with a set: wires the state machine to the camera, the recorder, the upload and the tab's memory. */
export function PracticeSession({ set, userId }: PracticeSessionProps) {
  const setId = set._id;
  const [resumed] = useState(() => resumeOrBegin(userId, setId));
  const { sessionId } = resumed;
  const [state, dispatch] = useReducer(practiceReducer, null, () =>
    initialPracticeState(set.questions.length, resumed),
  );
  const { index, saved, phase } = state;
  const navigate = useNavigate();

  const { title, technology } = set;
  const subjectOf = useCallback(
    (questionId: number): Subject => ({ userId, setId, sessionId, questionId, setTitle: title, technology }),
    [userId, setId, sessionId, title, technology],
  );

  const camera = useCamera();
  const take = useTake(state, dispatch, camera.input, subjectOf);
  useAnswerUpload('practice', state, dispatch, subjectOf);
  const { unsent, forget } = useUnsentAnswers(userId, setId, sessionId, saved);

  const completed = phase.name === 'completed';
  useEffect(() => {
    if (!completed) keepProgress(userId, setId, { sessionId, index, saved });
  }, [completed, userId, setId, sessionId, index, saved]);

  const left = useRef(false);
  useEffect(() => {
    if (!completed || left.current) return;
    left.current = true;
    forgetProgress(userId, setId);
    toast.success(messages.practice.completed, { id: recorderToast });
    void navigate(paths.practiceInterviews);
  }, [completed, userId, setId, navigate]);

  return (
    <>
      <LeaveGuard
        when={!completed && phase.name !== 'ready'}
        title="Leave this practice session?"
        message={`${saved.length} of ${set.questions.length} answers are saved. What you have just recorded stays on this device: come back to this set to send it and go on.`}
        confirmLabel="Leave the session"
        cancelLabel="Go on"
        onLeave={() => toast.dismiss(recorderToast)}
      />
      <PracticeStage
        set={set}
        state={state}
        dispatch={dispatch}
        camera={camera}
        take={take}
        unsent={unsent}
        sessionId={sessionId}
        onUnsentDone={forget}
      />
    </>
  );
}
