import { limits } from '@interview-prep/contracts/limits';
import { Button, CloseButton, Pagination, Text, TextInput } from '@mantine/core';
import { IconMicrophone, IconSearch } from '@tabler/icons-react';
import { failureOf } from '../../components/failed-loads.ts';
import { LoadFailure } from '../../components/load-failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { PartFailure } from '../../components/part-failure.tsx';
import { Screen } from '../../components/screen.tsx';
import type { ApiError } from '../../lib/api/api-error.ts';
import { fallbacks, messages } from '../../lib/messages.ts';
import { useFailureToast } from '../../lib/use-failure-toast.ts';
import { categoriesOf, pageOfSets } from './category-filter.ts';
import { CategoryPills } from './category-pills.tsx';
import { FirstStep } from './first-step.tsx';
import { homeStep } from './home-step.ts';
import classes from './interview-sets-screen.module.css';
import { InterviewSetsSkeleton } from './interview-sets-skeleton.tsx';
import { NowCards } from './now-cards.tsx';
import { matchesSearch, orderSets } from './order-sets.ts';
import { SetGroups } from './set-groups.tsx';
import { useHomeData } from './use-home-data.ts';
import { useSetFilter } from './use-set-filter.ts';

/** Source: product specification, section 2, route /. The filter, the search and the page are in the address. */
export default function InterviewSetsScreen() {
  const { user, queries, settled, own, queue, taken, progress } = useHomeData();
  const { category, search, page, choose, find, turnTo } = useSetFilter();
  const { sets: setsQuery, technologies: technologiesQuery } = queries;
  const technologies = technologiesQuery.data ?? [];
  const error = Object.values(queries).find((query) => query.error)?.error;
  useFailureToast(error as ApiError | undefined, fallbacks.fetchData);

  const screen = { title: 'Interview Sets', lead: 'Choose a set, answer aloud, and see how you did.' };
  const failure = failureOf(
    [setsQuery, fallbacks.fetchInterviewSets],
    [technologiesQuery, fallbacks.fetchTechnologies],
    [queries.lastTaken, fallbacks.fetchInterviewHistory],
    [queries.progress, fallbacks.fetchProgress],
    [queries.reviews, fallbacks.fetchReviews],
  );
  const all = setsQuery.data;
  if (!all || !settled) {
    return <Screen {...screen}>{failure && !all ? <LoadFailure {...failure} /> : <InterviewSetsSkeleton />}</Screen>;
  }

  const ordered = orderSets(all, own, taken);
  const found = search === '' ? ordered : ordered.filter((set) => matchesSearch(set, search));
  const shown = pageOfSets(found, category, page, limits.interviewSetsPerPage);
  const firstStep = user?.role === 'admin' && technologiesQuery.isSuccess && all.length === 0;
  const step = progress
    ? homeStep({ sets: all, practiceSets: queries.practiceSets.data ?? [], taken, latest: progress.latest, queue, own })
    : null;
  return (
    <Screen {...screen}>
      <NowCards step={step} queue={queue} progress={progress} />
      <div className={classes.filter}>
        <TextInput
          className={classes.search ?? ''}
          type="search"
          size="sm"
          placeholder="Search interview sets"
          aria-label="Search interview sets"
          autoComplete="off"
          leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
          rightSection={search !== '' && <CloseButton size="sm" aria-label="Clear search" onClick={() => find('')} />}
          value={search}
          onChange={(event) => find(event.currentTarget.value)}
        />
        <CategoryPills categories={categoriesOf(technologies, found, own)} chosen={category} onChoose={choose} />
      </div>
      {failure && <PartFailure mt="md" {...failure} />}
      <Text size="sm" c="dimmed" className={classes.count} role="status">
        Showing {shown.total} interview sets
      </Text>
      {shown.total === 0 ? (
        <Notice
          icon={<IconMicrophone size={32} stroke={1.5} />}
          title={search === '' ? messages.interviewSets.none : `No interview set matches “${search}”.`}
          action={
            category === '' && search === '' ? (
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
        <SetGroups sets={shown.sets} own={category === '' ? own : []} taken={taken} editable={user?.role === 'admin'} />
      )}
      {shown.pageCount > 1 && (
        <nav aria-label="Pages" className={classes.pages}>
          <Pagination
            total={shown.pageCount}
            value={shown.page}
            onChange={turnTo}
            getItemProps={(number) => ({ 'aria-label': `Page ${number}` })}
            getControlProps={(control) => ({ 'aria-label': control === 'next' ? 'Next page' : 'Previous page' })}
          />
        </nav>
      )}
    </Screen>
  );
}
