import { limits } from '@interview-prep/contracts/limits';
import type { InterviewSet } from '@interview-prep/contracts/sets';
import type { Technology } from '@interview-prep/contracts/technologies';
import { Button, CloseButton, Pagination, Text, TextInput } from '@mantine/core';
import { IconMicrophone, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useDeferredValue } from 'react';
import { Notice } from '../../components/notice.tsx';
import type { LastTaken } from '../../lib/api/last-taken.ts';
import { messages } from '../../lib/messages.ts';
import { categoriesOf, pageOfSets } from './category-filter.ts';
import { CategoryPills } from './category-pills.tsx';
import { FirstStep } from './first-step.tsx';
import classes from './interview-sets-screen.module.css';
import { SetBrowserSkeleton } from './interview-sets-skeleton.tsx';
import { matchesSearch, orderSets } from './order-sets.ts';
import { SetGroups } from './set-groups.tsx';
import { useSetFilter } from './use-set-filter.ts';

interface SetBrowserProps {
  sets: readonly InterviewSet[];
  technologies: readonly Technology[];
  /** The slugs of the user's technologies. */
  own: readonly string[];
  taken: Readonly<Record<string, LastTaken>>;
  editable: boolean;
  /** Whether an admin is to add what comes first: a technology, then a set. */
  isFirstStep: boolean;
  /** What failed to load, above the list. */
  failure: ReactNode;
}

/** All sets, with a search and a filter. It renders after what is above it: that is what people come for, and is shown first. */
export function SetBrowser(props: SetBrowserProps) {
  const isShown = useDeferredValue(true, false);
  return isShown ? <Sets {...props} /> : <SetBrowserSkeleton />;
}

function Sets({ sets, technologies, own, taken, editable, isFirstStep, failure }: SetBrowserProps) {
  const { category, search, page, choose, find, turnTo } = useSetFilter();
  const ordered = orderSets(sets, own, taken);
  const found = search === '' ? ordered : ordered.filter((set) => matchesSearch(set, search));
  const shown = pageOfSets(found, category, page, limits.interviewSetsPerPage);
  return (
    <>
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
      {failure}
      <Text size="sm" c="dimmed" className={classes.count} role="status">
        Showing {shown.total} interview sets
      </Text>
      {shown.total === 0 ? (
        <Notice
          icon={<IconMicrophone size={32} stroke={1.5} />}
          title={search === '' ? messages.interviewSets.none : `No interview set matches “${search}”.`}
          action={
            category === '' && search === '' ? (
              isFirstStep && <FirstStep technologies={technologies} />
            ) : (
              <Button variant="default" onClick={() => choose('')}>
                Show all categories
              </Button>
            )
          }
        >
          {isFirstStep && 'There are no sets yet. Add a technology first, then a set for it.'}
        </Notice>
      ) : (
        <SetGroups sets={shown.sets} own={category === '' ? own : []} taken={taken} editable={editable} />
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
    </>
  );
}
