import { useLiveRecordingsQuery } from './live-recordings-api.ts';
import { pollingIntervalMs } from './polling-interval.ts';

/**
 * Keeps a screen fresh while something on it is being worked on: holds the live connection open, and says how often to
 * look again beside it.
 * @param own whether all that is pending is one's own: the connection tells of nothing else
 */
export function useLiveUpdates(pending: boolean, own: boolean) {
  const { data } = useLiveRecordingsQuery(undefined, { skip: !pending });
  return {
    pollingInterval: pollingIntervalMs({ pending, own, connection: data?.connection }),
    recordings: data?.recordings ?? {},
  };
}
