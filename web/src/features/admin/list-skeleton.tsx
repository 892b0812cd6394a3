import { Button, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ListPage } from '../../components/list-page.tsx';
import { Notice } from '../../components/notice.tsx';

interface NoMatchProps {
  list: Pick<ListPage<unknown>, 'query' | 'search'>;
  /** The text before the query: 'No user matches'. */
  says: string;
}

/** Shown if nothing matches the search. */
export function NoMatch({ list, says }: NoMatchProps) {
  return (
    <Notice
      icon={<IconSearch size={32} stroke={1.5} />}
      title={`${says} “${list.query.trim()}”`}
      action={
        <Button variant="default" onClick={() => list.search('')}>
          Clear search
        </Button>
      }
    />
  );
}

const rows = ['a', 'b', 'c', 'd', 'e', 'f'];

/** A loading list with a field above it. `label` is for screen readers. */
export function ListSkeleton({ label }: { label: string }) {
  return (
    <>
      <VisuallyHidden role="status">{label}</VisuallyHidden>
      <Stack gap="lg" aria-hidden>
        <Skeleton height={42} />
        <Stack gap="xs">
          {rows.map((row) => (
            <Skeleton key={row} height={62} />
          ))}
        </Stack>
      </Stack>
    </>
  );
}
