import type { PracticeSet } from '@interview-prep/contracts/catalog/sets';
import { messages } from '../../../lib/messages.ts';
import { paths } from '../../../lib/paths.ts';
import { LeaveSessionGuard } from '../session/leave-session-guard.tsx';
import { type SessionRules, useAnsweringSession } from '../session/use-answering-session.ts';
import { PracticeLayout } from './practice-layout.tsx';
import { initialPracticeState, type PracticeButton, type PracticeState, practiceReducer } from './practice-machine.ts';
import { useCamera } from './use-camera.ts';

const rules: SessionRules<PracticeState, PracticeButton> = {
  kind: 'practice',
  reducer: practiceReducer,
  begin: initialPracticeState,
  completed: messages.practice.completed,
  historyPath: paths.practiceInterviews,
  obstacle: () => null,
};

/** A practice session asks every question. */
const planOf = ({ questions }: PracticeSet, assignmentId: string | null) => ({
  questions,
  asked: [...questions.keys()],
  ...(assignmentId === null ? {} : { assignmentId }),
});

interface PracticeSessionProps {
  set: PracticeSet;
  userId: string;
  /** The assignment that it is for; null for one's own practice. */
  assignmentId: string | null;
}

/** A practice session with a set. */
export function PracticeSession({ set, userId, assignmentId }: PracticeSessionProps) {
  const camera = useCamera();
  const session = useAnsweringSession(rules, set, planOf(set, assignmentId), userId, camera.input);
  const { phase, saved, questionCount } = session.state;
  return (
    <>
      <LeaveSessionGuard
        when={phase.name !== 'completed' && phase.name !== 'ready'}
        title="Leave this practice session?"
        confirmLabel="Leave the session"
        persisted={session.persisted}
        savedCount={saved.length}
        questionCount={questionCount}
      />
      <PracticeLayout set={set} session={session} camera={camera} userId={userId} />
    </>
  );
}
