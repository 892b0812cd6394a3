import { Navigate, useParams } from 'react-router-dom';
import { failureOf } from '../../../components/failed-loads.ts';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useListInterviewSetsQuery, useListTechnologiesQuery } from '../../../lib/api/sets-api.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths } from '../../../lib/paths.ts';
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

  if (!setsQuery.data || !technologiesQuery.data) {
    const failure = failureOf(
      [setsQuery, fallbacks.fetchInterviewSets],
      [technologiesQuery, fallbacks.fetchTechnologies],
    );
    return (
      <Screen {...screen}>
        {failure ? <LoadFailure {...failure} /> : <FormSkeleton label="Loading the interview set…" />}
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
