import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';

/** What the players of a page share: the speed, and that only one plays at a time. */
export interface SharedPlayback {
  rate: number;
  setRate(rate: number): void;
  /** Pauses the player that plays, and makes this the one that does. */
  takeOver(element: HTMLMediaElement): void;
}

const SharedPlaybackContext = createContext<SharedPlayback | null>(null);

function useNewSharedPlayback(): SharedPlayback {
  const [rate, setRate] = useState(1);
  const playing = useRef<HTMLMediaElement | null>(null);
  return useMemo(
    () => ({
      rate,
      setRate,
      takeOver(element) {
        if (playing.current !== element) playing.current?.pause();
        playing.current = element;
      },
    }),
    [rate],
  );
}

/** Connects the players of a page. */
export function SharedPlaybackProvider({ children }: { children: ReactNode }) {
  return <SharedPlaybackContext value={useNewSharedPlayback()}>{children}</SharedPlaybackContext>;
}

/** What this player shares with the page; state of its own if the page has no provider. */
export function useSharedPlayback(): SharedPlayback {
  const own = useNewSharedPlayback();
  return useContext(SharedPlaybackContext) ?? own;
}
