import { limits } from '@interview-prep/contracts/limits';
import { Button, Pagination, Text } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import { useSearchParams } from 'react-router-dom';
import { failureOf } from '../../components/failed-loads.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { PartFailure } from '../../components/part-failure.tsx';
import { Screen } from '../../components/screen.tsx';
import type { ApiError } from '../../lib/api/api-error.ts';
import { useListInterviewSetsQuery } from '../../lib/api/interview-sets-api.ts';
import { useLastTakenQuery } from '../../lib/api/last-taken-api.ts';
import { useListTechnologiesQuery } from '../../lib/api/technologies-api.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { selectUser } from '../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../lib/state/state-hooks.ts';
import { useFailureToast } from '../../lib/use-failure-toast.ts';
import { categoriesOf, pageOfSets } from './category-filter.ts';
import { CategoryPills } from './category-pills.tsx';
import { FirstStep } from './first-step.tsx';
import { InterviewSetCard } from './interview-set-card.tsx';
import classes from './interview-sets-screen.module.css';
import { InterviewSetsSkeleton } from './interview-sets-skeleton.tsx';

/** Source: product specification, section 2, route /. The filter and the page are in the address. */
export default function InterviewSetsScreen() {
  const user = useAppSelector(selectUser);
  const [search, setSearch] = useSearchParams();
  const setsQuery = useListInterviewSetsQuery();
  const technologiesQuery = useListTechnologiesQuery();
  const lastTakenQuery = useLastTakenQuery(
    { userId: user?.id ?? '', email: user?.email ?? '' },
    { skip: user === null },
  );
  const technologies = technologiesQuery.data ?? [];
  const error = setsQuery.error ?? technologiesQuery.error ?? lastTakenQuery.error;
  useFailureToast(error as ApiError | undefined, fallbacks.fetchData);

  const category = search.get('category') ?? '';
  const choose = (slug: string) => setSearch(slug === '' ? {} : { category: slug }, { preventScrollReset: true });
  const turnTo = (page: number) =>
    setSearch((current) => {
      const next = new URLSearchParams(current);
      if (page === 1) next.delete('page');
      else next.set('page', String(page));
      return next;
    });

  const screen = { title: 'Interview Sets', lead: 'Choose a set, answer aloud, and see how you did.' };
  const failure = failureOf(
    [setsQuery, fallbacks.fetchInterviewSets],
    [technologiesQuery, fallbacks.fetchTechnologies],
    [lastTakenQuery, fallbacks.fetchInterviewHistory],
  );
  if (!setsQuery.data) {
    return <Screen {...screen}>{failure ? <LoadFailure {...failure} /> : <InterviewSetsSkeleton />}</Screen>;
  }

  const shown = pageOfSets(setsQuery.data, category, Number(search.get('page') ?? 1), limits.interviewSetsPerPage);
  const firstStep = user?.role === 'admin' && technologiesQuery.isSuccess && setsQuery.data.length === 0;
  return (
    <Screen {...screen}>
      <CategoryPills categories={categoriesOf(technologies, setsQuery.data)} chosen={category} onChoose={choose} />
      {failure && <PartFailure mt="md" {...failure} />}
      <Text size="sm" c="dimmed" className={classes.count} role="status">
        Showing {shown.total} interview sets
      </Text>
      {shown.total === 0 ? (
        <Notice
          icon={<IconMicrophone size={32} stroke={1.5} />}
          title={messages.interviewSets.none}
          action={
            category === '' ? (
              firstStep && <FirstStep technologies={technologies} />
            ) : (
              <Button variant="default" onClick={() => choose('')}>
                Show all categories
              </Button>
            )
          }
        >
          {firstStep && 'There are no sets yet. Add a technology first, then a set for it.'}
        </Notice>
      ) : (
        <ul className={classes.grid}>
          {shown.sets.map((set) => (
            <InterviewSetCard
              key={set._id}
              set={set}
              editable={user?.role === 'admin'}
              lastTaken={lastTakenQuery.data?.[set._id]}
            />
          ))}
        </ul>
      )}
      {shown.pageCount > 1 && (
        <nav aria-label="Pages" className={classes.pages}>
          <Pagination
            total={shown.pageCount}
            value={shown.page}
            onChange={turnTo}
            getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
            getControlProps={(control) => ({ 'aria-label': control === 'next' ? 'Next page' : 'Previous page' })}
          />
        </nav>
      )}
    </Screen>
  );
}
