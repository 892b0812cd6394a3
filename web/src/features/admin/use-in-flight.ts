import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Runs one task at a time and ignores calls while one is running, such as the second click of a double click.
 */
export function useInFlight(): readonly [busy: boolean, run: (work: () => Promise<void>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  // A ref: the second click may come before the state is rendered.
  const underWay = useRef(false);

  const run = useCallback(async (work: () => Promise<void>) => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      underWay.current = false;
      // Synchronous: the caller may focus a control that was disabled.
      flushSync(() => setBusy(false));
    }
  }, []);

  return [busy, run];
}
