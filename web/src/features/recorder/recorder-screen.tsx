import { Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { Navigate, useParams } from 'react-router-dom';
import { errorMessage } from '../../app/api-error.ts';
import { useAppSelector } from '../../app/hooks.ts';
import { fallbacks } from '../../app/messages.ts';
import { usePageTitle } from '../../app/page-title.ts';
import { paths } from '../../app/paths.ts';
import { selectUser } from '../../app/session-slice.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Screen } from '../../components/screen.tsx';
import { useSetAsItIs } from '../../media/use-set-as-it-is.ts';
import { useListInterviewSetsQuery } from '../interview-sets/interview-sets-api.ts';
import { Interview } from './interview.tsx';

/** Source: product specification, section 2, route /interview/{id}. The set is selected by the address; an unknown one leads home. */
export default function RecorderScreen() {
  const { id = '' } = useParams();
  const user = useAppSelector(selectUser);
  const query = useListInterviewSetsQuery(undefined, { refetchOnMountOrArgChange: true });
  const { data: sets, error, isLoading, isFetching, refetch } = query;
  const asItIs = useSetAsItIs(query);
  const set = sets?.find(({ _id }) => _id === id);
  usePageTitle(set && `Interview: ${set.title}`);

  if (isLoading || (sets && !asItIs)) return <RecorderSkeleton />;
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
  return <Interview key={set._id} set={set} userId={user.id} />;
}

function RecorderSkeleton() {
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
