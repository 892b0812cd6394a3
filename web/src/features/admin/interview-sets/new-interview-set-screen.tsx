import { useState } from 'react';
import { failureOf } from '../../../components/failed-loads.ts';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { PartFailure } from '../../../components/part-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useListTechnologiesQuery } from '../../../lib/api/sets-api.ts';
import { fallbacks } from '../../../lib/messages.ts';
import { SetFiles } from '../set-files/set-files.tsx';
import { FormSkeleton, NoTechnologies } from '../sets/form-skeleton.tsx';
import { useListManagedInterviewSetsQuery } from '../sets/managed-sets-api.ts';
import { NewInterviewSetForm } from './new-interview-set-form.tsx';

/** Source: product specification, section 2, route /new. */
export default function NewInterviewSetScreen() {
  const technologiesQuery = useListTechnologiesQuery();
  const setsQuery = useListManagedInterviewSetsQuery({ answers: true });
  const technologies = technologiesQuery.data;
  const sets = setsQuery.data;
  const [pending, setPending] = useState(false);
  const screen = { title: 'Add Interview Set', width: 'form' } as const;

  const technologiesFailure = failureOf([technologiesQuery, fallbacks.fetchTechnologies]);
  if (!technologies) {
    return (
      <Screen {...screen}>
        {technologiesFailure ? (
          <LoadFailure {...technologiesFailure} />
        ) : (
          <FormSkeleton label="Loading technologies…" />
        )}
      </Screen>
    );
  }
  // Import compares files with the sets; export writes the sets.
  const setsFailure = failureOf([setsQuery, fallbacks.fetchInterviewSets]);
  return (
    <Screen
      {...screen}
      lead="Questions that candidates answer aloud, one at a time."
      actions={
        technologies.length > 0 &&
        sets && <SetFiles kind="interview" technologies={technologies} sets={sets} onPending={setPending} />
      }
    >
      {technologies.length > 0 && setsFailure && <PartFailure mb="lg" {...setsFailure} />}
      {technologies.length === 0 ? (
        <NoTechnologies />
      ) : (
        <NewInterviewSetForm technologies={technologies} pending={pending} />
      )}
    </Screen>
  );
}
