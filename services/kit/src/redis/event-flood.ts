const windowMs = 60_000;
const eventsPerWindow = 60;

/** Rate-limits events per key and minute, and counts the suppressed ones. */
interface EventFlood {
  /** @returns how many events were suppressed before this one; null if this one is suppressed */
  pass(key: string): number | null;
}

/** Counts in memory. A key is dropped once its minute is over and it has nothing to report. */
export function createEventFlood(now: () => number = Date.now): EventFlood {
  const windows = new Map<string, { startedAt: number; passed: number; suppressed: number }>();
  return {
    pass(key) {
      const at = now();
      let window = windows.get(key);
      if (!window || at - window.startedAt >= windowMs) {
        const suppressed = window?.suppressed ?? 0;
        for (const [other, { startedAt }] of windows) if (at - startedAt >= 10 * windowMs) windows.delete(other);
        window = { startedAt: at, passed: 0, suppressed };
        windows.set(key, window);
      }
      if (window.passed >= eventsPerWindow) {
        window.suppressed += 1;
        return null;
      }
      window.passed += 1;
      const { suppressed } = window;
      window.suppressed = 0;
      return suppressed;
    },
  };
}
