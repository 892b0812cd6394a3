import { CloseButton, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import classes from './list-toolbar.module.css';
import type { ListPage } from './use-list-page.ts';

interface ListToolbarProps {
  list: Pick<ListPage<unknown>, 'query' | 'search' | 'total' | 'found'>;
  /** What is counted: ['technology', 'technologies']. */
  nouns: readonly [one: string, many: string];
}

/** Over a list: the search and the count, '3 of 40 technologies'. */
export function ListToolbar({ list, nouns: [one, many] }: ListToolbarProps) {
  const noun = list.total === 1 ? one : many;
  return (
    <div className={classes.toolbar}>
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
    </div>
  );
}
