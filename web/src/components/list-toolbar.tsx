import { CloseButton, Group, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import classes from './list-toolbar.module.css';
import type { ListPage } from './use-list-page.ts';

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
