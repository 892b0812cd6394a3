import { useEffect, useState } from 'react';
import { minutesSeconds } from '../../../lib/formats.ts';

/** The time until `atMs` (since 1970) as m:ss, counting down. Screen readers can read it, and do not announce each second. */
export function TimeLeft({ atMs }: { atMs: number }) {
  const [nowMs, setNowMs] = useState(Date.now);

  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);

  return (
    <span role="timer" aria-live="off" className="tabular">
      {minutesSeconds(Math.ceil((atMs - nowMs) / 1000))}
    </span>
  );
}
