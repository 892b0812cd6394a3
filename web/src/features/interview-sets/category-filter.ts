import type { InterviewSet } from '@interview-prep/contracts/catalog/sets';
import type { Technology } from '@interview-prep/contracts/catalog/technologies';

/** A filter pill: the slug that it filters by ('' is all), its label, and how many sets it shows. */
export interface Category {
  slug: string;
  label: string;
  count: number;
}

/** 'All Categories', then one per technology that has a name: the user's own first. */
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

/** A page of what a category shows. `page` counts from 1 and is brought into range. */
export function pageOfSets(sets: readonly InterviewSet[], slug: string, page: number, pageSize: number) {
  const shown = slug === '' ? sets : sets.filter(({ technologySlug }) => technologySlug === slug);
  const pageCount = Math.max(1, Math.ceil(shown.length / pageSize));
  const current = Number.isInteger(page) ? Math.min(Math.max(page, 1), pageCount) : 1;
  return {
    total: shown.length,
    pageCount,
    page: current,
    sets: shown.slice((current - 1) * pageSize, current * pageSize),
  };
}
