import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { Navigate, useParams } from 'react-router-dom';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { errorMessage } from '../../../lib/api/api-error.ts';
import { useListInterviewSetsQuery } from '../../../lib/api/interview-sets-api.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths } from '../../../lib/paths.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { useIsFresh } from '../session/use-is-fresh.ts';
import { InterviewSession } from './interview-session.tsx';

/** Source: product specification, section 2, route /interview/{id}. The set is selected by the address; an unknown one leads home. */
export default function InterviewScreen() {
  const { id = '' } = useParams();
  const user = useAppSelector(selectUser);
  const query = useListInterviewSetsQuery(undefined, { refetchOnMountOrArgChange: true });
  const { data: sets, error, isLoading, isFetching, refetch } = query;
  const fresh = useIsFresh(query);
  const set = sets?.find(({ _id }) => _id === id);
  usePageTitle(set && `Interview: ${set.title}`);

  if (isLoading || (sets && !fresh)) return <InterviewSkeleton />;
  if (!sets) {
    return (
      <Screen>
        <LoadFailure
          message={errorMessage(error, fallbacks.fetchInterviewSets)}
          onRetry={refetch}
          retrying={isFetching}
        />
      </Screen>
    );
  }
  if (!set || set.questions.length === 0 || !user) return <Navigate to={paths.home} replace />;
  return <InterviewSession key={set._id} set={set} userId={user.id} />;
}

function InterviewSkeleton() {
  return (
    <Screen width="form">
      <VisuallyHidden role="status">Loading the interview…</VisuallyHidden>
      <Stack gap="xl" aria-hidden>
        <Skeleton height={20} />
        <Skeleton height={72} />
        <Skeleton height={56} />
      </Stack>
    </Screen>
  );
}
