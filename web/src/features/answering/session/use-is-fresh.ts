import { useState } from 'react';

interface ListQuery {
  /** When the list came, in milliseconds since 1970. */
  fulfilledTimeStamp?: number | undefined;
  error?: unknown;
  isFetching: boolean;
}

/**
 * Whether a list of sets came after the screen, or cannot be had anew. The server asks by the set as it is when the session
 * begins; a list that another screen loaded an hour ago may show other questions. For a query with `refetchOnMountOrArgChange`.
 */
export function useIsFresh({ fulfilledTimeStamp, error, isFetching }: ListQuery): boolean {
  const [former] = useState(fulfilledTimeStamp);
  return fulfilledTimeStamp !== former || (error !== undefined && !isFetching);
}
