import { useState } from 'react';

interface ListQuery {
  /** When the list was loaded, in ms since 1970. */
  fulfilledTimeStamp?: number | undefined;
  error?: unknown;
  isFetching: boolean;
}

/**
 * Whether a list of sets was loaded after the screen opened, or can't be reloaded. An older list may contain questions
 * that have since been edited. For a query with `refetchOnMountOrArgChange`.
 */
export function useIsFresh({ fulfilledTimeStamp, error, isFetching }: ListQuery): boolean {
  const [initial] = useState(fulfilledTimeStamp);
  return fulfilledTimeStamp !== initial || (error !== undefined && !isFetching);
}
