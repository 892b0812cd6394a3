import type { PracticeSet } from '@interview-prep/contracts/catalog/sets';
import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconVideo } from '@tabler/icons-react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Screen } from '../../../components/screen.tsx';
import { type ApiError, errorMessage } from '../../../lib/api/api-error.ts';
import { useGetPracticeSetQuery } from '../../../lib/api/sets-api.ts';
import { useIsFresh } from '../../../lib/api/use-is-fresh.ts';
import { fallbacks, messages } from '../../../lib/messages.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths } from '../../../lib/paths.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { useFailureToast } from '../../../lib/toasts.ts';
import { LeaveSessionGuard } from '../session/leave-session-guard.tsx';
import layoutClasses from '../session/session-layout.module.css';
import { type SessionRules, useAnsweringSession } from '../session/use-answering-session.ts';
import classes from './practice-layout.module.css';
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

const planOf = ({ questions }: PracticeSet, assignmentId: string | null) => ({
  questions,
  asked: [...questions.keys()],
  ...(assignmentId === null ? {} : { assignmentId }),
});

interface PracticeSessionProps {
  set: PracticeSet;
  userId: string;
  /** The assignment of the session; null for independent practice. */
  assignmentId: string | null;
}

function PracticeSession({ set, userId, assignmentId }: PracticeSessionProps) {
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

/** Source: product specification, section 2, route /practice/session/{setId}. */
export default function PracticeSessionScreen() {
  const setId = useParams().setId?.trim() ?? '';
  const assignmentId = useSearchParams()[0].get('assignment');
  const user = useAppSelector(selectUser);
  const query = useGetPracticeSetQuery({ id: setId }, { skip: setId === '', refetchOnMountOrArgChange: true });
  const { data: set, error, isLoading, isFetching, refetch } = query;
  const fresh = useIsFresh(query);
  // Deleted, or never existed: the server rejects malformed ids with 400.
  const isGone = [400, 404].includes((error as ApiError | undefined)?.status ?? 0);
  useFailureToast(set || isGone ? undefined : (error as ApiError | undefined), messages.practice.setFailed);
  usePageTitle(set && `Practice: ${set.title}`);

  if (setId === '') return <NoSet title={messages.practice.noSet} />;
  if (isGone) return <NoSet title={messages.practice.setNotFound} />;
  if (isLoading || (set && !fresh)) return <SessionSkeleton />;
  if (!set) {
    return (
      <Screen>
        <LoadFailure
          message={errorMessage(error, fallbacks.fetchPracticeSets)}
          onRetry={refetch}
          retrying={isFetching}
        />
      </Screen>
    );
  }
  if (set.questions.length === 0 || !user) return <NoSet title={messages.practice.setNotFound} />;
  return <PracticeSession key={`${set._id} ${assignmentId}`} set={set} userId={user.id} assignmentId={assignmentId} />;
}

function NoSet({ title }: { title: string }) {
  return (
    <Screen title="Practice session">
      <Notice
        alert
        icon={<IconVideo size={32} stroke={1.5} />}
        title={title}
        action={
          <Button component={Link} to={paths.practice}>
            Choose a practice set
          </Button>
        }
      >
        It may have been deleted. Recordings you made with it are still in your practice history.
      </Notice>
    </Screen>
  );
}

function SessionSkeleton() {
  return (
    <div className={`${layoutClasses.layout} ${classes.layout}`}>
      <VisuallyHidden role="status">Loading the practice session…</VisuallyHidden>
      <Skeleton height={40} width="min(280px, 60%)" aria-hidden />
      <div className={classes.room} aria-hidden>
        <Skeleton height={280} radius="lg" />
        <div className={classes.script}>
          <Skeleton height={56} />
          <Skeleton height={200} radius="lg" />
        </div>
      </div>
    </div>
  );
}
