import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import { followUpWaitMs } from '@interview-prep/contracts/recording/asked-questions';
import { useEffect } from 'react';
import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';
import { messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { useReadAloudChoice } from '../reading/use-read-aloud-choice.ts';
import { LeaveSessionGuard } from '../session/leave-session-guard.tsx';
import type { SessionPlan } from '../session/session-progress.ts';
import { type AnsweringSession, type SessionRules, useAnsweringSession } from '../session/use-answering-session.ts';
import { InterviewLayout } from './interview-layout.tsx';
import {
  type InterviewEvent,
  type InterviewState,
  initialInterviewState,
  interviewReducer,
  missingAnswer,
} from './interview-machine.ts';
import { useMicrophone } from './use-microphone.ts';

const followUpsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The pending follow-up questions of an interview. */
    followUps: build.query({ ...endpoint('listFollowUps'), keepUnusedDataFor: 0 }),
  }),
});

const { useLazyFollowUpsQuery } = followUpsApi;

const pollMs = 500;

/**
 * After the last question, asks the next follow-up question as soon as it is available. The interview ends without one if
 * none is expected, none arrives in time, or the server doesn't respond.
 */
function useFollowUps(session: AnsweringSession<InterviewState, InterviewEvent>): void {
  const { state, followUps, addFollowUp, dispatch } = session;
  const [fetchFollowUps] = useLazyFollowUpsQuery();
  const isWaiting = state.phase.name === 'following-up';
  const interviewId = state.saved.at(-1)?.interviewId;

  useEffect(() => {
    if (!isWaiting) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const end = () => dispatch({ type: 'no-follow-up' });
    const look = async () => {
      const { data } = await fetchFollowUps({ id: interviewId ?? '' });
      if (isOver) return;
      const next = data?.followUps.find(({ questionId }) => !followUps.some((one) => one.questionId === questionId));
      if (next) {
        addFollowUp(next);
        dispatch({ type: 'follow-up' });
      } else if (data && !data.pending) end();
      else timer = setTimeout(look, pollMs);
    };
    const deadline = setTimeout(end, interviewId === undefined ? 0 : followUpWaitMs);
    if (interviewId !== undefined) void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(deadline);
    };
  }, [isWaiting, interviewId, followUps, addFollowUp, dispatch, fetchFollowUps]);
}

const rules: SessionRules<InterviewState, InterviewEvent> = {
  kind: 'interview',
  reducer: interviewReducer,
  begin: initialInterviewState,
  completed: messages.recorder.completed,
  historyPath: paths.interviews,
  obstacle: (state) => {
    const index = missingAnswer(state);
    return index === null
      ? null
      : { message: messages.recorder.completeFailed, event: { type: 'answer-missing', index } };
  },
};

interface InterviewSessionProps {
  set: InterviewSet;
  /** The sets of a review's questions. */
  sets?: readonly InterviewSet[];
  plan: SessionPlan;
  userId: string;
}

/** An interview with all or some of a set's questions. */
export function InterviewSession({ set, sets, plan, userId }: InterviewSessionProps) {
  const input = useMicrophone();
  const session = useAnsweringSession(rules, set, plan, userId, input.microphone);
  const readAloud = useReadAloudChoice(userId);
  const source = sets?.find(({ _id }) => _id === session.sourceSetId);
  const { phase, saved, questionCount } = session.state;
  useFollowUps(session);
  const idle = phase.name === 'completed' || (phase.name === 'check' && saved.length === 0);
  return (
    <>
      <LeaveSessionGuard
        when={!idle}
        title="Leave this interview?"
        confirmLabel="Leave the interview"
        persisted={session.persisted}
        savedCount={saved.length}
        questionCount={questionCount}
      />
      <InterviewLayout
        set={set}
        source={source}
        session={session}
        input={input}
        readAloud={readAloud}
        userId={userId}
      />
    </>
  );
}
