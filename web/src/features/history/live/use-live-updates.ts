import { useLiveRecordingsQuery } from './live-recordings-api.ts';
import { pollingIntervalMs } from './polling-interval.ts';

/**
 * Keeps a screen up to date while something on it is being processed: opens the live connection and sets the polling
 * interval.
 * @param own whether everything pending belongs to the user
 */
export function useLiveUpdates(pending: boolean, own: boolean) {
  const { data } = useLiveRecordingsQuery(undefined, { skip: !pending });
  return {
    pollingInterval: pollingIntervalMs({ pending, own, connection: data?.connection }),
    recordings: data?.recordings ?? {},
  };
}
