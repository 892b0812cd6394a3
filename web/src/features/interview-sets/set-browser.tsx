import { limits } from '@interview-prep/contracts/api/limits';
import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';
import { Box, Button, CloseButton, Stack, Text, TextInput, Title, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconMicrophone, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useDeferredValue } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { Pager, pageOf } from '../../components/list-page.tsx';
import { Notice } from '../../components/notice.tsx';
import cards from '../../components/set-card.module.css';
import type { LastTaken } from '../../lib/api/progress-api.ts';
import { countOf } from '../../lib/formats.ts';
import { messages } from '../../lib/messages.ts';
import { paths } from '../../lib/paths.ts';
import categoryPillsClasses from './category-pills.module.css';
import { InterviewSetCard } from './interview-set-card.tsx';
import classes from './interview-sets-screen.module.css';
import { SetBrowserSkeleton } from './interview-sets-skeleton.tsx';

/** A filter pill: the slug it filters by ('' for all), its label, and its number of sets. */
interface Category {
  slug: string;
  label: string;
  count: number;
}

/** 'All Categories', then one pill per technology with a name, the user's own first. */
export function categoriesOf(
  technologies: readonly Technology[],
  sets: readonly InterviewSet[],
  own: readonly string[] = [],
): Category[] {
  const place = ({ slug }: Technology) => (own.includes(slug) ? own.indexOf(slug) : own.length);
  const counts = Map.groupBy(sets, ({ technologySlug }) => technologySlug);
  return [
    { slug: '', label: 'All Categories', count: sets.length },
    ...technologies
      .filter(({ name }) => name.trim() !== '')
      .toSorted((a, b) => place(a) - place(b))
      .map(({ name, slug }) => ({ slug, label: name, count: counts.get(slug)?.length ?? 0 })),
  ];
}

/** A page of a category's sets. `page` starts at 1 and is clamped. */
export function pageOfSets(sets: readonly InterviewSet[], slug: string, page: number, pageSize: number) {
  const shown = slug === '' ? sets : sets.filter(({ technologySlug }) => technologySlug === slug);
  const { items, ...place } = pageOf(shown, page, pageSize);
  return { total: shown.length, ...place, sets: items };
}

type Taken = Readonly<Record<string, Pick<LastTaken, 'average' | 'answeredCount' | 'questionCount'>>>;

/** Order within a technology: in progress, then new, then completed, weakest first. */
function rankOf({ _id }: InterviewSet, taken: Taken): number {
  const last = taken[_id];
  if (!last) return 1;
  return last.answeredCount < last.questionCount ? 0 : 2 + (last.average ?? 0);
}

/**
 * Sorts the sets for a user: their own technologies first, in the order of `own`. The order of all others
 * is unchanged.
 */
export function orderSets(sets: readonly InterviewSet[], own: readonly string[], taken: Taken): InterviewSet[] {
  const place = ({ technologySlug }: InterviewSet) =>
    own.includes(technologySlug) ? own.indexOf(technologySlug) : own.length;
  return sets.toSorted((a, b) => {
    const byTechnology = place(a) - place(b);
    if (byTechnology !== 0) return byTechnology;
    return place(a) < own.length ? rankOf(a, taken) - rankOf(b, taken) : 0;
  });
}

/** Whether a set contains every word of a search in its title, technology or tags. */
export function matchesSearch({ title, technology, tags }: InterviewSet, search: string): boolean {
  const text = [title, technology, ...tags].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

interface SetGroupsProps {
  sets: readonly InterviewSet[];
  /** The slugs of the user's technologies; if there are any, their sets get a heading of their own. */
  own: readonly string[];
  taken: Readonly<Record<string, LastTaken>>;
  editable: boolean;
}

/** A page of sets: first those of the technologies that the user chose or practiced, then the rest. */
function SetGroups({ sets, own, taken, editable }: SetGroupsProps) {
  const isOwn = ({ technologySlug }: InterviewSet) => own.includes(technologySlug);
  const groups = [
    { title: 'Technologies you practice', its: sets.filter(isOwn) },
    { title: 'Other technologies', its: sets.filter((set) => !isOwn(set)) },
  ].filter(({ its }) => its.length > 0);
  return groups.map(({ title, its }) => (
    <section key={title} className={classes.group}>
      {own.length > 0 && (
        <Title order={2} size="h3" mb={10}>
          {title}
        </Title>
      )}
      <ul className={cards.grid}>
        {its.map((set) => (
          <InterviewSetCard key={set._id} set={set} editable={editable} lastTaken={taken[set._id]} />
        ))}
      </ul>
    </section>
  ));
}

/** The filter of the sets, kept in the URL: a technology's slug, a search, and a page from 1. */
function useSetFilter() {
  const [params, setParams] = useSearchParams();
  const category = params.get('category') ?? '';
  const search = params.get('search') ?? '';
  return {
    category,
    search,
    page: Number(params.get('page') ?? 1),
    /** Selects a technology ('' for all) and clears the search. */
    choose: (slug: string) => setParams(slug === '' ? {} : { category: slug }, { preventScrollReset: true }),
    find: (text: string) => setParams(text === '' ? {} : { search: text }, { preventScrollReset: true, replace: true }),
    turnTo: (page: number) =>
      setParams((current) => {
        const next = new URLSearchParams(current);
        if (page === 1) next.delete('page');
        else next.set('page', String(page));
        return next;
      }),
  };
}

/** The next step for an admin without sets: add a technology, then a set for it. */
function FirstStep({ technologies }: { technologies: readonly Technology[] }) {
  const [path, label] =
    technologies.length === 0 ? [paths.technologies, 'Add a technology'] : [paths.newSet, 'Add Interview Set'];
  return (
    <Button component={Link} to={path}>
      {label}
    </Button>
  );
}

interface CategoryPillsProps {
  categories: readonly Category[];
  chosen: string;
  onChoose: (slug: string) => void;
}

/** Technologies as pills with counts, one of them selected. On a phone the row scrolls sideways. */
function CategoryPills({ categories, chosen, onChoose }: CategoryPillsProps) {
  return (
    <fieldset className={categoryPillsClasses.pills}>
      <VisuallyHidden component="legend">Category</VisuallyHidden>
      {categories.map(({ slug, label, count }) => (
        <UnstyledButton
          key={slug}
          className={categoryPillsClasses.pill}
          aria-pressed={slug === chosen}
          onClick={() => onChoose(slug)}
        >
          {label} <span className={categoryPillsClasses.count}>{count}</span>
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

interface SetBrowserProps {
  sets: readonly InterviewSet[];
  technologies: readonly Technology[];
  /** The slugs of the user's technologies. */
  own: readonly string[];
  taken: Readonly<Record<string, LastTaken>>;
  editable: boolean;
  /** Whether to offer an admin the first steps: add a technology, then a set. */
  isFirstStep: boolean;
  /** The error of a failed request, shown above the list. */
  failure: ReactNode;
}

/** All sets, with search and filter. Renders after the content above it, which matters most and is shown first. */
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
      <Stack gap="sm">
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
      </Stack>
      {failure}
      <Text size="sm" c="dimmed" className={classes.count} role="status">
        Showing {countOf(shown.total, 'interview set')}
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
        <Box mt={32}>
          <Pager {...shown} turnTo={turnTo} />
        </Box>
      )}
    </>
  );
}
