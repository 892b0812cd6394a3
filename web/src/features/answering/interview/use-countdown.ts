import { useEffect, useState } from 'react';

/** Counts down from `seconds` while `running`, then calls `onEnd` once. A pause resets it. */
export function useCountdown(seconds: number, running: boolean, onEnd: () => void): number {
  const [left, setLeft] = useState(seconds);

  useEffect(() => {
    if (!running) {
      setLeft(seconds);
      return;
    }
    if (left === 0) {
      onEnd();
      return;
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [running, left, seconds, onEnd]);

  return left;
}
