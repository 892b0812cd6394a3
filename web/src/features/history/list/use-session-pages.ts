import { useEffect, useState } from 'react';
import type { ApiError } from '../../../lib/api/api-error.ts';
import { historyPageSize } from '../../../lib/api/first-requests.ts';
import { useLiveRecordings } from '../../../lib/live/live-recordings-api.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import { type HistoryFilter, useSessionHistoryInfiniteQuery } from '../history-api.ts';
import type { HistoryPage, SessionItem } from '../session-types.ts';

const unknown = 'unknown technology';

/** Drops sessions without a known technology. Source: product specification, section 5. */
export function withKnownTechnology<Item extends { technology?: string | null }>(items: readonly Item[]): Item[] {
  return items.filter(({ technology }) => {
    const name = technology?.trim().toLowerCase() ?? '';
    return name !== '' && name !== unknown;
  });
}

/** The loaded rows of a history. */
export interface SessionPages {
  items: SessionItem[];
  /** The total number of rows. */
  total: number;
  status: 'loading' | 'failed' | 'ready';
  /** The error if rows are missing or may be stale. */
  error: ApiError | undefined;
  retrying: boolean;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
  retry: () => void;
}

const linesOf = (pages: readonly HistoryPage[] | undefined, only: (item: SessionItem) => boolean) =>
  withKnownTechnology(pages?.flatMap(({ recordings }) => recordings) ?? []).filter(only);

const all = () => true;

/**
 * Loads a history page by page. A page may contain rows that are filtered out (unknown technology, longer email), so
 * it loads pages until there are enough.
 * @param only the rows to show; `count` is their number, if known
 */
export function useSessionPages(
  filter: HistoryFilter,
  { only = all, count }: { only?: ((item: SessionItem) => boolean) | undefined; count?: number | undefined } = {},
): SessionPages {
  const user = useAppSelector(selectUser);
  const [wanted, setWanted] = useState(historyPageSize);
  const query = useSessionHistoryInfiniteQuery(filter, { refetchOnMountOrArgChange: true });
  const { data, error, isError, isFetching, hasNextPage, isFetchNextPageError, fetchNextPage, refetch } = query;
  const read = linesOf(data?.pages, only);
  const items = read.slice(0, wanted);
  const pending = items.filter(({ pendingCount }) => pendingCount > 0);
  const ofOthers = pending.filter(({ userDetails }) => userDetails?.email !== user?.email);
  useLiveRecordings(
    pending.length > 0,
    ofOthers.map(({ sessionId }) => sessionId),
  );

  const total = count ?? data?.pages[0]?.total ?? 0;
  const short = data !== undefined && items.length < Math.min(wanted, total);
  const hasMore = items.length < read.length || (hasNextPage && items.length < total);
  const goOn = short && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (goOn) void fetchNextPage();
  }, [goOn, fetchNextPage]);

  return {
    items,
    total: hasNextPage ? total : read.length,
    status: error && items.length === 0 ? 'failed' : data ? 'ready' : 'loading',
    error: error as ApiError | undefined,
    retrying: isFetching,
    hasMore,
    loadingMore: short && hasNextPage && !isFetchNextPageError,
    loadMore: () => setWanted(items.length + historyPageSize),
    retry: () => void (isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}
