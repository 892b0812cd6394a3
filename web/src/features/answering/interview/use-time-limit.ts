import { useEffect } from 'react';

/** How far the recording exceeds the displayed limit, so that the last word isn't cut off. */
const lastWordMs = 2000;

/**
 * Calls `onEnd` when a recording reaches its time limit.
 * @param recordingSinceMs milliseconds since 1970; null while nothing is recorded
 * @param limitSeconds undefined for no limit
 * @returns when the time is up, in milliseconds since 1970; null without a limit
 */
export function useTimeLimit(
  recordingSinceMs: number | null,
  limitSeconds: number | undefined,
  onEnd: () => void,
): number | null {
  const untilMs = recordingSinceMs === null || !limitSeconds ? null : recordingSinceMs + limitSeconds * 1000;
  useEffect(() => {
    if (untilMs === null) return;
    const timer = setTimeout(onEnd, Math.max(0, untilMs + lastWordMs - Date.now()));
    return () => clearTimeout(timer);
  }, [untilMs, onEnd]);
  return untilMs;
}
