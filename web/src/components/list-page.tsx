import { CloseButton, Group, Pagination, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useAddressFields } from '../lib/use-address-fields.ts';
import classes from './list-toolbar.module.css';

/** The debounce before the search is written to the URL. */
const addressDelayMs = 300;

/** The items of a page. `page` counts from 1 and is clamped. */
export function pageOf<T>(items: readonly T[], page: number, pageSize: number) {
  const pageCount = Math.max(1, Math.ceil(items.length / pageSize));
  const current = Number.isInteger(page) ? Math.min(Math.max(page, 1), pageCount) : 1;
  return { page: current, pageCount, items: items.slice((current - 1) * pageSize, current * pageSize) };
}

/** The items whose text contains the query, ignoring case. */
export function searched<T>(items: readonly T[], query: string, textOf: (item: T) => string): readonly T[] {
  const wanted = query.trim().toLowerCase();
  return wanted === '' ? items : items.filter((item) => textOf(item).toLowerCase().includes(wanted));
}

export interface ListPage<T> {
  query: string;
  search: (query: string) => void;
  /** The number of all items, and of those that match the search. */
  total: number;
  found: number;
  page: number;
  pageCount: number;
  turnTo: (page: number) => void;
  items: readonly T[];
}

/** Searches and pages a list on the client. Both are kept in the URL (`q`, `page`). */
export function useListPage<T>(all: readonly T[], textOf: (item: T) => string, pageSize: number): ListPage<T> {
  const [params, change] = useAddressFields();
  const [query, setQuery] = useState(params.get('q') ?? '');
  const found = searched(all, query, textOf);

  const keepQuery = useDebouncedCallback((text: string) => change({ q: text }), addressDelayMs);

  return {
    query,
    search: (text) => {
      setQuery(text);
      if (params.has('page')) change({ page: '' });
      keepQuery(text);
    },
    total: all.length,
    found: found.length,
    ...pageOf(found, Number(params.get('page') ?? 1), pageSize),
    turnTo: (page) => change({ page: page === 1 ? '' : String(page) }),
  };
}

interface PagerProps {
  page: number;
  pageCount: number;
  turnTo: (page: number) => void;
}

/** Page numbers; renders nothing for a single page. */
export function Pager({ page, pageCount, turnTo }: PagerProps) {
  if (pageCount < 2) return null;
  return (
    <nav aria-label="Pages" style={{ display: 'flex', justifyContent: 'center' }}>
      <Pagination
        total={pageCount}
        value={page}
        onChange={turnTo}
        getItemProps={(each) => ({ 'aria-label': `Page ${each}` })}
        getControlProps={(control) => ({ 'aria-label': control === 'next' ? 'Next page' : 'Previous page' })}
      />
    </nav>
  );
}

interface ListToolbarProps {
  list: Pick<ListPage<unknown>, 'query' | 'search' | 'total' | 'found'>;
  /** The counted noun, as in ['technology', 'technologies']. */
  nouns: readonly [one: string, many: string];
}

/** The search field and the count above a list, as in '3 of 40 technologies'. */
export function ListToolbar({ list, nouns: [one, many] }: ListToolbarProps) {
  const noun = list.total === 1 ? one : many;
  return (
    <Group gap="8px 16px" justify="space-between">
      <TextInput
        className={classes.search ?? ''}
        type="search"
        size="sm"
        placeholder={`Search ${many}`}
        aria-label={`Search ${many}`}
        autoComplete="off"
        leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
        rightSection={
          list.query !== '' && <CloseButton size="sm" aria-label="Clear search" onClick={() => list.search('')} />
        }
        value={list.query}
        onChange={(event) => list.search(event.currentTarget.value)}
      />
      <Text size="sm" c="dimmed" role="status" className="tabular">
        {list.found === list.total ? `${list.total} ${noun}` : `${list.found} of ${list.total} ${noun}`}
      </Text>
    </Group>
  );
}
