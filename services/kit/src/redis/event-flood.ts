const windowMs = 60_000;
const eventsPerWindow = 60;

/** Lets events of one key pass up to a number in each minute, and counts the others. */
interface EventFlood {
  /** @returns how many were held back before this one; null for an event that is held back */
  pass(key: string): number | null;
}

/** Counts in memory. Keys whose minute is over are forgotten once they have nothing to report. */
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
