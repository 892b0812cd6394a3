import { errorMessage } from '../../../app/api-error.ts';
import { fallbacks } from '../../../app/messages.ts';
import { LoadFailure } from '../../../components/load-failure.tsx';
import { Screen } from '../../../components/screen.tsx';
import { useListTechnologiesQuery } from '../../technologies/technologies-api.ts';
import { FormSkeleton } from '../sets/form-skeleton.tsx';
import { NoTechnologies } from '../sets/no-technologies.tsx';
import { NewInterviewSetForm } from './new-interview-set-form.tsx';

/** Source: product specification, section 2, route /new. */
export default function NewInterviewSetScreen() {
  const { data: technologies, error, isLoading, isFetching, refetch } = useListTechnologiesQuery();
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
    <Screen {...screen} lead="Questions that candidates answer aloud, one after the other.">
      {technologies.length === 0 ? <NoTechnologies /> : <NewInterviewSetForm technologies={technologies} />}
    </Screen>
  );
}
