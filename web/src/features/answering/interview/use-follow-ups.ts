import { followUpWaitMs } from '@interview-prep/contracts/recording/asked-questions';
import { useEffect } from 'react';
import { api } from '../../../lib/api/base-api.ts';
import { endpoint } from '../../../lib/api/route-request.ts';
import type { AnsweringSession } from '../session/use-answering-session.ts';
import type { InterviewEvent, InterviewState } from './interview-machine.ts';

const followUpsApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The follow-up questions of an interview that await an answer. */
    followUps: build.query({ ...endpoint('listFollowUps'), keepUnusedDataFor: 0 }),
  }),
});

const { useLazyFollowUpsQuery } = followUpsApi;

const pollMs = 500;

/**
 * After the last question, asks the next follow-up question as soon as there is one. The interview ends without one if
 * none can come any more, none comes in time, or the server does not answer.
 */
export function useFollowUps(session: AnsweringSession<InterviewState, InterviewEvent>): void {
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
