/** Where a player is, in milliseconds, for those who follow it: the seek bar and the transcript. */
export interface PlaybackClock {
  read(): number;
  /** Calls back at each change; gives what ends that. */
  subscribe(listener: () => void): () => void;
  /** Says where it is now. */
  set(ms: number): void;
}

/** A clock at zero. It lives outside React's state, so that sixty changes a second redraw only those who follow it. */
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
