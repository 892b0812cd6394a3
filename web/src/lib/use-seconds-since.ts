import { useEffect, useState } from 'react';

const tickMs = 1000;

/** Whole seconds since a time (ms since 1970), updated every second until `stopped`; null without a time. */
export function useSecondsSince(startedAtMs: number | null, stopped = false): number | null {
  const [nowMs, setNowMs] = useState(() => Date.now());

  useEffect(() => {
    if (startedAtMs === null) return;
    setNowMs(Date.now());
    if (stopped) return;
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [startedAtMs, stopped]);

  return startedAtMs === null ? null : Math.max(0, Math.floor((nowMs - startedAtMs) / 1000));
}
