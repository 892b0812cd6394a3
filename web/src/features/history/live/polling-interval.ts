import type { LiveRecordings } from './live-recordings-api.ts';

const withoutStreamMs = 4000;
const withStreamMs = 10_000;

/**
 * How often to look again, in milliseconds; 0 for never. The stream tells of one's own recordings only, so those of
 * others are looked after as if it were down; even an open stream is checked on now and then.
 */
export function pollingIntervalMs(options: {
  pending: boolean;
  own: boolean;
  connection: LiveRecordings['connection'] | undefined;
}): number {
  if (!options.pending) return 0;
  return options.own && options.connection === 'open' ? withStreamMs : withoutStreamMs;
}
