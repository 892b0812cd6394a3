import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import { messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { useReadAloudChoice } from '../reading/use-read-aloud-choice.ts';
import { LeaveSessionGuard } from '../session/leave-session-guard.tsx';
import type { SessionPlan } from '../session/session-progress.ts';
import { type SessionRules, useAnsweringSession } from '../session/use-answering-session.ts';
import { InterviewLayout } from './interview-layout.tsx';
import {
  type InterviewEvent,
  type InterviewState,
  initialInterviewState,
  interviewReducer,
  missingAnswer,
} from './interview-machine.ts';
import { useFollowUps } from './use-follow-ups.ts';
import { useMicrophone } from './use-microphone.ts';

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
  /** The sets that the questions of a review are from. */
  sets?: readonly InterviewSet[];
  plan: SessionPlan;
  userId: string;
}

/** An interview with a set, or with some of its questions. */
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
