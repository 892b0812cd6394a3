import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/**
 * Runs one piece of work at a time: what is asked for while one is under way is dropped, so a double click does nothing
 * twice. Gives whether one is under way, and the way to run one.
 */
export function useInFlight(): readonly [busy: boolean, run: (work: () => Promise<void>) => Promise<void>] {
  const [busy, setBusy] = useState(false);
  // A second click comes before the first one's state is rendered.
  const underWay = useRef(false);

  const run = useCallback(async (work: () => Promise<void>) => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      underWay.current = false;
      // At once: what comes next may give the focus to a control that was disabled meanwhile.
      flushSync(() => setBusy(false));
    }
  }, []);

  return [busy, run];
}
