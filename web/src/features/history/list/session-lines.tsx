import { Button, Group, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import bordered from '../../../components/bordered-list.module.css';
import { LoadFailure, PartFailure } from '../../../components/load-failure.tsx';
import { useFailureToast } from '../../../lib/toasts.ts';
import type { HistoryFilter } from '../history-api.ts';
import { sessionKinds } from '../session-kinds.ts';
import type { SessionItem } from '../session-types.ts';
import classes from './session-list.module.css';
import { SessionColumns, SessionRow } from './session-row.tsx';
import { useSessionPages } from './use-session-pages.ts';

export function SessionSkeletons({ count }: { count: number }) {
  return (
    <>
      <div className={`${bordered.list} ${classes.list}`} aria-hidden>
        {Array.from({ length: count }, (_, index) => `line ${index}`).map((key) => (
          <div key={key} className={classes.skeleton}>
            <Skeleton height={16} width="45%" />
            <Skeleton height={12} width="70%" mt={10} />
          </div>
        ))}
      </div>
      <VisuallyHidden role="status">Loading…</VisuallyHidden>
    </>
  );
}

interface SessionLinesProps {
  filter: HistoryFilter;
  groupedBy?: 'email' | 'technology' | undefined;
  /** The rows to show, and their total number. */
  only?: (item: SessionItem) => boolean;
  count?: number;
  /** Shown if there are none. */
  empty: ReactNode;
}

/** Sessions, newest first, with a "more" button. */
export function SessionLines({ filter, groupedBy, only, count, empty }: SessionLinesProps) {
  const pages = useSessionPages(filter, { only, count });
  useFailureToast(pages.status === 'failed' ? pages.error : undefined, sessionKinds[filter.kind].messages.loadFailed);

  if (pages.status === 'loading') return <SessionSkeletons count={Math.min(count ?? 6, 6)} />;
  const failure = pages.error && { message: pages.error.message, onRetry: pages.retry, retrying: pages.retrying };
  if (pages.status === 'failed') return failure && <LoadFailure {...failure} />;
  if (pages.items.length === 0) return pages.loadingMore ? <SessionSkeletons count={1} /> : empty;
  return (
    <>
      <SessionColumns kind={filter.kind} />
      <ul className={`${bordered.list} ${classes.list}`}>
        {pages.items.map((item) => (
          <SessionRow key={item._id} kind={filter.kind} item={item} groupedBy={groupedBy} />
        ))}
      </ul>
      {failure && <PartFailure mt="md" {...failure} />}
      <Group gap="sm" justify="space-between" mt="md" mih={36}>
        <Text size="sm" c="dimmed" role="status">
          Showing {pages.items.length} of {sessionKinds[filter.kind].counted(pages.total)}
        </Text>
        {pages.hasMore && !failure && (
          <Button variant="default" onClick={pages.loadMore} loading={pages.loadingMore}>
            Load more
          </Button>
        )}
      </Group>
    </>
  );
}
