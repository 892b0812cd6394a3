import type { InterviewSet } from '@interview-prep/contracts/sets';
import { messages } from '../../app/messages.ts';
import { paths } from '../../app/paths.ts';
import { LeaveSessionGuard } from '../../media/leave-session-guard.tsx';
import { type SessionRules, useAnsweringSession } from '../../media/use-answering-session.ts';
import { InterviewStage } from './interview-stage.tsx';
import {
  type InterviewEvent,
  initialRecorderState,
  missingAnswer,
  type RecorderState,
  recorderReducer,
} from './recorder-machine.ts';
import { useMicrophone } from './use-microphone.ts';

const rules: SessionRules<RecorderState, InterviewEvent> = {
  kind: 'interview',
  reducer: recorderReducer,
  begin: initialRecorderState,
  completed: messages.recorder.completed,
  historyPath: paths.interviews,
  obstacle: (state) => {
    const index = missingAnswer(state);
    return index === null
      ? null
      : { message: messages.recorder.completeFailed, event: { type: 'answer-missing', index } };
  },
};

interface InterviewProps {
  set: InterviewSet;
  userId: string;
}

/** An interview with a set, into the microphone. */
export function Interview({ set, userId }: InterviewProps) {
  const input = useMicrophone();
  const session = useAnsweringSession(rules, set, userId, input.microphone);
  const { phase, saved, questionCount } = session.state;
  const idle = phase.name === 'completed' || (phase.name === 'check' && saved.length === 0);
  return (
    <>
      <LeaveSessionGuard
        when={!idle}
        title="Leave this interview?"
        confirmLabel="Leave the interview"
        kept={session.kept}
        savedCount={saved.length}
        questionCount={questionCount}
      />
      <InterviewStage set={set} session={session} input={input} />
    </>
  );
}
