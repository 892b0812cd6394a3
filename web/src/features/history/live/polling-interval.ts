import type { LiveRecordings } from './live-recordings-api.ts';

const withoutStreamMs = 4000;
const withStreamMs = 10_000;

/**
 * The polling interval in milliseconds; 0 for none. The stream reports only the user's own recordings, so others' are
 * polled as if it were down. Even with an open stream, poll now and then.
 */
export function pollingIntervalMs(options: {
  pending: boolean;
  own: boolean;
  connection: LiveRecordings['connection'] | undefined;
}): number {
  if (!options.pending) return 0;
  return options.own && options.connection === 'open' ? withStreamMs : withoutStreamMs;
}
