/** A player's position in milliseconds, followed by the seek bar and the transcript. */
export interface PlaybackClock {
  read(): number;
  /** Calls back at each change, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Moves the clock. */
  set(ms: number): void;
}

/** A clock at zero. It is not React state: sixty changes a second must not render the whole card. */
export function createPlaybackClock(): PlaybackClock {
  let now = 0;
  const listeners = new Set<() => void>();
  return {
    read: () => now,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    set(ms) {
      if (ms === now) return;
      now = ms;
      for (const listener of [...listeners]) listener();
    },
  };
}
