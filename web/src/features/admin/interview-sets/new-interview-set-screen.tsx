import { useState } from 'react';
import { errorMessage } from '../../../app/api-error.ts';
import { fallbacks } from '../../../app/messages.ts';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useListInterviewSetsQuery } from '../../interview-sets/interview-sets-api.ts';
import { useListTechnologiesQuery } from '../../technologies/technologies-api.ts';
import { SetFiles } from '../set-files/set-files.tsx';
import { FormSkeleton } from '../sets/form-skeleton.tsx';
import { NoTechnologies } from '../sets/no-technologies.tsx';
import { NewInterviewSetForm } from './new-interview-set-form.tsx';

/** Source: product specification, section 2, route /new. */
export default function NewInterviewSetScreen() {
  const { data: technologies, error, isLoading, isFetching, refetch } = useListTechnologiesQuery();
  const { data: sets = [] } = useListInterviewSetsQuery();
  const [pending, setPending] = useState(false);
  const screen = { title: 'Add Interview Set', width: 'form' } as const;

  if (isLoading) {
    return (
      <Screen {...screen}>
        <FormSkeleton label="Loading technologies…" />
      </Screen>
    );
  }
  if (!technologies) {
    return (
      <Screen {...screen}>
        <LoadFailure
          message={errorMessage(error, fallbacks.fetchTechnologies)}
          onRetry={refetch}
          retrying={isFetching}
        />
      </Screen>
    );
  }
  return (
    <Screen
      {...screen}
      lead="Questions to be answered aloud, one by one."
      actions={
        technologies.length > 0 && (
          <SetFiles kind="interview" technologies={technologies} sets={sets} onPending={setPending} />
        )
      }
    >
      {technologies.length === 0 ? (
        <NoTechnologies />
      ) : (
        <NewInterviewSetForm technologies={technologies} pending={pending} />
      )}
    </Screen>
  );
}
