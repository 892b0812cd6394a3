import { Navigate, useParams } from 'react-router-dom';
import { errorMessage } from '../../../app/api-error.ts';
import { fallbacks } from '../../../app/messages.ts';
import { usePageTitle } from '../../../app/page-title.ts';
import { paths } from '../../../app/paths.ts';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useListInterviewSetsQuery } from '../../interview-sets/interview-sets-api.ts';
import { useListTechnologiesQuery } from '../../technologies/technologies-api.ts';
import { FormSkeleton } from '../sets/form-skeleton.tsx';
import { EditInterviewSetForm } from './edit-interview-set-form.tsx';

/** Source: product specification, section 2, route /edit/{id}: the set is found by its id; without one it is home. */
export default function EditInterviewSetScreen() {
  const { id } = useParams();
  const setsQuery = useListInterviewSetsQuery();
  const technologiesQuery = useListTechnologiesQuery();
  const set = setsQuery.data?.find(({ _id }) => _id === id);
  usePageTitle(set && `Edit ${set.title}`);
  const screen = { title: 'Edit Interview Set', width: 'form' } as const;

  if (setsQuery.isLoading || technologiesQuery.isLoading) {
    return (
      <Screen {...screen}>
        <FormSkeleton label="Loading the interview set…" />
      </Screen>
    );
  }
  if (!setsQuery.data || !technologiesQuery.data) {
    const [failed, fallback] = setsQuery.data
      ? ([technologiesQuery, fallbacks.fetchTechnologies] as const)
      : ([setsQuery, fallbacks.fetchInterviewSets] as const);
    return (
      <Screen {...screen}>
        <LoadFailure
          message={errorMessage(failed.error, fallback)}
          onRetry={failed.refetch}
          retrying={failed.isFetching}
        />
      </Screen>
    );
  }
  if (!set) return <Navigate to={paths.home} replace />;
  return (
    <Screen {...screen}>
      <EditInterviewSetForm key={set._id} set={set} technologies={technologiesQuery.data} />
    </Screen>
  );
}
