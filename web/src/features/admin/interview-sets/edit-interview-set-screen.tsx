import { skipToken } from '@reduxjs/toolkit/query';
import { useState } from 'react';
import { Navigate, useParams } from 'react-router-dom';
import { failureOf, LoadFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { isNotFound } from '../../../lib/api/api-error.ts';
import { useListTechnologiesQuery } from '../../../lib/api/sets-api.ts';
import { useIsFresh } from '../../../lib/api/use-is-fresh.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { usePageTitle } from '../../../lib/page-title.ts';
import { paths } from '../../../lib/paths.ts';
import { FormSkeleton } from '../sets/form-skeleton.tsx';
import { useGetInterviewSetQuery } from '../sets/managed-sets-api.ts';
import { EditInterviewSetForm } from './edit-interview-set-form.tsx';

/** Source: product specification, section 2, route /edit/{id}: finds the set by its id; redirects home without one. */
export default function EditInterviewSetScreen() {
  const { id } = useParams();
  const setQuery = useGetInterviewSetQuery(id === undefined ? skipToken : { id }, { refetchOnMountOrArgChange: true });
  const technologiesQuery = useListTechnologiesQuery();
  const set = useIsFresh(setQuery) ? setQuery.data : undefined;
  const [reloads, setReloads] = useState(0);
  usePageTitle(set && `Edit ${set.title}`);
  const screen = { title: 'Edit Interview Set', width: 'form' } as const;

  if (id === undefined || (!set && isNotFound(setQuery.error))) return <Navigate to={paths.home} replace />;
  if (!set || !technologiesQuery.data) {
    const failure = failureOf(
      [setQuery, fallbacks.fetchInterviewSets],
      [technologiesQuery, fallbacks.fetchTechnologies],
    );
    return (
      <Screen {...screen}>
        {failure ? <LoadFailure {...failure} /> : <FormSkeleton label="Loading the interview set…" />}
      </Screen>
    );
  }
  const reload = async () => {
    await setQuery.refetch();
    setReloads((count) => count + 1);
  };
  return (
    <Screen {...screen}>
      <EditInterviewSetForm
        key={`${set._id}-${reloads}`}
        set={set}
        technologies={technologiesQuery.data}
        onReload={reload}
      />
    </Screen>
  );
}
